// SPDX-License-Identifier: Apache-2.0
#include "models/albert/weights.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <ttnn/device.hpp>
#include <ttnn_cpu/memory_statistics.hpp>

#include "models/albert/preprocess.hpp"
#include "zoo/error.hpp"

namespace zoo::albert {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using Named = std::vector<std::pair<std::string, const HostTensor*>>;

class AlbertWeights : public ::testing::Test {
protected:
    AlbertWeights() : file_(std::filesystem::path(::testing::TempDir()) / ("albert_" + test_name() + ".safetensors")) {}
    ~AlbertWeights() override { std::filesystem::remove(file_); }

    static std::string test_name() { return ::testing::UnitTest::GetInstance()->current_test_info()->name(); }

    // All tensors of a file by name, each name passed through `rename`; an empty name leaves the tensor out.
    template <class Rename>
    void rewrite(const Rename& rename) {
        const auto checkpoint = open_checkpoint(file_);
        std::vector<std::pair<std::string, HostTensor>> kept;
        for (const TensorInfo& info : checkpoint->tensors()) {
            if (const std::string name = rename(info.name); !name.empty()) {
                kept.emplace_back(name, checkpoint->load(info.name));
            }
        }
        Named named;
        for (const auto& [name, tensor] : kept) {
            named.emplace_back(name, &tensor);
        }
        save_safetensors(file_, named);
    }

    Weights loaded() const { return load(*open_checkpoint(file_), config_); }

    std::string load_error() const {
        try {
            (void)loaded();
        } catch (const Error& error) {
            return error.what();
        }
        return "no error";
    }

    Config config_ = preset("albert-tiny");
    std::filesystem::path file_;
};

TEST_F(AlbertWeights, RandomRoundTripsThroughAFile) {
    const Weights weights = random(config_, 42);
    save(file_, weights, config_);
    const Weights back = loaded();
    ASSERT_EQ(back.groups.size(), 1U);
    EXPECT_EQ(back.groups[0][0].attention.query.weight.data, weights.groups[0][0].attention.query.weight.data);
    EXPECT_EQ(back.embedding_hidden_mapping.weight.data, weights.embedding_hidden_mapping.weight.data);
    EXPECT_EQ(back.predictions->bias.data, weights.predictions->bias.data);
    EXPECT_EQ(back.pooler->weight.data, weights.pooler->weight.data);
}

TEST_F(AlbertWeights, NamesAreHuggingFaces) {
    save(file_, random(config_, 1), config_);
    const auto checkpoint = open_checkpoint(file_);
    for (const char* name :
         {"albert.embeddings.word_embeddings.weight", "albert.embeddings.LayerNorm.bias",
          "albert.encoder.embedding_hidden_mapping_in.weight",
          "albert.encoder.albert_layer_groups.0.albert_layers.0.attention.query.weight",
          "albert.encoder.albert_layer_groups.0.albert_layers.0.attention.dense.bias",
          "albert.encoder.albert_layer_groups.0.albert_layers.0.attention.LayerNorm.weight",
          "albert.encoder.albert_layer_groups.0.albert_layers.0.ffn.weight",
          "albert.encoder.albert_layer_groups.0.albert_layers.0.ffn_output.weight",
          "albert.encoder.albert_layer_groups.0.albert_layers.0.full_layer_layer_norm.weight", "albert.pooler.weight",
          "classifier.bias", "qa_outputs.weight", "predictions.dense.weight", "predictions.LayerNorm.bias",
          "predictions.bias"}) {
        EXPECT_TRUE(checkpoint->contains(name)) << name;
    }
}

TEST_F(AlbertWeights, ReadsNamesWithoutThePrefixAndSkipsTheTiedDecoder) {
    const Weights weights = random(config_, 5);
    save(file_, weights, config_);
    rewrite([](const std::string& name) {
        if (name == "qa_outputs.weight") {
            return std::string("predictions.decoder.weight");  // of whatever shape
        }
        return name == "qa_outputs.bias" ? std::string("sop_classifier.classifier.bias")
                                         : (name.starts_with("albert.") ? name.substr(7) : name);
    });
    const Weights back = loaded();
    EXPECT_EQ(back.groups[0][0].feed_forward.output.weight.data, weights.groups[0][0].feed_forward.output.weight.data);
    EXPECT_TRUE(back.pooler && back.predictions && back.classifier);
    EXPECT_FALSE(back.qa_outputs.has_value());
}

TEST_F(AlbertWeights, ListsEveryProblemInOneMessage) {
    save(file_, random(config_, 9), config_);
    rewrite([](const std::string& name) {
        if (name.ends_with("attention.key.bias") || name == "predictions.bias") {
            return std::string();
        }
        return name == "albert.pooler.bias" ? std::string("albert.encoder.albert_layer_groups.1.x") : name;
    });
    EXPECT_THAT(
        load_error(),
        AllOf(
            HasSubstr("attention.key.bias"), HasSubstr("predictions.bias"), HasSubstr("albert.pooler.bias"),
            HasSubstr("albert_layer_groups.1.x"), Not(HasSubstr("qa_outputs"))));
}

TEST_F(AlbertWeights, GroupsAndInnerLayersHaveWeightsOfTheirOwn) {
    config_.num_hidden_groups = 3;
    config_.inner_group_num = 2;
    const Weights weights = random(config_, 3);
    ASSERT_EQ(weights.groups.size(), 3U);
    ASSERT_EQ(weights.groups[2].size(), 2U);
    EXPECT_NE(weights.groups[0][0].attention.key.weight.data, weights.groups[0][1].attention.key.weight.data);
    save(file_, weights, config_);
    EXPECT_EQ(loaded().groups[2][1].attention.key.weight.data, weights.groups[2][1].attention.key.weight.data);
}

// The device's own account: more layers are more work, not more memory.
TEST(AlbertPreprocess, SharedLayersAreStoredOnce) {
    const auto dram_of = [](std::int64_t layers) {
        const auto device = ttnn::open_mesh_device(0);
        Config config = preset("albert-base-v2");
        config.vocab_size = 1000;
        config.num_hidden_layers = layers;
        const Weights weights = random(config, 4);
        const std::uint64_t before = ttnn_cpu::memory_statistics(*device).dram_allocated;
        const Parameters parameters = preprocess(config, weights, functional_format(), *device);
        return ttnn_cpu::memory_statistics(*device).dram_allocated - before;
    };
    const std::uint64_t one = dram_of(1);
    EXPECT_EQ(dram_of(12), one);
    EXPECT_GT(one, 14'000'000U / 12U) << "a layer of albert-base-v2 has 7.1 million parameters";
}

}  // namespace
}  // namespace zoo::albert
