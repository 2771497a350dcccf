// SPDX-License-Identifier: Apache-2.0
#include "conformance/refusals.hpp"
#include "zoo/op_args.hpp"

namespace zoo::conformance {

namespace {

using ttnn::DataType;
using ttnn::Layout;
using ttnn::MeshDevice;
using ttnn::TensorMemoryLayout;
using ttnn::operations::matmul::MatmulMultiCoreReuseMultiCast1DProgramConfig;
using ttnn::operations::matmul::MatmulMultiCoreReuseMultiCastProgramConfig;
using ttnn::operations::matmul::MatmulMultiCoreReuseProgramConfig;
using ttnn::operations::matmul::MatmulProgramConfig;

// 512x512 by 512x512 over 8x8 cores, two tiles a side on each.
MatmulMultiCoreReuseMultiCastProgramConfig good_2d() {
    return {
        .compute_with_storage_grid_size = {8, 8},
        .in0_block_w = 2,
        .out_subblock_h = 1,
        .out_subblock_w = 2,
        .out_block_h = 2,
        .out_block_w = 2,
        .per_core_M = 2,
        .per_core_N = 2,
        .transpose_mcast = false,
        .fused_activation = std::nullopt,
        .fuse_batch = true};
}

// 32x2048 by 2048x2048, the width over 64 cores.
MatmulMultiCoreReuseMultiCast1DProgramConfig good_1d() {
    return {
        .compute_with_storage_grid_size = {8, 8},
        .in0_block_w = 2,
        .out_subblock_h = 1,
        .out_subblock_w = 1,
        .out_block_h = 1,
        .out_block_w = 1,
        .per_core_M = 1,
        .per_core_N = 1,
        .fuse_batch = true,
        .fused_activation = std::nullopt,
        .mcast_in0 = true};
}

template <typename Change>
BadCall with_2d(std::string name, Change change, std::string known_difference = {}) {
    return {
        std::move(name),
        [change](MeshDevice& device) {
            auto config = good_2d();
            change(config);
            (void)zoo::linear(
                tensor(device, {1, 1, 512, 512}), tensor(device, {1, 1, 512, 512}),
                {.program_config = MatmulProgramConfig(config)});
        },
        std::move(known_difference)};
}

template <typename Change>
BadCall with_1d(std::string name, Change change) {
    return {std::move(name), [change](MeshDevice& device) {
                auto config = good_1d();
                change(config);
                (void)zoo::linear(
                    tensor(device, {1, 1, 32, 2048}), tensor(device, {1, 1, 2048, 2048}),
                    {.program_config = MatmulProgramConfig(config)});
            }};
}

BadCall plain(std::string name, std::vector<std::uint32_t> a, std::vector<std::uint32_t> b) {
    return {std::move(name), [a, b](MeshDevice& device) { (void)zoo::matmul(tensor(device, a), tensor(device, b)); }};
}

}  // namespace

std::vector<BadCall> bad_matmuls() {
    using Sharded = TensorMemoryLayout;
    return {
        plain("matmul: inner dimensions differ", {1, 1, 64, 64}, {1, 1, 96, 64}),
        plain("matmul: batches differ", {1, 2, 64, 64}, {1, 3, 64, 64}),
        {"matmul: first operand is row-major",
         [](MeshDevice& device) {
             (void)zoo::matmul(
                 tensor(device, {64, 64}, DataType::BFLOAT16, Layout::ROW_MAJOR), tensor(device, {64, 64}));
         }},
        {"matmul: second operand is row-major",
         [](MeshDevice& device) {
             (void)zoo::matmul(
                 tensor(device, {64, 64}), tensor(device, {64, 64}, DataType::BFLOAT16, Layout::ROW_MAJOR));
         }},
        {"matmul: integers",
         [](MeshDevice& device) {
             (void)zoo::matmul(tensor(device, {64, 64}, DataType::UINT32), tensor(device, {64, 64}, DataType::UINT32));
         }},
        {"linear: bias of another width",
         [](MeshDevice& device) {
             (void)zoo::linear(
                 tensor(device, {1, 1, 64, 64}), tensor(device, {64, 96}), {.bias = tensor(device, {1, 64})});
         }},
        {"linear: result larger than L1",
         [](MeshDevice& device) {
             (void)zoo::linear(
                 tensor(device, {1, 1, 16384, 32}), tensor(device, {32, 8192}), {.memory_config = interleaved_l1()});
         }},
        {"linear: activation beside a program config",
         [](MeshDevice& device) {
             (void)zoo::linear(
                 tensor(
                     device, {1, 1, 512, 512}, DataType::BFLOAT16, Layout::TILE,
                     sharded(Sharded::BLOCK_SHARDED, 8, 8, 64, 64)),
                 tensor(device, {512, 512}), {.program_config = MatmulProgramConfig(good_2d()), .activation = "gelu"});
         }},
        with_2d("linear, 2D: block of K does not divide K", [](auto& config) { config.in0_block_w = 3; }),
        with_2d(
            "linear, 2D: subblock of more than 8 tiles",
            [](auto& config) {
                config.per_core_M = config.out_block_h = config.out_subblock_h = 4;
                config.per_core_N = config.out_block_w = config.out_subblock_w = 4;
            }),
        with_2d("linear, 2D: subblock does not divide the rows", [](auto& config) { config.out_subblock_h = 3; }),
        with_2d("linear, 2D: subblock does not divide the columns", [](auto& config) { config.out_subblock_w = 3; }),
        with_2d("linear, 2D: too few rows of cores", [](auto& config) { config.per_core_M = config.out_block_h = 1; }),
        with_2d(
            "linear, 2D: too few columns of cores",
            [](auto& config) { config.per_core_N = config.out_block_w = config.out_subblock_w = 1; }),
        with_2d(
            "linear, 2D: block that does not divide the core's share", [](auto& config) { config.out_block_h = 3; }),
        with_1d("linear, 1D: block of K does not divide K", [](auto& config) { config.in0_block_w = 3; }),
        with_1d("linear, 1D: subblock does not divide the columns", [](auto& config) { config.out_subblock_w = 2; }),
        with_1d(
            "linear, 1D: too few cores",
            [](auto& config) {
                config.compute_with_storage_grid_size = {4, 4};
            }),
        {"linear, 1D: block-sharded operand",
         [](MeshDevice& device) {
             (void)zoo::linear(
                 tensor(
                     device, {1, 1, 256, 2048}, DataType::BFLOAT16, Layout::TILE,
                     sharded(Sharded::BLOCK_SHARDED, 8, 8, 32, 256)),
                 tensor(device, {2048, 2048}), {.program_config = MatmulProgramConfig(good_1d())});
         }},
        {"linear, 2D: shards of another height than the core's share",
         [](MeshDevice& device) {
             auto config = good_2d();
             config.per_core_M = config.out_block_h = 4;
             (void)zoo::linear(
                 tensor(
                     device, {1, 1, 512, 512}, DataType::BFLOAT16, Layout::TILE,
                     sharded(Sharded::BLOCK_SHARDED, 8, 8, 64, 64)),
                 tensor(device, {512, 512}), {.program_config = MatmulProgramConfig(config)});
         }},
        {"matmul, reuse: operands of different batch",
         [](MeshDevice& device) {
             (void)zoo::matmul(
                 tensor(device, {1, 4, 64, 64}), tensor(device, {1, 2, 64, 64}),
                 {.program_config = MatmulProgramConfig(MatmulMultiCoreReuseProgramConfig{
                      .compute_with_storage_grid_size = {8, 8},
                      .in0_block_w = 2,
                      .out_subblock_h = 1,
                      .out_subblock_w = 2,
                      .per_core_M = 2,
                      .per_core_N = 2})});
         }},
        {"matmul, reuse: a core's share does not divide the rows",
         [](MeshDevice& device) {
             (void)zoo::matmul(
                 tensor(device, {1, 4, 64, 64}), tensor(device, {1, 4, 64, 64}),
                 {.program_config = MatmulProgramConfig(MatmulMultiCoreReuseProgramConfig{
                      .compute_with_storage_grid_size = {8, 8},
                      .in0_block_w = 2,
                      .out_subblock_h = 1,
                      .out_subblock_w = 2,
                      .per_core_M = 3,
                      .per_core_N = 2})});
         }},
        {"linear, 2D: circular buffers beyond L1",
         [](MeshDevice& device) {
             auto config = good_2d();
             config.in0_block_w = 64;
             config.per_core_M = config.out_block_h = 8;
             config.per_core_N = config.out_block_w = 8;
             (void)zoo::linear(
                 tensor(device, {1, 1, 2048, 2048}), tensor(device, {2048, 2048}),
                 {.program_config = MatmulProgramConfig(config)});
         }},
        {"linear, 2D: circular buffers run into tensors",
         [](MeshDevice& device) {
             // 1.2 of the 1.36 MB a core.
             const auto live = tensor(
                 device, {1, 1, 64 * 9600, 64}, DataType::BFLOAT16, Layout::TILE,
                 sharded(Sharded::HEIGHT_SHARDED, 8, 8, 9600, 64));
             auto config = good_2d();
             config.in0_block_w = 16;
             config.per_core_M = config.out_block_h = 4;
             config.per_core_N = config.out_block_w = 4;
             (void)zoo::linear(
                 tensor(device, {1, 1, 1024, 1024}), tensor(device, {1024, 1024}),
                 {.program_config = MatmulProgramConfig(config)});
         }},
    };
}

}  // namespace zoo::conformance
