// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>

namespace ttnn_cpu::kernels {

// Threads that a parallel_for may use, the caller included. Starts at the hardware concurrency.
std::size_t num_threads();

// Sets it; 0 means the hardware concurrency. Safe while other threads are inside parallel_for.
void set_num_threads(std::size_t threads);

// Calls fn(0) .. fn(chunks - 1), each once, in no order, on the pool and on the calling thread; returns when all are
// done. Which chunk does what must not depend on num_threads(), so that results have the same bits for any number of
// threads. OpenMP is limited to one thread while a chunk runs. A call from inside a chunk runs inline; calls from
// several threads share the pool. If chunks throw, one of the exceptions reaches the caller, when no chunk runs any
// more.
void parallel_for(std::size_t chunks, const std::function<void(std::size_t)>& fn);

}  // namespace ttnn_cpu::kernels
