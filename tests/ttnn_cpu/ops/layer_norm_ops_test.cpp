// SPDX-License-Identifier: Apache-2.0
// ttnn::layer_norm and ttnn::rms_norm against libtorch.
#include <ttnn/operations/normalization/layernorm/layernorm.hpp>
#include <ttnn/operations/normalization/rmsnorm/rmsnorm.hpp>

#include "op_fixture.hpp"
#include "support/printed_name.hpp"
#include "support/torch_bridge.hpp"

namespace {

using namespace op_test;
using ttnn::prim::LayerNormShardedMultiCoreProgramConfig;
using zoo::test::normal;
namespace torch_ref = zoo::test::torch_ref;

// One rounding to bfloat16: 1.7e-3 on average. bfloat8_b: 6e-3 measured. A card reads FLOAT32 as TF32.
Bounds bounds_of(DataType dtype) {
    switch (dtype) {
        case DataType::FLOAT32:
            return {{.pcc = 0.999999, .relative_error = 2e-6}, 1.16e-3};
        case DataType::BFLOAT8_B:
            return {{.pcc = 0.9999, .relative_error = 1e-2}, 8.81e-3};
        default:
            return {{.pcc = 0.99999, .relative_error = 2.5e-3}, 2.01e-3};
    }
}

struct Case {
    zoo::test::Dims shape;
    DataType dtype;
};
void PrintTo(const Case& test, std::ostream* out) {
    *out << zoo::to_string(test.shape) << " " << zoo::test::name_of(test.dtype);
}

class LayerNorm : public OpTest, public ::testing::WithParamInterface<Case> {
protected:
    Array values(std::uint64_t seed) const {
        return rounded(normal(GetParam().shape, seed, 0.5F, 2.0F), GetParam().dtype);
    }
    Array row(std::uint64_t seed) const {
        return rounded(normal({1, 1, 1, GetParam().shape.back()}, seed, 1.0F, 0.5F), DataType::BFLOAT16);
    }
    // torch takes weights of one dimension.
    static Array flat(const Array& array) {
        return {.shape = {static_cast<std::int64_t>(array.data.size())}, .data = array.data};
    }
};

TEST_P(LayerNorm, WithAndWithoutWeightsAndResidual) {
    const Array x = values(1);
    const Array residual = values(2);
    const Array gamma = row(3);
    const Array beta = row(4);
    const DataType dtype = GetParam().dtype;
    EXPECT_WITHIN(
        torch_ref::layer_norm(x, 1e-12F), download(ttnn::layer_norm(upload(x, dtype))), bound(bounds_of(dtype)));
    EXPECT_WITHIN(
        torch_ref::layer_norm(x, 1e-5F, flat(gamma)),
        download(ttnn::layer_norm(upload(x, dtype), 1e-5F, upload(gamma))), bound(bounds_of(dtype)));
    EXPECT_WITHIN(
        torch_ref::layer_norm(x, 1e-12F, flat(gamma), flat(beta), residual),
        download(ttnn::layer_norm(upload(x, dtype), 1e-12F, upload(gamma), upload(beta), upload(residual, dtype))),
        bound(bounds_of(dtype)));
}

TEST_P(LayerNorm, Rms) {
    const Array x = values(5);
    const Array gamma = row(6);
    const Array expected = torch_ref::rms_norm(x, 1e-6F, flat(gamma));
    // By its default config the card adds in 16 bits and leaves bfloat16 behind every step.
    Bounds bounds = bounds_of(GetParam().dtype);
    bounds.card = GetParam().dtype == DataType::BFLOAT8_B ? 1.22e-2 : 5.76e-3;
    const ttnn_cpu::Numerics before = ttnn_cpu::numerics(*device_);
    for (const auto numerics : {ttnn_cpu::Numerics::Fast, ttnn_cpu::Numerics::Wormhole}) {
        ttnn_cpu::set_numerics(*device_, numerics);
        EXPECT_WITHIN(
            expected, download(ttnn::rms_norm(upload(x, GetParam().dtype), 1e-6F, upload(gamma))), bound(bounds));
    }
    ttnn_cpu::set_numerics(*device_, before);
}

TEST_P(LayerNorm, AWrongExpectationIsSeen) {
    const Array x = values(1);
    EXPECT_OUTSIDE(
        torch_ref::rms_norm(x, 1e-12F), download(ttnn::layer_norm(upload(x, GetParam().dtype))),
        bound(bounds_of(GetParam().dtype)));
}

INSTANTIATE_TEST_SUITE_P(
    Shapes, LayerNorm,
    ::testing::Values(
        Case{{1, 384, 1024}, DataType::BFLOAT16}, Case{{1, 384, 1024}, DataType::BFLOAT8_B},
        Case{{8, 128, 768}, DataType::BFLOAT16}, Case{{8, 128, 384}, DataType::BFLOAT8_B},
        Case{{1, 1, 40, 200}, DataType::BFLOAT16}, Case{{2, 3, 40, 200}, DataType::FLOAT32}),
    zoo::test::printed_name);

TEST_F(OpTest, LayerNormOfRowMajorInput) {
    const Array x = rounded(normal({1, 1, 10, 96}, 7), DataType::BFLOAT16);
    const Tensor result = ttnn::layer_norm(upload(x, DataType::BFLOAT16, {}, Layout::ROW_MAJOR), 1e-5F);
    EXPECT_EQ(result.layout(), Layout::ROW_MAJOR);
    EXPECT_WITHIN(torch_ref::layer_norm(x, 1e-5F), download(result), bound(bounds_of(DataType::BFLOAT16)));
}

struct Shards {
    TensorMemoryLayout layout;
    std::array<std::uint32_t, 2> shape;
    CoreCoord grid;
};
void PrintTo(const Shards& shards, std::ostream* out) { *out << shards.shape[0] << "x" << shards.shape[1]; }

class ShardedLayerNorm : public OpTest, public ::testing::WithParamInterface<Shards> {};

TEST_P(ShardedLayerNorm, InPlaceAndNot) {
    const auto& [layout, shape, grid] = GetParam();
    const MemoryConfig memory = sharded(layout, shape, grid);
    const Array x = rounded(normal({1, 1, 128, 256}, 8), DataType::BFLOAT16);
    const Array residual = rounded(normal({1, 1, 128, 256}, 9), DataType::BFLOAT16);
    const Array gamma = rounded(normal({256}, 10), DataType::BFLOAT16);
    const Array as_rows{.shape = {1, 1, 8, 32}, .data = gamma.data};
    const Tensor weight = upload(as_rows, DataType::BFLOAT16, {}, Layout::ROW_MAJOR);
    const Array expected = torch_ref::layer_norm(x, 1e-5F, gamma, gamma, residual);
    for (const bool in_place : {false, true}) {
        const Tensor input = upload(x, DataType::BFLOAT16, memory);
        const LayerNormShardedMultiCoreProgramConfig config{
            .compute_with_storage_grid_size = grid,
            .subblock_w = 1,
            .block_h = shape[0] / 32,
            .block_w = shape[1] / 32,
            .inplace = in_place};
        const Tensor result = ttnn::layer_norm(
            input, 1e-5F, weight, weight, upload(residual, DataType::BFLOAT16, memory), std::nullopt, config);
        EXPECT_EQ(result.buffer() == input.buffer(), in_place);
        EXPECT_EQ(result.memory_config(), memory);
        EXPECT_WITHIN(expected, download(result), bound(bounds_of(DataType::BFLOAT16)));
    }
    // Without a config TTNN takes one from the shards.
    EXPECT_WITHIN(
        torch_ref::layer_norm(x, 1e-5F), download(ttnn::layer_norm(upload(x, DataType::BFLOAT16, memory), 1e-5F)),
        bound(bounds_of(DataType::BFLOAT16)));
}

INSTANTIATE_TEST_SUITE_P(
    Shards, ShardedLayerNorm,
    ::testing::Values(
        Shards{TensorMemoryLayout::BLOCK_SHARDED, {32, 64}, {4, 4}},
        Shards{TensorMemoryLayout::BLOCK_SHARDED, {64, 128}, {2, 2}},
        Shards{TensorMemoryLayout::WIDTH_SHARDED, {128, 32}, {8, 1}}),
    zoo::test::printed_name);

}  // namespace
