// SPDX-License-Identifier: Apache-2.0
#include "models/bert/weights.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <filesystem>
#include <map>
#include <numeric>
#include <string>

#include "zoo/error.hpp"

namespace zoo::bert {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

// Named tensors in memory, so that each dialect of names can be tried without a file.
class Memory : public Checkpoint {
public:
    explicit Memory(std::map<std::string, HostTensor> values) : values_(std::move(values)) {
        for (const auto& [name, tensor] : values_) {
            infos_.push_back({name, "F32", tensor.shape});
        }
    }
    [[nodiscard]] const std::vector<TensorInfo>& tensors() const override { return infos_; }
    [[nodiscard]] HostTensor load(std::string_view name) const override { return values_.at(std::string(name)); }
    [[nodiscard]] std::string source() const override { return "memory"; }

private:
    std::map<std::string, HostTensor> values_;
    std::vector<TensorInfo> infos_;
};

class BertWeights : public ::testing::Test {
protected:
    BertWeights() : file_(std::filesystem::path(::testing::TempDir()) / ("bert_" + test_name() + ".safetensors")) {}
    ~BertWeights() override { std::filesystem::remove(file_); }

    static std::string test_name() { return ::testing::UnitTest::GetInstance()->current_test_info()->name(); }

    // All tensors of `weights`, by their Hugging Face names.
    std::map<std::string, HostTensor> named(const Weights& weights) const {
        save(file_, weights, config_);
        const auto checkpoint = open_checkpoint(file_);
        std::map<std::string, HostTensor> out;
        for (const TensorInfo& info : checkpoint->tensors()) {
            out[info.name] = checkpoint->load(info.name);
        }
        return out;
    }

    std::string load_error(std::map<std::string, HostTensor> values) const {
        try {
            (void)load(Memory(std::move(values)), config_);
        } catch (const Error& error) {
            return error.what();
        }
        return "no error";
    }

