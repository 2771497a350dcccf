// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include <tt_stl/strong_type.hpp>

namespace ttnn {

using QueueId = ttsl::StrongType<std::uint8_t, struct QueueIdTag>;

}  // namespace ttnn
