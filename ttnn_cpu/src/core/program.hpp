// SPDX-License-Identifier: Apache-2.0
#pragma once

// What an op is once its arguments and tensor specs are known: kept in the program cache and in traces.
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
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
    // What a trace may know of it (see skip_copies).
    struct Copy {
        std::size_t bytes = 0;  // the whole output
        // Of the source from the output, where it is not the first input.
        std::optional<std::ptrdiff_t> distance = std::nullopt;
    };
    std::optional<Copy> copy;   // it does nothing else
    bool elementwise = false;   // and so may write where it reads, or elsewhere
    bool writes_output = true;  // false: nobody reads what its output holds
    bool lends_input = false;   // the next program that borrows reads its input
    bool borrows = false;       // and writes nothing before it has what it needs of it
};

}  // namespace ttnn_cpu
