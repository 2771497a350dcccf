// SPDX-License-Identifier: Apache-2.0
#include "zoo/conv.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <ttnn_cpu/device_options.hpp>

#include "support/device.hpp"
#include "support/matchers.hpp"
#include "support/throws.hpp"
#include "support/torch_bridge.hpp"
#include "zoo/device_tensor.hpp"
#include "zoo/pipeline.hpp"

namespace {

using namespace zoo;
using test::Array;
using test::Bound;
using ttnn::DataType;
using ttnn::Layout;
using ttnn::TensorMemoryLayout;
using ttnn::operations::unary::UnaryOpType;
using ttnn::operations::unary::UnaryWithParam;
namespace ref = test::torch_ref;

// Only the coefficient itself is rounded.
constexpr Bound kExact{.pcc = 1.0 - 1e-12, .relative_error = 0.0};
// The result is rounded to bfloat16: 0.999998 and 0.0022 at worst. On a card the sums have 16 bits.
constexpr test::Bounds kBfloat16{{.pcc = 0.9999975, .relative_error = 0.0026}, 0.0085};
// Weights and result in bfloat8_b, seven bits of mantissa at best: 0.99989 and 0.0152. On a card the sums are kept in bfloat8_b.
constexpr test::Bounds kBfloat8{{.pcc = 0.99987, .relative_error = 0.0182}, 0.0449};

ttnn::MemoryConfig l1() { return ttnn::MemoryConfig{TensorMemoryLayout::INTERLEAVED, ttnn::BufferType::L1}; }

// NCHW as the rows of pixels that TTNN takes.
HostTensor pixels(const Array& nchw) {
    return reshape(ref::to_nhwc(nchw), {1, 1, nchw.shape[0] * nchw.shape[2] * nchw.shape[3], nchw.shape[1]});
}

class ConvTest : public test::DeviceTest {
protected:
    static FeatureMap feature_map(
        const Array& nchw, const ttnn::MemoryConfig& memory = {}, Layout layout = Layout::ROW_MAJOR,
        DataType dtype = DataType::BFLOAT16) {
        return {
            .tensor = from_host(pixels(nchw), {.dtype = dtype, .layout = layout, .memory_config = memory}, &device()),
            .batch = static_cast<std::uint32_t>(nchw.shape[0]),
            .height = static_cast<std::uint32_t>(nchw.shape[2]),
            .width = static_cast<std::uint32_t>(nchw.shape[3]),
            .channels = static_cast<std::uint32_t>(nchw.shape[1])};
    }

    static void expect_close(const Array& nchw, const FeatureMap& found, const Bound& bound) {
        EXPECT_EQ(found.batch, nchw.shape[0]);
        EXPECT_EQ(found.channels, nchw.shape[1]);
        EXPECT_EQ(found.height, nchw.shape[2]);
        EXPECT_EQ(found.width, nchw.shape[3]);
        EXPECT_WITHIN(pixels(nchw), to_host(found.tensor), bound);
    }

