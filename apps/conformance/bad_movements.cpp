// SPDX-License-Identifier: Apache-2.0
#include "conformance/refusals.hpp"
#include "ttnn/operations/core/to_memory_config/to_memory_config_op.hpp"
#include "ttnn/operations/data_movement/concat/concat.hpp"
#include "ttnn/operations/data_movement/pad/pad.hpp"
#include "ttnn/operations/data_movement/permute/permute.hpp"
#include "ttnn/operations/data_movement/reshape_view/reshape.hpp"
#include "ttnn/operations/data_movement/sharded/interleaved_to_sharded/interleaved_to_sharded.hpp"
#include "ttnn/operations/data_movement/slice/slice.hpp"
#include "ttnn/operations/data_movement/transpose/transpose.hpp"
#include "zoo/unpackaged_ops.hpp"

namespace zoo::conformance {

namespace {

using ttnn::DataType;
using ttnn::Layout;
using ttnn::MeshDevice;
using ttnn::TensorMemoryLayout;

constexpr Layout kRows = Layout::ROW_MAJOR;

BadCall to_shards(std::string name, ttnn::MemoryConfig memory, DataType dtype = DataType::BFLOAT16) {
    return {std::move(name), [=](MeshDevice& device) {
                (void)ttnn::interleaved_to_sharded(tensor(device, {1, 1, 512, 512}, dtype), memory, std::nullopt);
            }};
}

BadCall cut(std::string name, std::array<std::uint32_t, 4> begins, std::array<std::uint32_t, 4> ends) {
    return {std::move(name), [=](MeshDevice& device) {
                (void)ttnn::slice(
                    tensor(device, {1, 1, 64, 64}, DataType::BFLOAT16, kRows), begins, ends,
                    std::array<std::uint32_t, 4>{1, 1, 1, 1});
            }};
}

}  // namespace

std::vector<BadCall> bad_movements() {
    using Sharded = TensorMemoryLayout;
    return {
        {"reshape: another number of elements",
         [](MeshDevice& device) {
             (void)ttnn::reshape(tensor(device, {1, 1, 64, 64}), ttnn::Shape({1, 1, 64, 96}));
         }},
        {"permute: dimension out of range",
         [](MeshDevice& device) {
             (void)ttnn::permute(tensor(device, {1, 2, 64, 64}), ttsl::SmallVector<std::int64_t>{0, 1, 2, 4});
         }},
        {"transpose: dimension out of range",
         [](MeshDevice& device) {
             (void)ttnn::transpose(tensor(device, {1, 2, 64, 64}), 1, 5);
         }},
        {"concat: other dimensions differ",
         [](MeshDevice& device) {
             (void)ttnn::concat({tensor(device, {1, 1, 64, 64}), tensor(device, {1, 1, 96, 64})}, 3);
         }},
        {"concat: ranks differ",
         [](MeshDevice& device) {
             (void)ttnn::concat({tensor(device, {1, 1, 64, 64}), tensor(device, {1, 64, 64})}, 0);
         }},
        {"concat: dimension out of range",
         [](MeshDevice& device) {
             (void)ttnn::concat({tensor(device, {1, 1, 64, 64}), tensor(device, {1, 1, 64, 64})}, 4);
         }},
        {"concat: dtypes differ",
         [](MeshDevice& device) {
             (void)ttnn::concat({tensor(device, {1, 1, 64, 64}), tensor(device, {1, 1, 64, 64}, DataType::FLOAT32)}, 0);
         }},
        cut("slice: begins after it ends", {0, 0, 40, 0}, {1, 1, 32, 64}),
        {"slice: fewer bounds than dimensions",
         [](MeshDevice& device) {
             using Bounds = ttsl::SmallVector<std::uint32_t>;
             (void)ttnn::slice(
                 tensor(device, {1, 1, 64, 64}, DataType::BFLOAT16, kRows), Bounds{0, 0}, Bounds{1, 1}, Bounds{1, 1});
         }},
        {"pad: in front, in tiles",
         [](MeshDevice& device) {
             (void)ttnn::pad(
                 tensor(device, {1, 1, 64, 64}),
                 ttsl::SmallVector<std::array<std::uint32_t, 2>>{{0, 0}, {0, 0}, {1, 0}, {0, 0}}, 0.0F);
         }},
        {"split: parts that do not add up",
         [](MeshDevice& device) {
             (void)ttnn::split(tensor(device, {1, 1, 64, 128}), ttsl::SmallVector<std::int64_t>{64, 32}, 3);
         }},
        {"tilize: height that tiles do not divide",
         [](MeshDevice& device) {
             (void)ttnn::tilize(tensor(device, {1, 1, 40, 64}, DataType::BFLOAT16, kRows));
         }},
        to_shards("interleaved_to_sharded: interleaved target", interleaved_l1()),
        to_shards(
            "interleaved_to_sharded: shards that tiles do not divide", sharded(Sharded::HEIGHT_SHARDED, 8, 4, 16, 512)),
        to_shards("interleaved_to_sharded: too few cores", sharded(Sharded::HEIGHT_SHARDED, 4, 1, 64, 512)),
        to_shards("interleaved_to_sharded: cores outside the device", sharded(Sharded::HEIGHT_SHARDED, 16, 1, 32, 512)),
        to_shards(
            "interleaved_to_sharded: shards narrower than the rows", sharded(Sharded::HEIGHT_SHARDED, 8, 1, 64, 256)),
        to_shards(
            "interleaved_to_sharded: shards lower than the columns", sharded(Sharded::WIDTH_SHARDED, 8, 1, 256, 64)),
        {"to_memory_config: more shards than cores",
         [](MeshDevice& device) {
             (void)ttnn::to_memory_config(
                 tensor(device, {1, 1, 512, 512}), sharded(Sharded::BLOCK_SHARDED, 4, 4, 64, 64));
         }},
        {"to_memory_config: larger than L1",
         [](MeshDevice& device) {
             (void)ttnn::to_memory_config(tensor(device, {1, 1, 16384, 8192}), interleaved_l1());
         }},
    };
}

std::vector<BadTensor> bad_tensors() {
    using Sharded = TensorMemoryLayout;
    using ttnn::BufferType;
    const auto tiles = Layout::TILE;
    const auto bf16 = DataType::BFLOAT16;
    return {
        {"tensor: bfloat8_b in rows", {64, 64}, DataType::BFLOAT8_B, kRows},
        {"tensor: bfloat4_b in rows", {64, 64}, DataType::BFLOAT4_B, kRows},
        {"tensor: larger than L1", {1, 1, 16384, 8192}, bf16, tiles, interleaved_l1()},
        {"tensor: larger than DRAM", {1, 64, 65536, 4096}, bf16, tiles},
        {"tensor: more shards than cores, by height",
         {1, 1, 512, 64},
         bf16,
         tiles,
         sharded(Sharded::HEIGHT_SHARDED, 4, 1, 64, 64)},
        {"tensor: more shards than cores, by width",
         {1, 1, 64, 512},
         bf16,
         tiles,
         sharded(Sharded::WIDTH_SHARDED, 4, 1, 64, 64)},
        {"tensor: more blocks than cores",
         {1, 1, 512, 512},
         bf16,
         tiles,
         sharded(Sharded::BLOCK_SHARDED, 4, 8, 64, 64)},
        {"tensor: shards that tiles do not divide",
         {1, 1, 512, 64},
         bf16,
         tiles,
         sharded(Sharded::HEIGHT_SHARDED, 8, 4, 16, 64)},
        {"tensor: shards that tiles do not divide in width",
         {1, 1, 64, 512},
         bf16,
         tiles,
         sharded(Sharded::WIDTH_SHARDED, 8, 4, 64, 16)},
        {"tensor: shard on a core outside the device",
         {1, 1, 512, 64},
         bf16,
         tiles,
         sharded(Sharded::HEIGHT_SHARDED, 16, 1, 32, 64),
         "the real library finds out only when a program is sent to the core"},
        {"tensor: shards larger than L1",
         {1, 1, 65536, 1024},
         bf16,
         tiles,
         sharded(Sharded::HEIGHT_SHARDED, 8, 8, 1024, 1024)},
        {"tensor: height-sharded, shards narrower than the rows",
         {1, 1, 512, 128},
         bf16,
         tiles,
         sharded(Sharded::HEIGHT_SHARDED, 8, 2, 64, 64)},
        {"tensor: width-sharded, shards lower than the columns",
         {1, 1, 128, 512},
         bf16,
         tiles,
         sharded(Sharded::WIDTH_SHARDED, 8, 2, 64, 64)},
        {"tensor: sharded without a shard spec",
         {1, 1, 64, 64},
         bf16,
         tiles,
         ttnn::MemoryConfig(Sharded::HEIGHT_SHARDED, BufferType::L1)},
    };
}

}  // namespace zoo::conformance
