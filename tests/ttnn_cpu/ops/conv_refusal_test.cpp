// SPDX-License-Identifier: Apache-2.0
// What ttnn::conv2d, fold and batch_norm refuse, and what does not fit the card.
#include <cmath>

#include <ttnn/operations/conv/conv2d/prepare_conv2d_weights.hpp>
#include <ttnn/operations/data_movement/fold/fold.hpp>
#include <ttnn/operations/normalization/batch_norm/batch_norm.hpp>

#include "conv_fixture.hpp"

namespace {

using namespace op_test;
using SliceType = ttnn::Conv2dSliceConfig::SliceType;

constexpr ConvCase kSmall{"Small", 1, 32, 64, 16, 16, 3, 1, 1};

class ConvRefusal : public ConvTest {
protected:
    // The call with other arguments than its tensors have.
    static void convolve(const ConvCase& c, const Options& options = {}) {
        const Operands from = operands(kSmall);
        call(c, pixels(kSmall, from), host_weights(from), host_bias(from), options);
    }
};

TEST_F(ConvRefusal, SizesThatMakeNoConvolution) {
    EXPECT_THROWS_WITH(
        convolve({"Channels", 1, 64, 64, 16, 16, 3, 1, 1}), "is no batch of 1 images of 16x16 with 64 channels");
    EXPECT_THROWS_WITH(convolve({"Pixels", 2, 32, 64, 16, 16, 3, 1, 1}), "is no batch of 2 images");
    EXPECT_EMBEDDED_THROWS_WITH(
        convolve({"Stride", 1, 32, 64, 16, 16, 3, 0, 1}), "must be positive",
        "it divides by the stride, and the process ends");
    EXPECT_EMBEDDED_THROWS_WITH(
        convolve({"Groups", 1, 32, 64, 16, 16, 3, 1, 1, 1, 5}), "must be multiples of groups 5",
        "it rounds the channels of a group down");
    EXPECT_THROWS_WITH(convolve({"Kernel", 1, 32, 64, 16, 16, 19, 1, 1}), "does not fit an input of 16x16");
}

TEST_F(ConvRefusal, WeightsAndBias) {
    const Operands from = operands(kSmall);
    const Tensor input = pixels(kSmall, from);
    const Tensor tiled =
        Tensor::from_vector(from.weights.data, spec_of(shape_of(from.weights.shape), DataType::BFLOAT16, Layout::TILE));
    EXPECT_THROWS_WITH(
        call(kSmall, input, tiled, std::nullopt, {}),
        "Host conv weights layout should be in row_major layout, but it is TILE");
    EXPECT_EMBEDDED_THROWS_WITH(
        call(kSmall, input, host(from.weights, Shape{64, 32, 9, 1}), std::nullopt, {}), "a 3x3 kernel",
        "it takes weights of another kernel");
    EXPECT_THROWS_WITH(
        call(kSmall, input, host_weights(from), host(zoo::test::normal({32}, 1), Shape{1, 1, 1, 32}), {}),
        "Bias must have the same length as output channels: 32 and 64");
    // Weights that were prepared for another way of sharding.
    Options height;
    height.config.shard_layout = TensorMemoryLayout::HEIGHT_SHARDED;
    const auto prepared = call(kSmall, input, host_weights(from), std::nullopt, height, false, true);
    const Tensor weights = std::get<0>(std::get<1>(std::get<2>(prepared)));
    const ConvCase wider{"Wider", 1, 32, 64, 16, 16, 5, 1, 2};
    EXPECT_EMBEDDED_THROWS_WITH(
        call(wider, input, weights, std::nullopt, height), "prepare them with the same arguments",
        "it takes prepared weights as they are");
}

TEST_F(ConvRefusal, Configs) {
    Options options;
    options.config.act_block_h_override = 20;
    EXPECT_EMBEDDED_THROWS_WITH(
        convolve(kSmall, options), "act_block_h_override must be a multiple of 32 (tile height), but it is 20",
        "it divides by the tiles of a block, which are none, and the process ends");
    options = {};
    options.config.output_layout = Layout::ROW_MAJOR;
    options.dtype = DataType::BFLOAT8_B;
    EXPECT_THROWS_WITH(convolve(kSmall, options), "Conv output can't be in Row Major if output dtype is BFloat8_B");
    options = {};
    options.config.override_output_sharding_config = true;
    EXPECT_THROWS_WITH(
        convolve(kSmall, options), "Conv2D DRAM slicing doesn't support override_output_sharding_config");
    options = {};
    options.slices = ttnn::Conv2dSliceConfig{.slice_type = SliceType::DRAM_HEIGHT, .num_slices = 17};
    EXPECT_THROWS_WITH(convolve(kSmall, options), "Number of slices (17) exceeds the maximum allowed (16)");
    options = {};
    options.config.padding_mode = ttnn::operations::sliding_window::PaddingMode::Replicate;
    EXPECT_EMBEDDED_THROWS_WITH(convolve(kSmall, options), "padding_mode Replicate is not supported", "it pads so");
    options = {};
    options.config.enable_kernel_stride_folding = true;
    EXPECT_THROWS_WITH(
        convolve({"Fold", 1, 32, 64, 16, 16, 3, 5, 0}, options),
        "Stride must be less than or equal to kernel size: 5 and 3");
}

TEST_F(ConvRefusal, PreparingBiasNeedsItsDataType) {
    namespace prepare = ttnn::operations::conv::conv2d;
    const Operands from = operands(kSmall);
    EXPECT_THROWS_WITH(
        (void)prepare::prepare_conv_bias(
            host_bias(from), {}, Layout::ROW_MAJOR, 32, 64, 1, 16, 16, {3, 3}, {1, 1}, std::array<uint32_t, 2>{1, 1},
            {1, 1}, 1, device_.get(), DataType::BFLOAT16, std::nullopt, std::nullopt, std::nullopt),
        "prepare_conv_bias requires conv_config.weights_dtype to be set");
}

// The halo's and the reader's tables are in L1_SMALL; without any the conv does not run, unless they go to DRAM.
TEST(ConvMemory, NeedsSmallL1) {
    struct Fixture : ConvTest {
        void TestBody() override {}
        static void run() {
            device_ = ttnn::open_mesh_device(0, 0);
            const Operands from = operands(kSmall);
            const Tensor input = pixels(kSmall, from);
            EXPECT_THROWS_WITH(conv(kSmall, from, input), "L1_SMALL");
            Options options;
            options.config.config_tensors_in_dram = true;
            EXPECT_EQ(conv(kSmall, from, input, options).logical_shape(), (Shape{1, 1, 256, 64}));
            device_.reset();
        }
    };
    Fixture::run();
}

// Some L1_SMALL, and less than the tables take: the message has both sizes.
TEST(ConvMemory, SmallL1ThatIsTooSmall) {
    struct Fixture : ConvTest {
        void TestBody() override {}
        static void run() {
            device_ = ttnn::open_mesh_device(0, 64);
            const ConvCase large{"Large", 1, 32, 32, 128, 128, 3, 1, 1};
            const Operands from = operands(large);
            EXPECT_THROWS_WITH(conv(large, from, pixels(large, from)), "B L1_SMALL buffer across");
            EXPECT_THROWS_WITH(conv(large, from, pixels(large, from)), "but bank size is 64 B");
            device_.reset();
        }
    };
    Fixture::run();
}

// A whole large image in L1 at once: its circular buffers reach into the tensors.
TEST_F(ConvRefusal, WhatDoesNotFitL1) {
    SKIP_UNLESS_WORMHOLE(*device_);
    const ConvCase large{"Large", 1, 64, 64, 320, 320, 3, 1, 1};
    const Operands from = operands(large);
    const Tensor input = pixels(large, from);
    Options options;
    options.config.shard_layout = TensorMemoryLayout::HEIGHT_SHARDED;
    options.slices = ttnn::Conv2dSliceConfig{.slice_type = SliceType::L1_FULL};
    EXPECT_THROWS_WITH(conv(large, from, input, options), "Statically allocated circular buffers");
    // In slices it does.
    options.slices.reset();
    EXPECT_EQ(conv(large, from, input, options).logical_shape(), (Shape{1, 1, 320 * 320, 64}));
}

TEST_F(ConvRefusal, Fold) {
    const Tensor images = upload(zoo::test::normal({1, 16, 16, 8}, 1), DataType::BFLOAT16, {}, Layout::ROW_MAJOR);
    EXPECT_THROWS_WITH((void)ttnn::fold(images, 3, 2), "16x16 must be divisible by the strides 3x2");
    EXPECT_EMBEDDED_THROWS_WITH(
        (void)ttnn::fold(images, 3, 2, true), "32x32, padded to whole tiles, must be divisible by the strides 3x2",
        "it reshapes to fewer elements");
    EXPECT_THROWS_WITH(
        (void)ttnn::fold(images, 2, 2, true, std::nullopt, std::array<uint32_t, 2>{0, 0}, {}, {}, true),
        "collapse_output=True is not supported");
    EXPECT_EMBEDDED_THROWS_WITH(
        (void)ttnn::fold(images, 2, 0), "must be positive", "it divides by the stride, and the process ends");
    const Tensor blocks = upload(
        zoo::test::normal({1, 1, 64, 64}, 1), DataType::BFLOAT16,
        sharded(TensorMemoryLayout::BLOCK_SHARDED, {32, 32}, {2, 2}), Layout::ROW_MAJOR);
    EXPECT_EMBEDDED_THROWS_WITH(
        (void)ttnn::fold(blocks, 1, 2), "fold op does not support non height-sharding!", "it takes these shards");
}

TEST_F(ConvRefusal, BatchNorm) {
    const Tensor input = upload(zoo::test::normal({1, 8, 32, 32}, 1));
    const Tensor channels = upload(zoo::test::uniform({1, 8, 1, 1}, 2, 0.5F, 1.0F));
    const Tensor fewer = upload(zoo::test::uniform({1, 4, 1, 1}, 2, 0.5F, 1.0F));
    EXPECT_THROWS_WITH((void)ttnn::batch_norm(input), "must be defined in evaluation mode");
    EXPECT_EMBEDDED_THROWS_WITH(
        (void)ttnn::batch_norm(input, channels, channels, true), "training is not supported", "it trains");
    EXPECT_THROWS_WITH(
        (void)ttnn::batch_norm(input, fewer, channels),
        "running_mean[1] must be the same as input's channel size: 4 and 8");
    const Tensor floats = upload(zoo::test::uniform({1, 8, 1, 1}, 2, 0.5F, 1.0F), DataType::FLOAT32);
    EXPECT_THROWS_WITH(
        (void)ttnn::batch_norm(input, channels, floats),
        "running_var dtype (FLOAT32) must match other parameter tensors");
}

}  // namespace
