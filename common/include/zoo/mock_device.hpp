// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ttnn/types.hpp"

namespace zoo {

// Whether this is tt-metal's mock device: it checks every call and computes nothing, reads give zeros. It ends the process when
// a trace is captured or an event is waited for, so the pipelines do neither there.
[[nodiscard]] bool is_mock(ttnn::MeshDevice& device);

}  // namespace zoo
