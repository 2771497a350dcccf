// SPDX-License-Identifier: Apache-2.0
#pragma once

// What an op is once its arguments and tensor specs are known: kept in the program cache and in traces.
#include <cstdint>
#include <functional>
#include <span>

#include <tt-metalium/base_types.hpp>

#include "core/buffer_impl.hpp"

namespace ttnn_cpu {

// Computes the outputs from the inputs. Runs on a queue's thread, maybe many times, and must not throw.
using Kernel = std::function<void(std::span<const BufferRef> inputs, std::span<const BufferRef> outputs)>;

struct Program {
    Kernel kernel;
    std::uint32_t core_count = 1;
    // Bytes of circular buffers on each core that computes. They lie at the bottom of L1 and must not reach the buffers.
    std::uint64_t circular_buffer_bytes = 0;
    tt::tt_metal::MathFidelity math_fidelity = tt::tt_metal::MathFidelity::HiFi4;
};

}  // namespace ttnn_cpu