    Config config_ = preset("bert-tiny");
    std::filesystem::path file_;
};

void expect_same(const std::map<std::string, HostTensor>& a, const std::map<std::string, HostTensor>& b) {
    ASSERT_EQ(a.size(), b.size());
    for (const auto& [name, tensor] : a) {
        ASSERT_TRUE(b.contains(name)) << name;
        const HostTensor& other = b.at(name);
        EXPECT_EQ(tensor.shape, other.shape) << name;
        EXPECT_EQ(std::memcmp(tensor.data.data(), other.data.data(), tensor.data.size() * sizeof(float)), 0) << name;
    }
}

TEST_F(BertWeights, RandomRoundTripsThroughAFileBitForBit) {
    const Weights weights = random(config_, 42);
    save(file_, weights, config_);
    const Weights loaded = load(*open_checkpoint(file_), config_);
    expect_same(named(weights), named(loaded));
    EXPECT_EQ(loaded.layers[1].attention.query.weight.data, weights.layers[1].attention.query.weight.data);
    EXPECT_EQ(loaded.predictions->bias.data, weights.predictions->bias.data);
}

TEST_F(BertWeights, SeedAndNameDecideTheValues) {
    const auto first = named(random(config_, 1));
    expect_same(first, named(random(config_, 1)));
    EXPECT_NE(first.at("bert.pooler.dense.weight").data, named(random(config_, 2)).at("bert.pooler.dense.weight").data);
    // Without the other heads this one stays what it was.
    const Weights few = random(config_, 1, {.pooler = false, .classifier = false, .predictions = false});
    EXPECT_EQ(few.qa_outputs->weight.data, first.at("qa_outputs.weight").data);
    EXPECT_FALSE(few.pooler || few.classifier || few.predictions);
}

TEST_F(BertWeights, RandomValuesHaveTheScalesOfTrainedOnes) {
    const Weights weights = random(preset("minilm-l6"), 3);
    const auto deviation = [](const HostTensor& tensor) {
        const double squares = std::inner_product(tensor.data.begin(), tensor.data.end(), tensor.data.begin(), 0.0);
        return std::sqrt(squares / static_cast<double>(tensor.data.size()));
    };
    EXPECT_NEAR(deviation(weights.layers[0].feed_forward.output.weight), 1.0 / std::sqrt(1536.0), 0.001);
    EXPECT_NEAR(deviation(weights.embeddings.word_embeddings), 0.04, 0.001);
    const std::vector<float>& gamma = weights.layers[0].attention.layer_norm.weight.data;
    EXPECT_NEAR(std::accumulate(gamma.begin(), gamma.end(), 0.0) / 384.0, 1.0, 0.05);
    EXPECT_GT(*std::max_element(gamma.begin(), gamma.end()), 1.4F) << "no channel stands out";
}

TEST_F(BertWeights, ReadsNamesWithoutThePrefix) {
    const Weights weights = random(config_, 5);
    std::map<std::string, HostTensor> bare;
    for (const auto& [name, tensor] : named(weights)) {
        bare[name.starts_with("bert.") ? name.substr(5) : name] = tensor;
    }
    ASSERT_TRUE(bare.contains("encoder.layer.0.output.dense.weight"));
    bare["embeddings.position_ids"] = HostTensor{{1, 128}, std::vector<float>(128)};
    expect_same(named(weights), named(load(Memory(bare), config_)));
}

TEST_F(BertWeights, ReadsOldLayerNormNamesAndSkipsTheTiedDecoder) {
    const Weights weights = random(config_, 6);
    std::map<std::string, HostTensor> old;
    for (const auto& [name, tensor] : named(weights)) {
        std::string spelt = name;
        if (const auto at = spelt.find("LayerNorm.weight"); at != std::string::npos) {
            spelt.replace(at, std::string::npos, "LayerNorm.gamma");
        } else if (const auto bias = spelt.find("LayerNorm.bias"); bias != std::string::npos) {
            spelt.replace(bias, std::string::npos, "LayerNorm.beta");
        }
        old[spelt] = tensor;
    }
    old["cls.predictions.decoder.weight"] = weights.embeddings.word_embeddings;
    old["cls.seq_relationship.weight"] = HostTensor{{2, 128}, std::vector<float>(256)};
    expect_same(named(weights), named(load(Memory(old), config_)));
}

TEST_F(BertWeights, ReadsTensorFlowNamesAndTransposesKernels) {
    const Weights weights = random(config_, 7, {.qa_outputs = false, .classifier = false});
    for (const char* scope : {"module/", ""}) {
        std::map<std::string, HostTensor> values;
        const auto put = [&](const std::string& name, const HostTensor& tensor) { values[scope + name] = tensor; };
        const auto put_dense = [&](const std::string& name, const Linear& linear) {
            put(name + "/kernel", transpose(linear.weight));
            put(name + "/bias", linear.bias);
        };
        const auto put_norm = [&](const std::string& name, const LayerNorm& norm) {
            put(name + "/LayerNorm/gamma", norm.weight);
            put(name + "/LayerNorm/beta", norm.bias);
        };
        put("bert/embeddings/word_embeddings", weights.embeddings.word_embeddings);
        put("bert/embeddings/position_embeddings", weights.embeddings.position_embeddings);
        put("bert/embeddings/token_type_embeddings", weights.embeddings.token_type_embeddings);
        put_norm("bert/embeddings", weights.embeddings.layer_norm);
        for (std::size_t i = 0; i < weights.layers.size(); ++i) {
            const std::string layer = "bert/encoder/layer_" + std::to_string(i);
            const AttentionWeights& attention = weights.layers[i].attention;
            put_dense(layer + "/attention/self/query", attention.query);
            put_dense(layer + "/attention/self/key", attention.key);
            put_dense(layer + "/attention/self/value", attention.value);
            put_dense(layer + "/attention/output/dense", attention.output);
            put_norm(layer + "/attention/output", attention.layer_norm);
            put_dense(layer + "/intermediate/dense", weights.layers[i].feed_forward.intermediate);
            put_dense(layer + "/output/dense", weights.layers[i].feed_forward.output);
            put_norm(layer + "/output", weights.layers[i].feed_forward.layer_norm);
        }
        put_dense("bert/pooler/dense", *weights.pooler);
        put_dense("cls/predictions/transform/dense", weights.predictions->transform);
        put_norm("cls/predictions/transform", weights.predictions->layer_norm);
        put("cls/predictions/output_bias", weights.predictions->bias);
        put("cls/seq_relationship/output_bias", HostTensor{{2}, {0, 0}});
        expect_same(named(weights), named(load(Memory(values), config_)));
    }
}

TEST_F(BertWeights, LoadsTheHeadsThatAreThere) {
    const Weights few = random(config_, 8, {.pooler = false, .classifier = false, .predictions = false});
    const Weights loaded = load(Memory(named(few)), config_);
    EXPECT_TRUE(loaded.qa_outputs.has_value());
    EXPECT_FALSE(loaded.pooler || loaded.classifier || loaded.predictions);
}

TEST_F(BertWeights, ListsEveryProblemInOneMessage) {
    auto values = named(random(config_, 9));
    values.erase("bert.encoder.layer.1.attention.self.key.bias");
    values.erase("cls.predictions.bias");
    values["bert.encoder.layer.2.output.dense.bias"] = HostTensor{{128}, std::vector<float>(128)};
    values["bert.embeddings.token_type_embeddings.weight"] = HostTensor{{3, 128}, std::vector<float>(384)};
    EXPECT_THAT(
        load_error(values), AllOf(
                                HasSubstr("bert.encoder.layer.1.attention.self.key.bias"),
                                HasSubstr("cls.predictions.bias"), HasSubstr("bert.encoder.layer.2.output.dense.bias"),
                                HasSubstr("bert.embeddings.token_type_embeddings.weight"), HasSubstr("[3, 128]"),
                                HasSubstr("[2, 128]"), Not(HasSubstr("bert.pooler"))));
}

TEST_F(BertWeights, RefusesAnInvalidConfig) {
    Config bad = config_;
    bad.hidden_act = "relu";
    EXPECT_THROW((void)random(bad, 1), Error);
}

}  // namespace
}  // namespace zoo::bert
