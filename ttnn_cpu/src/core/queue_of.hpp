// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include <ttnn/common/queue_id.hpp>

namespace ttnn_cpu {

// The queue that a call names, else the calling thread's current one.
std::uint32_t queue_of(std::optional<ttnn::QueueId> cq_id);

}  // namespace ttnn_cpu