    const Array image_ = test::to_bfloat16(test::normal({2, 32, 14, 14}, 1));
    const ConvWeights weights_{
        .weight = test::to_bfloat16(test::normal({64, 32, 3, 3}, 2, 0.0F, 1.0F / 17)),
        .bias = test::to_bfloat16(test::normal({64}, 3))};
    const Array expected_ = ref::conv2d(image_, weights_.weight, weights_.bias, {.stride = {2, 2}, .padding = {1, 1}});
    const Conv2dArgs strided_{.stride = square(2), .padding = all_sides(1)};
};

TEST_F(ConvTest, PlainCallsInDram) {
    const FeatureMap found = conv2d(feature_map(image_), ConvParameters(weights_), strided_);
    EXPECT_FALSE(found.tensor.is_sharded());
    expect_close(expected_, found, bound(kBfloat16));
    const Array wrong = ref::conv2d(image_, weights_.weight, std::nullopt, {.stride = {2, 2}, .padding = {1, 1}});
    EXPECT_OUTSIDE(pixels(wrong), to_host(found.tensor), bound(kBfloat16));
}

TEST_F(ConvTest, ShardedWithBlockFloatsAndAFusedActivation) {
    for (const auto scheme :
         {TensorMemoryLayout::HEIGHT_SHARDED, TensorMemoryLayout::BLOCK_SHARDED, TensorMemoryLayout::WIDTH_SHARDED}) {
        Conv2dArgs args = strided_;
        args.dtype = DataType::BFLOAT8_B;
        args.config.activation = UnaryWithParam(UnaryOpType::RELU);
        args.config.shard_layout = scheme;
        const FeatureMap found = conv2d(feature_map(image_, l1()), ConvParameters(weights_, DataType::BFLOAT8_B), args);
        EXPECT_EQ(found.tensor.memory_config().memory_layout(), scheme);
        EXPECT_EQ(found.tensor.dtype(), DataType::BFLOAT8_B);
        expect_close(ref::unary("relu", expected_), found, bound(kBfloat8));
    }
}

TEST_F(ConvTest, WeightsAreLaidOutOnceAndAgainForAnotherSharding) {
    const ConvParameters parameters(weights_);
    const FeatureMap in_l1 = feature_map(image_, l1());
    for (const auto scheme :
         {TensorMemoryLayout::HEIGHT_SHARDED, TensorMemoryLayout::HEIGHT_SHARDED, TensorMemoryLayout::BLOCK_SHARDED}) {
        Conv2dArgs args = strided_;
        args.config.shard_layout = scheme;
        expect_close(expected_, conv2d(in_l1, parameters, args), bound(kBfloat16));
    }
    const ConvParameters copy = parameters;
    expect_close(expected_, conv2d(feature_map(image_), copy, strided_), bound(kBfloat16));
}

// The input moves twice: into shards, and once more when the memory in front of them is free.
TEST_F(ConvTest, AnInputThatIsConsumedKeepsItsValuesWhileItMoves) {
    for (const auto scheme :
         {TensorMemoryLayout::HEIGHT_SHARDED, TensorMemoryLayout::BLOCK_SHARDED, TensorMemoryLayout::WIDTH_SHARDED}) {
        Conv2dArgs args = strided_;
        args.config.shard_layout = scheme;
        args.config.deallocate_activation = true;
        const FeatureMap input = feature_map(image_, l1());
        expect_close(expected_, conv2d(input, ConvParameters(weights_), args), bound(kBfloat16));
        EXPECT_FALSE(input.tensor.is_allocated());
    }
}

// 25 rows of tiles over 8 rows of cores: the shards pad the input with three more, the output has none of them.
TEST_F(ConvTest, A1x1ConvolutionOnShardsThatPadTheInput) {
    const Array image = test::to_bfloat16(test::normal({1, 64, 28, 28}, 4));
    const ConvWeights weights{
        .weight = test::to_bfloat16(test::normal({128, 64, 1, 1}, 5, 0.0F, 1.0F / 8)),
        .bias = test::to_bfloat16(test::normal({128}, 6))};
    const Array expected = ref::conv2d(image, weights.weight, weights.bias);
    const FeatureMap input = feature_map(image, l1(), Layout::TILE, DataType::BFLOAT8_B);
    Conv2dArgs args;
    args.config.shard_layout = TensorMemoryLayout::BLOCK_SHARDED;
    expect_close(expected, conv2d(input, ConvParameters(weights, DataType::BFLOAT8_B), args), bound(kBfloat8));
    const ttnn_cpu::Numerics before = ttnn_cpu::numerics(device());
    ttnn_cpu::set_numerics(device(), ttnn_cpu::Numerics::Wormhole);
    const FeatureMap exact = conv2d(input, ConvParameters(weights, DataType::BFLOAT8_B), args);
    ttnn_cpu::set_numerics(device(), before);
    expect_close(expected, exact, bound(kBfloat8));
}

TEST_F(ConvTest, GroupsFollowFromTheChannels) {
    const ConvWeights depthwise{
        .weight = test::to_bfloat16(test::normal({32, 1, 3, 3}, 2, 0.0F, 1.0F / 3)), .bias = std::nullopt};
    const Array expected = ref::conv2d(image_, depthwise.weight, std::nullopt, {.padding = {1, 1}, .groups = 32});
    expect_close(
        expected, conv2d(feature_map(image_), ConvParameters(depthwise), {.padding = all_sides(1)}), bound(kBfloat16));
    const ConvWeights five{.weight = zeros({4, 5, 1, 1}), .bias = std::nullopt};
    EXPECT_THROWS_WITH(
        (void)conv2d(feature_map(image_), ConvParameters(five)),
        "the input has 32 channels; the weight [4, 5, 1, 1] takes a multiple of 5");
    EXPECT_THROWS_WITH((void)conv2d(feature_map(image_), ConvParameters()), "the parameters are empty");
    EXPECT_THROWS_WITH(
        ConvParameters({.weight = zeros({4, 5}), .bias = std::nullopt}), "weight is [4, 5]; it must have 4 dimensions");
}

TEST_F(ConvTest, ATraceFindsTheWeightsOnTheDevice) {
    const ConvParameters parameters(weights_, DataType::BFLOAT8_B);
    const FeatureMap shape = feature_map(image_);
    const auto body = [&](std::span<const ttnn::Tensor> inputs) {
        FeatureMap map = shape;
        map.tensor = inputs[0];
        return std::vector{conv2d(map, parameters, strided_).tensor};
    };
    const DeviceFormat rows{.layout = Layout::ROW_MAJOR};
    const HostTensor host = pixels(image_);
    Pipeline pipeline(device(), Mode::Traced, std::vector{tensor_spec(host.shape, rows)}, body);
    const HostTensor found = to_host(pipeline.run(std::vector{from_host(host, rows)}).front());
    EXPECT_WITHIN(pixels(expected_), found, bound(kBfloat8));
}

TEST_F(ConvTest, Pools) {
    const FeatureMap input = feature_map(image_);
    const ref::Pool2d window{.kernel = {3, 3}, .stride = {2, 2}, .padding = {1, 1}};
    expect_close(
        ref::max_pool2d(image_, window),
        max_pool2d(input, {.kernel = square(3), .stride = square(2), .padding = all_sides(1)}), kExact);
    const ref::Pool2d rounded_up{.kernel = {3, 3}, .stride = {2, 2}, .ceil_mode = true};
    expect_close(
        ref::max_pool2d(image_, rounded_up),
        max_pool2d(input, {.kernel = square(3), .stride = square(2), .ceil_mode = true}), kExact);
    expect_close(ref::avg_pool2d(image_, {}), avg_pool2d(input), bound(kBfloat16));
    expect_close(ref::global_avg_pool2d(image_), global_avg_pool2d(input), bound(kBfloat16));
}

TEST_F(ConvTest, Upsample) {
    expect_close(ref::upsample_nearest(image_, 2, 3), upsample(feature_map(image_), {.scale = {2, 3}}), kExact);
}

}  // namespace
