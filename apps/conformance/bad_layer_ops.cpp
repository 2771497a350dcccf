// SPDX-License-Identifier: Apache-2.0
#include "conformance/refusals.hpp"
#include "ttnn/operations/copy/typecast/typecast.hpp"
#include "ttnn/operations/eltwise/binary/binary.hpp"
#include "ttnn/operations/eltwise/unary/unary.hpp"
#include "ttnn/operations/embedding/embedding.hpp"
#include "ttnn/operations/normalization/softmax/softmax.hpp"
#include "ttnn/operations/transformer/concatenate_heads/concatenate_heads.hpp"
#include "ttnn/operations/transformer/split_query_key_value_and_split_heads/split_query_key_value_and_split_heads.hpp"
#include "zoo/op_args.hpp"
#include "zoo/unpackaged_ops.hpp"

namespace zoo::conformance {

namespace {

using ttnn::DataType;
using ttnn::Layout;
using ttnn::MeshDevice;
using ttnn::TensorMemoryLayout;

constexpr Layout kRows = Layout::ROW_MAJOR;

ttnn::prim::LayerNormProgramConfig layer_norm_config(std::size_t block_w, std::size_t block_h, std::size_t subblock_w) {
    return ttnn::prim::LayerNormShardedMultiCoreProgramConfig{
        .compute_with_storage_grid_size = {8, 8},
        .subblock_w = subblock_w,
        .block_h = block_h,
        .block_w = block_w,
        .inplace = false};
}

// 512x512 in shards of 64x64, with a config that should say 2, 2, 2.
BadCall sharded_norm(std::string name, std::size_t block_w, std::size_t block_h, std::size_t subblock_w) {
    return {std::move(name), [=](MeshDevice& device) {
                (void)layer_norm(
                    tensor(
                        device, {1, 1, 512, 512}, DataType::BFLOAT16, Layout::TILE,
                        sharded(TensorMemoryLayout::BLOCK_SHARDED, 8, 8, 64, 64)),
                    {.program_config = layer_norm_config(block_w, block_h, subblock_w)});
            }};
}

BadCall attention(
    std::string name, std::vector<std::uint32_t> q, std::vector<std::uint32_t> k, std::vector<std::uint32_t> v) {
    return {std::move(name), [=](MeshDevice& device) {
                (void)ttnn::transformer::scaled_dot_product_attention(
                    tensor(device, q), tensor(device, k), tensor(device, v), std::nullopt, true);
            }};
}

}  // namespace

std::vector<BadCall> bad_layer_ops() {
    return {
        {"add: shapes that do not broadcast",
         [](MeshDevice& device) {
             (void)ttnn::add(tensor(device, {1, 1, 64, 64}), tensor(device, {1, 1, 64, 96}));
         }},
        {"add: batches that do not broadcast",
         [](MeshDevice& device) {
             (void)ttnn::add(tensor(device, {1, 2, 64, 64}), tensor(device, {1, 3, 64, 64}));
         }},
        {"multiply: in place into the smaller operand",
         [](MeshDevice& device) {
             (void)ttnn::multiply_(tensor(device, {1, 1, 1, 64}), tensor(device, {1, 1, 64, 64}));
         }},
        {"add: result that does not fit into L1",
         [](MeshDevice& device) {
             (void)ttnn::add(
                 tensor(device, {1, 1, 16384, 8192}), tensor(device, {1, 1, 16384, 8192}), std::nullopt,
                 interleaved_l1());
         }},
        {"typecast: block floats in row-major layout",
         [](MeshDevice& device) {
             (void)ttnn::typecast(tensor(device, {64, 64}, DataType::BFLOAT16, kRows), DataType::BFLOAT8_B);
         }},
        {"layer_norm: weight of another width",
         [](MeshDevice& device) {
             (void)layer_norm(tensor(device, {1, 1, 64, 64}), {.weight = tensor(device, {1, 96})});
         }},
        {"layer_norm: bias of another width",
         [](MeshDevice& device) {
             (void)layer_norm(
                 tensor(device, {1, 1, 64, 64}), {.weight = tensor(device, {1, 64}), .bias = tensor(device, {1, 96})});
         }},
        {"layer_norm: residual of another shape",
         [](MeshDevice& device) {
             (void)layer_norm(tensor(device, {1, 1, 64, 64}), {.residual = tensor(device, {1, 1, 96, 64})});
         }},
        {"layer_norm: integers",
         [](MeshDevice& device) {
             (void)layer_norm(tensor(device, {1, 1, 64, 64}, DataType::UINT32), {});
         }},
        sharded_norm("layer_norm, sharded: blocks wider than the shards", 4, 2, 2),
        sharded_norm("layer_norm, sharded: blocks higher than the shards", 2, 4, 2),
        sharded_norm("layer_norm, sharded: subblock that does not divide the block", 2, 2, 3),
        {"layer_norm, sharded: config for an interleaved input",
         [](MeshDevice& device) {
             (void)layer_norm(tensor(device, {1, 1, 512, 512}), {.program_config = layer_norm_config(2, 2, 2)});
         }},
        {"softmax: dimension out of range",
         [](MeshDevice& device) {
             (void)ttnn::softmax(tensor(device, {1, 1, 64, 64}), 4);
         }},
        {"softmax: integers",
         [](MeshDevice& device) {
             (void)ttnn::softmax(tensor(device, {1, 1, 64, 64}, DataType::UINT32), -1);
         }},
        {"scale_mask_softmax: mask of another width",
         [](MeshDevice& device) {
             (void)ttnn::scale_mask_softmax(tensor(device, {2, 4, 64, 64}), 0.125F, tensor(device, {2, 1, 1, 96}));
         }},
        {"scale_mask_softmax: mask for another batch",
         [](MeshDevice& device) {
             (void)ttnn::scale_mask_softmax(tensor(device, {2, 4, 64, 64}), 0.125F, tensor(device, {3, 1, 1, 64}));
         }},
        {"softmax in place, sharded: blocks wider than the shards",
         [](MeshDevice& device) {
             (void)ttnn::softmax_in_place(
                 tensor(
                     device, {1, 64, 64, 64}, DataType::BFLOAT16, Layout::TILE,
                     sharded(TensorMemoryLayout::HEIGHT_SHARDED, 8, 8, 64, 64)),
                 -1,
                 ttnn::SoftmaxShardedMultiCoreProgramConfig{
                     .compute_with_storage_grid_size = {8, 8}, .subblock_w = 4, .block_h = 2, .block_w = 4});
         }},
        {"embedding: signed indices",
         [](MeshDevice& device) {
             (void)ttnn::embedding(
                 tensor(device, {1, 64}, DataType::INT32, kRows), tensor(device, {100, 64}, DataType::BFLOAT16, kRows));
         }},
        {"embedding: weights in block floats",
         [](MeshDevice& device) {
             (void)ttnn::embedding(
                 tensor(device, {1, 64}, DataType::UINT32, kRows), tensor(device, {128, 64}, DataType::BFLOAT8_B));
         },
         "the real library untilizes them to bfloat16 first; the embedded device does not"},
        {"embedding: weights of rank four with batch",
         [](MeshDevice& device) {
             (void)ttnn::embedding(
                 tensor(device, {1, 64}, DataType::UINT32, kRows),
                 tensor(device, {2, 1, 128, 64}, DataType::BFLOAT16, kRows));
         }},
        {"split heads: width that three times the heads do not divide",
         [](MeshDevice& device) {
             (void)ttnn::transformer::split_query_key_value_and_split_heads(
                 tensor(device, {1, 64, 3 * 96}), std::nullopt, 5, std::nullopt, true, std::nullopt);
         }},
        {"split heads: rank four",
         [](MeshDevice& device) {
             (void)ttnn::transformer::split_query_key_value_and_split_heads(
                 tensor(device, {1, 1, 64, 384}), std::nullopt, 4, std::nullopt, true, std::nullopt);
         }},
        {"concatenate heads: rank three",
         [](MeshDevice& device) {
             (void)ttnn::transformer::concatenate_heads(tensor(device, {4, 64, 32}));
         }},
        attention("sdpa: heads of another width", {1, 4, 64, 64}, {1, 4, 64, 32}, {1, 4, 64, 64}),
        attention("sdpa: keys and values of different length", {1, 4, 64, 64}, {1, 4, 64, 64}, {1, 4, 96, 64}),
        attention("sdpa: rank three", {4, 64, 64}, {4, 64, 64}, {4, 64, 64}),
        {"sdpa: causal and with a mask",
         [](MeshDevice& device) {
             (void)ttnn::transformer::scaled_dot_product_attention(
                 tensor(device, {1, 4, 64, 64}), tensor(device, {1, 4, 64, 64}), tensor(device, {1, 4, 64, 64}),
                 tensor(device, {1, 1, 64, 64}), true);
         }},
        {"sdpa: row-major queries",
         [](MeshDevice& device) {
             (void)ttnn::transformer::scaled_dot_product_attention(
                 tensor(device, {1, 4, 64, 64}, DataType::BFLOAT16, kRows), tensor(device, {1, 4, 64, 64}),
                 tensor(device, {1, 4, 64, 64}), std::nullopt, true);
         }},
    };
}

}  // namespace zoo::conformance
