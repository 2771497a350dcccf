// SPDX-License-Identifier: Apache-2.0
#pragma once

// The op that gives every core the pixels around its own, for convs and pools.
#include <cstddef>
#include <cstdint>

#include <ttnn/operations/core/compute_kernel/compute_kernel_config.hpp>
#include <ttnn/tensor/tensor.hpp>

#include "core/program.hpp"
#include "ops/conv/parallel.hpp"
#include "ops/conv/window.hpp"

namespace ttnn_cpu::sliding {

struct HaloRequest {
    Window window;
    ParallelConfig parallel;
    std::uint32_t pad_value = 0;
    bool tables_in_dram = false;
};

// A tensor of the size that the halo's output has on the card. Its memory is not written: the op that follows on the
// same queue takes the input's bytes from haloed_input(), without the copies of rows that cores share.
ttnn::Tensor halo(const ttnn::Tensor& input, const HaloRequest& request);

// The bytes of the tensor that the last halo of this queue had as its input. Called in a kernel, on the queue's thread,
// with the memory that the kernel writes: where the input was freed and that memory is in its place, they are a copy.
const std::byte* haloed_input(const std::byte* output, std::size_t output_bytes);

// Frees `tensor` and allocates it anew, where there may be more room by now. What it holds does not move along: a halo's
// output holds nothing.
ttnn::Tensor move(ttnn::Tensor& tensor);
// The same for a tensor that holds data.
ttnn::Tensor move_with_contents(ttnn::Tensor& tensor);

// A table of `length` uint16 on every core of the grid, in L1_SMALL (or once for each in DRAM); on the card it lives as
// long as its program.
ttnn::Tensor make_table(
    const ParallelConfig& parallel, std::uint32_t length, bool in_dram, tt::tt_metal::distributed::MeshDevice* device);

}  // namespace ttnn_cpu::sliding
