// SPDX-License-Identifier: Apache-2.0
// ttnn::conv2d against libtorch: shapes of the zoo, ways of sharding, data types, slices, prepared weights and replays.
#include <cmath>

#include <ttnn/operations/conv/conv2d/prepare_conv2d_weights.hpp>
#include <ttnn/operations/core/core.hpp>
#include <ttnn/operations/core/to_memory_config/to_memory_config_op.hpp>

#include "conv_fixture.hpp"

namespace {

using namespace op_test;
using tt::tt_metal::MathFidelity;
using ttnn::operations::unary::UnaryOpType;
using ttnn::operations::unary::UnaryWithParam;
using SliceType = ttnn::Conv2dSliceConfig::SliceType;

// Measured: 2.1e-3 to 2.6e-3: one rounding to bfloat16 of the sum and one with the bias.
constexpr Bound kRounding{.pcc = 0.99999, .relative_error = 3.0e-3};
// The same on a card, for at most 864 products a sum.
constexpr Bounds kSmallSums{kRounding, 1.54e-2};
// Measured: 3.1e-3 for silu, with a third rounding.
constexpr Bounds kActivation{{.pcc = 0.99999, .relative_error = 4.0e-3}, 1.47e-2};
// Measured: up to 1.31e-2, for the 24 small blocks of K of a block sharded conv, each rounded to bfloat16.
constexpr Bound kEngine{.pcc = 0.9999, .relative_error = 1.6e-2};
// Measured: 1.5e-2: bfloat8_b activations, weights and results; on the engine up to 1.75e-2 with sums packed to L1.
constexpr Bound kBlockFloat{.pcc = 0.9997, .relative_error = 2.0e-2};
// Measured: 2.9e-2: LoFi keeps 4 fraction bits of the weights.
constexpr Bound kLoFi{.pcc = 0.9995, .relative_error = 3.6e-2};

struct ZooCase {
    ConvCase shape;
    double card;  // the error with the card's 16-bit sums, which grows with their length
};
void PrintTo(const ZooCase& c, std::ostream* os) { *os << c.shape.name; }

class ConvShapes : public ConvTest, public ::testing::WithParamInterface<ZooCase> {};

TEST_P(ConvShapes, AgreesWithTorch) {
    const auto& [shape, card] = GetParam();
    const Bound allowed = bound({kRounding, card});
    const Operands from = operands(shape);
    const Array wanted = expected(shape, from);
    EXPECT_WITHIN(wanted, download(conv(shape, from, pixels(shape, from))), allowed);
    // Padding one pixel off, or no bias at all: the bound sees it.
    EXPECT_FALSE(zoo::test::within(expected(shape, from, false), wanted, allowed));
}

INSTANTIATE_TEST_SUITE_P(
    Zoo, ConvShapes,
    ::testing::Values(
        ZooCase{{"Mnist1", 1, 3, 32, 32, 32, 3, 1, 1}, 4.19e-3},
        ZooCase{{"Mnist2Batch16", 16, 32, 64, 14, 14, 3, 1, 1}, 7.09e-3},
        ZooCase{{"ResnetStem", 1, 3, 64, 224, 224, 7, 2, 3}, 9.44e-3},
        ZooCase{{"ResnetStemFolded", 1, 16, 64, 115, 115, 4, 1, 0}, 6.95e-3},
        ZooCase{{"Resnet56", 1, 64, 64, 56, 56, 3, 1, 1}, 1.37e-2},
        ZooCase{{"Resnet56Strided", 1, 128, 128, 56, 56, 3, 2, 1}, 1.89e-2},
        ZooCase{{"ResnetDownsample", 1, 256, 512, 56, 56, 1, 2, 0}, 7.08e-3},
        ZooCase{{"ResnetPointwise", 1, 64, 256, 56, 56, 1, 1, 0}, 3.97e-3},
        ZooCase{{"Resnet7", 1, 512, 512, 7, 7, 3, 1, 1}, 4.66e-2},
        ZooCase{{"Resnet7Pointwise", 1, 2048, 512, 7, 7, 1, 1, 0}, 2.90e-2},
        ZooCase{{"Resnet14Batch4", 4, 256, 256, 14, 14, 3, 1, 1}, 2.92e-2},
        ZooCase{{"MobilenetStem", 1, 3, 32, 224, 224, 3, 2, 1}, 4.27e-3},
        ZooCase{{"MobilenetDepthwise96", 1, 96, 96, 112, 112, 3, 2, 1, 1, 96}, 5.00e-3},
        ZooCase{{"MobilenetDepthwise144", 1, 144, 144, 56, 56, 3, 1, 1, 1, 144}, 4.99e-3},
        ZooCase{{"MobilenetDepthwise960", 1, 960, 960, 7, 7, 3, 1, 1, 1, 960}, 4.46e-3},
        ZooCase{{"MobilenetProject24", 1, 144, 24, 56, 56, 1, 1, 0}, 4.97e-3},
        ZooCase{{"MobilenetExpand", 1, 24, 144, 56, 56, 1, 1, 0}, 3.49e-3},
        ZooCase{{"YoloStem", 1, 3, 32, 320, 320, 3, 1, 1}, 4.27e-3},
        ZooCase{{"YoloDown", 1, 32, 64, 320, 320, 3, 2, 1}, 7.50e-3},
        ZooCase{{"Yolo10", 1, 512, 1024, 10, 10, 3, 1, 1}, 4.93e-2},
        ZooCase{{"YoloHead255", 1, 256, 255, 40, 40, 1, 1, 0}, 6.98e-3},
        ZooCase{{"Grouped", 1, 64, 64, 20, 20, 3, 1, 1, 1, 4}, 5.91e-3},
        ZooCase{{"Dilated", 1, 32, 32, 28, 28, 3, 1, 2, 2}, 7.82e-3},
        ZooCase{{"FivePixels", 1, 5, 7, 5, 5, 3, 1, 1}, 4.18e-3},
        ZooCase{{"PatchEmbedding", 1, 3, 64, 64, 64, 16, 16, 0}, 1.45e-2}),
    [](const auto& test) { return test.param.shape.name; });

constexpr ConvCase kSmall{"Small", 1, 64, 96, 16, 16, 3, 1, 1};

class ConvSharding : public ConvTest, public ::testing::WithParamInterface<TensorMemoryLayout> {};

TEST_P(ConvSharding, GivesTheSameInL1) {
    const Operands from = operands(kSmall);
    Options options;
    options.config.shard_layout = GetParam();
    options.slices = ttnn::Conv2dSliceConfig{.slice_type = SliceType::L1_FULL};
    const Tensor output = conv(kSmall, from, pixels(kSmall, from), options);
    EXPECT_EQ(output.memory_config().memory_layout(), GetParam());
    EXPECT_EQ(output.layout(), Layout::TILE);
    EXPECT_EQ(output.logical_shape(), (Shape{1, 1, 256, 96}));
    EXPECT_WITHIN(expected(kSmall, from), download(output), bound(kSmallSums));
    // A sharded input stays as it is: the output of one conv is the input of the next.
    const ConvCase next{"Next", 1, 96, 64, 16, 16, 3, 1, 1};
    const Operands more = operands(next);
    const Tensor second = conv(next, more, output);
    EXPECT_EQ(second.memory_config().memory_layout(), GetParam());
}

// Each way of sharding has an order of its own in which the engine meets the products.
TEST_P(ConvSharding, GivesTheSameOnTheEngine) {
    ttnn_cpu::set_numerics(*device_, ttnn_cpu::Numerics::Wormhole);
    const Operands from = operands(kSmall);
    Options options;
    options.config.shard_layout = GetParam();
    EXPECT_WITHIN(expected(kSmall, from), download(conv(kSmall, from, pixels(kSmall, from), options)), kEngine);
    options.config.full_inner_dim = true;
    EXPECT_WITHIN(expected(kSmall, from), download(conv(kSmall, from, pixels(kSmall, from), options)), kEngine);
    options.dtype = DataType::BFLOAT8_B;
    options.config.weights_dtype = DataType::BFLOAT8_B;
    options.compute = ttnn::DeviceComputeKernelConfig{.math_fidelity = MathFidelity::HiFi2, .packer_l1_acc = true};
    EXPECT_WITHIN(expected(kSmall, from), download(conv(kSmall, from, pixels(kSmall, from), options)), kBlockFloat);
}

INSTANTIATE_TEST_SUITE_P(
    Layouts, ConvSharding,
    ::testing::Values(
        TensorMemoryLayout::HEIGHT_SHARDED, TensorMemoryLayout::BLOCK_SHARDED, TensorMemoryLayout::WIDTH_SHARDED),
    [](const auto& test) {
        return test.param == TensorMemoryLayout::HEIGHT_SHARDED  ? "Height"
               : test.param == TensorMemoryLayout::BLOCK_SHARDED ? "Block"
                                                                 : "Width";
    });

using ConvCalls = ConvTest;

// Without a layout, TTNN takes the one that needs the least L1 a core: many pixels are cut by height, many channels in blocks.
TEST_F(ConvCalls, ChoosesTheShardLayout) {
    const auto chosen = [](const ConvCase& c, double card) {
        const Operands from = operands(c);
        Options options;
        options.slices = ttnn::Conv2dSliceConfig{.slice_type = SliceType::L1_FULL};
        const Tensor output = conv(c, from, pixels(c, from), options);
        EXPECT_WITHIN(expected(c, from), download(output), bound({kRounding, card}));
        return output.memory_config().memory_layout();
    };
    EXPECT_EQ(chosen({"Wide", 1, 32, 64, 112, 112, 3, 2, 1}, 7.5e-3), TensorMemoryLayout::HEIGHT_SHARDED);
    EXPECT_EQ(chosen({"Middle", 1, 256, 256, 28, 28, 3, 1, 1}, 3.04e-2), TensorMemoryLayout::BLOCK_SHARDED);
    EXPECT_EQ(chosen({"Deep", 1, 512, 512, 7, 7, 3, 1, 1}, 4.67e-2), TensorMemoryLayout::BLOCK_SHARDED);
}

TEST_F(ConvCalls, BlockFloats) {
    const Operands from = operands(kSmall);
    Options options{.dtype = DataType::BFLOAT8_B};
    options.config.weights_dtype = DataType::BFLOAT8_B;
    const Tensor input = pixels(kSmall, from, {}, Layout::TILE, DataType::BFLOAT8_B);
    const Tensor output = conv(kSmall, from, input, options);
    EXPECT_EQ(output.dtype(), DataType::BFLOAT8_B);
    EXPECT_WITHIN(expected(kSmall, from), download(output), bound({kBlockFloat, 2.88e-2}));
    options.compute = ttnn::DeviceComputeKernelConfig{.math_fidelity = MathFidelity::LoFi};
    EXPECT_WITHIN(expected(kSmall, from), download(conv(kSmall, from, input, options)), kLoFi);
}

TEST_F(ConvCalls, FusedActivations) {
    const Operands from = operands(kSmall);
    const Array plain = expected(kSmall, from);
    const auto with = [&](const UnaryWithParam& activation) {
        Options options;
        options.config.activation = activation;
        return download(conv(kSmall, from, pixels(kSmall, from), options));
    };
    EXPECT_WITHIN(ref::unary("relu", plain), with(UnaryWithParam(UnaryOpType::RELU)), bound(kSmallSums));
    EXPECT_WITHIN(ref::unary("relu6", plain), with(UnaryWithParam(UnaryOpType::RELU6)), bound(kSmallSums));
    EXPECT_WITHIN(
        ref::unary("leaky_relu", plain, 0.1F), with(UnaryWithParam(UnaryOpType::LEAKY_RELU, 0.1F)), bound(kSmallSums));
    EXPECT_WITHIN(ref::unary("mish", plain), with(UnaryWithParam(UnaryOpType::MISH)), bound(kActivation));
    EXPECT_WITHIN(ref::unary("silu", plain), with(UnaryWithParam(UnaryOpType::SILU)), bound(kActivation));
}

TEST_F(ConvCalls, SlicesGiveTheBitsOfTheWhole) {
    const ConvCase c{"Sliced", 1, 16, 32, 64, 96, 3, 1, 1};
    const Operands from = operands(c);
    const Tensor input = pixels(c, from);
    const Array whole = download(conv(c, from, input));
    for (const SliceType type : {SliceType::DRAM_HEIGHT, SliceType::DRAM_WIDTH}) {
        Options options;
        options.slices = ttnn::Conv2dSliceConfig{.slice_type = type, .num_slices = 3};
        const Tensor sliced = conv(c, from, input, options);
        EXPECT_FALSE(sliced.is_sharded());
        EXPECT_TRUE(sliced.memory_config().is_dram());
        EXPECT_WITHIN(whole, download(sliced), (Bound{.pcc = 0.999999, .relative_error = 1e-4}));
        options.config.output_layout = Layout::ROW_MAJOR;
        EXPECT_WITHIN(whole, download(conv(c, from, input, options)), (Bound{.pcc = 0.999999, .relative_error = 1e-4}));
    }
}

TEST_F(ConvCalls, ReturnsWhatIsAskedFor) {
    const Operands from = operands(kSmall);
    const Tensor input = pixels(kSmall, from);
    const Tensor weights = host_weights(from);
    const Tensor bias = host_bias(from);
    const auto only = call(kSmall, input, weights, bias, {});
    EXPECT_EQ(only.index(), 0U);
    const auto sized = call(kSmall, input, weights, bias, {}, true, false);
    ASSERT_EQ(sized.index(), 1U);
    EXPECT_EQ(std::get<1>(std::get<1>(sized)), (std::tuple<uint32_t, uint32_t>{16, 16}));
    const auto prepared = call(kSmall, input, weights, bias, {}, false, true);
    ASSERT_EQ(prepared.index(), 2U);
    const auto all = call(kSmall, input, weights, bias, {}, true, true);
    ASSERT_EQ(all.index(), 3U);
    const auto& [ready_weights, ready_bias] = std::get<1>(std::get<2>(prepared));
    EXPECT_EQ(ready_weights.logical_shape(), (Shape{1, 1, 64 * 9, 96}));
    EXPECT_EQ(ready_weights.layout(), Layout::TILE);
    ASSERT_TRUE(ready_bias.has_value());
    EXPECT_EQ(ready_bias->logical_shape(), (Shape{1, 1, 1, 96}));
    // They are good for the next call.
    const Tensor again = std::get<Tensor>(call(kSmall, input, ready_weights, ready_bias, {}));
    EXPECT_EQ(download(again).data, download(std::get<Tensor>(only)).data);
}

TEST_F(ConvCalls, PreparedWeightsAreThoseOfTheCall) {
    namespace prepare = ttnn::operations::conv::conv2d;
    for (const ConvCase& c :
         {kSmall, ConvCase{"Stem", 1, 3, 64, 64, 64, 7, 2, 3}, ConvCase{"Point", 1, 64, 128, 16, 16, 1, 1, 0},
          ConvCase{"Folded", 1, 3, 64, 64, 64, 16, 16, 0}, ConvCase{"Depthwise", 1, 64, 64, 16, 16, 3, 1, 1, 1, 64}}) {
        const Operands from = operands(c);
        const Tensor input = pixels(c, from);
        Options options;
        options.config.weights_dtype = DataType::BFLOAT16;
        const Tensor weights = prepare::prepare_conv_weights(
            host_weights(from), input.memory_config(), input.layout(), "OIHW", c.in, c.out, c.batch, c.height, c.width,
            {c.kernel, c.kernel}, {c.stride, c.stride}, std::array<uint32_t, 2>{c.padding, c.padding}, {1, 1}, true,
            c.groups, device_.get(), DataType::BFLOAT16, std::nullopt, options.config, std::nullopt, std::nullopt);
        const Tensor bias = prepare::prepare_conv_bias(
            host_bias(from), input.memory_config(), input.layout(), c.in, c.out, c.batch, c.height, c.width,
            {c.kernel, c.kernel}, {c.stride, c.stride}, std::array<uint32_t, 2>{c.padding, c.padding}, {1, 1}, c.groups,
            device_.get(), DataType::BFLOAT16, std::nullopt, options.config, std::nullopt);
        const Array ready = download(std::get<Tensor>(call(c, input, weights, bias, options)));
        EXPECT_EQ(ready.data, download(conv(c, from, input, options)).data) << c.name;
    }
}

TEST_F(ConvCalls, PreparedWeightsServeAllSlices) {
    namespace prepare = ttnn::operations::conv::conv2d;
    const ConvCase c{"Sliced", 1, 96, 160, 50, 50, 3, 1, 1};
    const Operands from = operands(c);
    const Tensor input = pixels(c, from);
    Options options;
    options.config.weights_dtype = DataType::BFLOAT16;
    options.slices = ttnn::Conv2dSliceConfig{.slice_type = SliceType::DRAM_HEIGHT, .num_slices = 4};
    const Tensor weights = prepare::prepare_conv_weights(
        host_weights(from), input.memory_config(), input.layout(), "OIHW", c.in, c.out, c.batch, c.height, c.width,
        {3, 3}, {1, 1}, std::array<uint32_t, 2>{1, 1}, {1, 1}, true, 1, device_.get(), DataType::BFLOAT16, std::nullopt,
        options.config, std::nullopt, *options.slices);
    const Array ready = download(std::get<Tensor>(call(c, input, weights, host_bias(from), options)));
    EXPECT_EQ(ready.data, download(conv(c, from, input, options)).data);
    EXPECT_WITHIN(expected(c, from), ready, bound(kSmallSums));
}

TEST_F(ConvCalls, FreesItsInputWhenAskedTo) {
    const Operands from = operands(kSmall);
    Options options;
    options.config.shard_layout = TensorMemoryLayout::HEIGHT_SHARDED;
    const Array wanted = download(conv(kSmall, from, pixels(kSmall, from), options));
    const Tensor input =
        ttnn::to_memory_config(pixels(kSmall, from), MemoryConfig(TensorMemoryLayout::INTERLEAVED, BufferType::L1));
    const auto before = ttnn_cpu::memory_statistics(*device_).l1_allocated;
    {
        const Tensor kept = conv(kSmall, from, input, options);
        EXPECT_TRUE(input.is_allocated());
        EXPECT_EQ(download(kept).data, wanted.data);
    }
    EXPECT_EQ(ttnn_cpu::memory_statistics(*device_).l1_allocated, before);
    options.config.deallocate_activation = true;
    const Tensor output = conv(kSmall, from, input, options);
    EXPECT_FALSE(input.is_allocated());
    EXPECT_EQ(download(output).data, wanted.data);
}

// The new shards are made while the old ones are there, and then move into the room that those leave.
TEST_F(ConvCalls, FreesAnInputThatItMovesToOtherShards) {
    const Operands from = operands(kSmall);
    const MemoryConfig two_cores(
        TensorMemoryLayout::HEIGHT_SHARDED, BufferType::L1,
        tt::tt_metal::ShardSpec(
            tt::tt_metal::CoreRangeSet(tt::tt_metal::CoreRange({0, 0}, {1, 0})),
            {kSmall.height * kSmall.width / 2, kSmall.in}));
    Options options;
    options.config.shard_layout = TensorMemoryLayout::HEIGHT_SHARDED;
    options.config.reshard_if_not_optimal = true;
    const Array wanted = download(conv(kSmall, from, pixels(kSmall, from, two_cores), options));
    EXPECT_WITHIN(expected(kSmall, from), wanted, bound(kSmallSums));
    options.config.deallocate_activation = true;
    const Tensor input = pixels(kSmall, from, two_cores);
    EXPECT_EQ(download(conv(kSmall, from, input, options)).data, wanted.data);
    EXPECT_FALSE(input.is_allocated());
}

// 8 columns of cores for 4 tiles of output channels: the results of the others are padding.
TEST_F(ConvCalls, FewerOutputChannelsThanColumnsOfCores) {
    const ConvCase c{"Narrowing", 1, 256, 128, 16, 16, 1, 1, 0};
    const Operands from = operands(c);
    const MemoryConfig blocks(
        TensorMemoryLayout::BLOCK_SHARDED, BufferType::L1,
        tt::tt_metal::ShardSpec(tt::tt_metal::CoreRangeSet(tt::tt_metal::CoreRange({0, 0}, {7, 7})), {32, 32}));
    const Tensor output = conv(c, from, pixels(c, from, blocks, Layout::TILE));
    EXPECT_EQ(output.logical_shape(), (Shape{1, 1, 256, 128}));
    EXPECT_WITHIN(expected(c, from), download(output), bound(kSmallSums));
}

TEST_F(ConvCalls, ReplaysWithOtherInput) {
    const Operands from = operands(kSmall);
    Operands other = from;
    other.image = zoo::test::to_bfloat16(zoo::test::normal({1, kSmall.in, kSmall.height, kSmall.width}, 9));
    const auto prepared = call(kSmall, pixels(kSmall, from), host_weights(from), host_bias(from), {}, false, true);
    const auto [weights, bias] = std::get<1>(std::get<2>(prepared));
    expect_replays(*device_, pixels(kSmall, from), pixels(kSmall, other), [&](Tensor& input) {
        return std::get<Tensor>(call(kSmall, input, weights, bias, {}));
    });
}

TEST_F(ConvCalls, SameBitsForAnyNumberOfThreads) {
    const Operands from = operands(kSmall);
    ttnn_cpu::set_num_threads(1);
    const Array one = download(conv(kSmall, from, pixels(kSmall, from)));
    ttnn_cpu::set_num_threads(3);
    EXPECT_EQ(download(conv(kSmall, from, pixels(kSmall, from))).data, one.data);
    ttnn_cpu::set_num_threads(0);
}

}  // namespace
