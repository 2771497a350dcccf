// SPDX-License-Identifier: Apache-2.0
#include "models/bert/preprocess.hpp"

#include <gtest/gtest.h>

#include <ttnn/device.hpp>

#include "support/throws.hpp"
#include "zoo/device_tensor.hpp"

namespace zoo::bert {
namespace {

// Two heads of one row each.
AttentionWeights four_numbers() {
    AttentionWeights weights;
    weights.query = {{{2, 2}, {1, 2, 3, 4}}, {{2}, {0.1F, 0.2F}}};
    weights.key = {{{2, 2}, {11, 12, 13, 14}}, {{2}, {1.1F, 1.2F}}};
    weights.value = {{{2, 2}, {21, 22, 23, 24}}, {{2}, {2.1F, 2.2F}}};
    return weights;
}

TEST(BertFuseQueryKeyValue, StackedPutsAllQueriesFirst) {
    const Linear fused = fuse_query_key_value(four_numbers(), 2, QkvOrder::Stacked);
    EXPECT_EQ(fused.weight.shape, (Shape{6, 2}));
    EXPECT_EQ(fused.weight.data, (std::vector<float>{1, 2, 3, 4, 11, 12, 13, 14, 21, 22, 23, 24}));
    EXPECT_EQ(fused.bias.shape, (Shape{6}));
    EXPECT_EQ(fused.bias.data, (std::vector<float>{0.1F, 0.2F, 1.1F, 1.2F, 2.1F, 2.2F}));
}

TEST(BertFuseQueryKeyValue, ByHeadPutsTheThreeOfAHeadTogether) {
    const Linear fused = fuse_query_key_value(four_numbers(), 2, QkvOrder::ByHead);
    EXPECT_EQ(fused.weight.data, (std::vector<float>{1, 2, 11, 12, 21, 22, 3, 4, 13, 14, 23, 24}));
    EXPECT_EQ(fused.bias.data, (std::vector<float>{0.1F, 1.1F, 2.1F, 0.2F, 1.2F, 2.2F}));
}

class BertPreprocess : public ::testing::Test {
protected:
    std::shared_ptr<ttnn::MeshDevice> device_ = ttnn::open_mesh_device(0);
    Config config_ = preset("bert-tiny");
    Weights weights_ = random(config_, 41);
};

TEST_F(BertPreprocess, MatricesAreTransposedTilesInDram) {
    const Parameters parameters = preprocess(config_, weights_, functional_format(), *device_);
    ASSERT_EQ(parameters.layers.size(), 2U);
    const ttnn::Tensor& up = parameters.layers[1].feed_forward.intermediate.weight;
    EXPECT_EQ(up.dtype(), ttnn::DataType::BFLOAT16);
    EXPECT_EQ(up.layout(), ttnn::Layout::TILE);
    EXPECT_EQ(up.memory_config(), ttnn::DRAM_MEMORY_CONFIG);
    const HostTensor back = to_host(up);
    ASSERT_EQ(back.shape, (Shape{128, 512}));
    const HostTensor& original = weights_.layers[1].feed_forward.intermediate.weight;
    for (std::size_t in = 0; in < 128; ++in) {
        for (std::size_t out = 0; out < 512; ++out) {
            const float value = original.data[out * 128 + in];
            ASSERT_NEAR(back.data[in * 512 + out], value, std::abs(value) / 256.0F);
        }
    }
    EXPECT_EQ(to_host(parameters.layers[0].attention.query_key_value.weight).shape, (Shape{128, 384}));
    EXPECT_EQ(to_host(parameters.layers[0].attention.query_key_value.bias).shape, (Shape{1, 384}));
    EXPECT_EQ(to_host(parameters.predictions->decoder.weight).shape, (Shape{128, 1000}));
    EXPECT_EQ(parameters.embeddings.word_embeddings.layout(), ttnn::Layout::ROW_MAJOR);
}

TEST_F(BertPreprocess, OptimizedTakesDtypeAndOrderFromThePlacement) {
    const Placement place = placement_for(config_, 8, 128, device_->compute_with_storage_grid_size());
    ASSERT_EQ(place.qkv_order, QkvOrder::ByHead);
    const Parameters parameters = preprocess(config_, weights_, optimized_format(place), *device_);
    EXPECT_EQ(parameters.layers[0].attention.query_key_value.weight.dtype(), ttnn::DataType::BFLOAT8_B);
    EXPECT_EQ(parameters.layers[0].attention.layer_norm.weight.dtype(), ttnn::DataType::BFLOAT16);
    const HostTensor bias = to_host(parameters.layers[0].attention.query_key_value.bias);
    const HostTensor key = weights_.layers[0].attention.key.bias;
    for (std::size_t i = 0; i < 64; ++i) {
        EXPECT_NEAR(bias.data[64 + i], key.data[i], 1e-3F);
    }
}

TEST_F(BertPreprocess, HeadsThatAreMissingStayMissing) {
    const Weights bare =
        random(config_, 42, {.pooler = false, .qa_outputs = true, .classifier = false, .predictions = false});
    const Parameters parameters = preprocess(config_, bare, functional_format(), *device_);
    EXPECT_FALSE(parameters.pooler.has_value());
    EXPECT_TRUE(parameters.qa_outputs.has_value());
    EXPECT_FALSE(parameters.predictions.has_value());
}

TEST_F(BertPreprocess, InputsBecomeIdsPositionsAndMask) {
    Inputs inputs{
        .batch = 2,
        .sequence = 3,
        .input_ids = {5, 6, 0, 7, 8, 9},
        .token_type_ids = {0, 1, 0, 0, 1, 1},
        .attention_mask = {1, 1, 0, 1, 1, 1}};
    const DeviceInputs on_device = preprocess(config_, inputs, device_.get());
    EXPECT_EQ(on_device.input_ids.to_vector<std::uint32_t>(), inputs.input_ids);
    EXPECT_EQ(on_device.token_type_ids.to_vector<std::uint32_t>(), inputs.token_type_ids);
    EXPECT_EQ(on_device.position_ids.to_vector<std::uint32_t>(), (std::vector<std::uint32_t>{0, 1, 2}));
    const HostTensor mask = to_host(on_device.attention_mask);
    EXPECT_EQ(mask.shape, (Shape{2, 1, 1, 3}));
    EXPECT_EQ(mask.data[1], 0.0F);
    EXPECT_LT(mask.data[2], -90000.0F);
    const HostTensor tokens = to_host(on_device.token_weights);
    EXPECT_EQ(tokens.shape, (Shape{2, 1, 3}));
    EXPECT_EQ(tokens.data, (std::vector<float>{1, 1, 0, 1, 1, 1}));

    inputs.input_ids[0] = 1000;
    EXPECT_THROWS_WITH((void)preprocess(config_, inputs, device_.get()), "input_ids");
}

}  // namespace
}  // namespace zoo::bert
