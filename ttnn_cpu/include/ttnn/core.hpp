// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "ttnn/common/guard.hpp"
#include "ttnn/tensor/tensor.hpp"
#include "ttnn/tensor/types.hpp"
#include "ttnn/types.hpp"

namespace ttnn {
namespace core {

// The queue that ops of the calling thread run on; 0 unless pushed.
QueueId get_current_command_queue_id_for_thread();
void push_current_command_queue_id_for_thread(QueueId cq_id);
QueueId pop_current_command_queue_id_for_thread();

[[nodiscard]] ScopeGuard with_command_queue_id(QueueId cq_id);

template <typename T>
void with_command_queue_id(QueueId cq_id, T&& func) {
    auto guard = with_command_queue_id(cq_id);
    std::forward<T>(func)();
}

}  // namespace core

using core::get_current_command_queue_id_for_thread;
using core::pop_current_command_queue_id_for_thread;
using core::push_current_command_queue_id_for_thread;
using core::with_command_queue_id;

}  // namespace ttnn
