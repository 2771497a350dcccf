// SPDX-License-Identifier: Apache-2.0
// Configs and checkpoints of CodeGen, and the order of its fused projection.
#include "models/codegen/weights.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>

#include "models/codegen/config.hpp"
#include "models/codegen/preprocess.hpp"
#include "support/throws.hpp"

namespace {

using namespace zoo;
using codegen::Config;

Config smallest() {
    return {.vocab_size = 50, .n_positions = 16, .n_embd = 128, .n_layer = 1, .n_head = 4, .rotary_dim = 16};
}

TEST(CodeGenWeights, SurviveAFile) {
    const auto directory = std::filesystem::temp_directory_path() / ("zoo.codegen." + std::to_string(::getpid()));
    std::filesystem::create_directories(directory);
    const Config config = smallest();
    const codegen::Weights weights = codegen::random(config, 1);
    codegen::save(directory / "model.safetensors", weights, config);
    const auto checkpoint = open_checkpoint(directory / "model.safetensors");
    EXPECT_FALSE(checkpoint->contains("transformer.h.0.attn.qkv_proj.bias"));
    EXPECT_TRUE(checkpoint->contains("lm_head.bias"));
    const codegen::Weights read = codegen::load(*checkpoint, config);
    EXPECT_EQ(read.h[0].attn.qkv_proj.weight.data, weights.h[0].attn.qkv_proj.weight.data);
    EXPECT_EQ(read.lm_head.bias.data, weights.lm_head.bias.data);
    Config longer = config;
    longer.n_layer = 2;
    EXPECT_THROWS_WITH((void)codegen::load(*checkpoint, longer), "transformer.h.1.ln_1.weight");
    std::ofstream(directory / "config.json")
        << R"({"vocab_size": 51200, "n_embd": 1024, "n_layer": 20, "n_head": 16, "n_positions": 2048, "rotary_dim": 32,
               "n_inner": null, "tie_word_embeddings": false, "activation_function": "gelu_new"})";
    EXPECT_EQ(codegen::from_json(directory / "config.json"), codegen::preset("codegen-350m-mono"));
    std::filesystem::remove_all(directory);
}

// Four parts, each the queries, values and keys of one head here: rows 0, 1, 2 ... of each kind come together.
TEST(CodeGenWeights, QueriesKeysAndValuesAreSorted) {
    const Config config = smallest();
    HostTensor rows = zeros({3 * 128, 1});
    for (std::size_t i = 0; i < rows.data.size(); ++i) {
        const auto part = i / 96;
        const auto kind = i % 96 / 32;  // query, value, key
        rows.data[i] = static_cast<float>(1000 * (kind == 0 ? 0 : kind == 2 ? 1 : 2) + 32 * part + i % 32);
    }
    const HostTensor sorted = codegen::reorder_qkv(config, rows);
    for (std::size_t i = 0; i < sorted.data.size(); ++i) {
        EXPECT_EQ(sorted.data[i], static_cast<float>(1000 * (i / 128) + i % 128));
    }
}

TEST(CodeGenWeights, OnlyTheFirstColumnsTurn) {
    const codegen::Angles angles = codegen::rotary_angles(smallest());
    EXPECT_EQ(angles.cos.shape, (Shape{16, 32}));
    const std::size_t row = 5 * 32;
    EXPECT_NEAR(angles.cos.data[row], std::cos(5.0), 1e-6);
    EXPECT_EQ(angles.cos.data[row], angles.cos.data[row + 1]);
    EXPECT_NEAR(angles.sin.data[row + 3], std::sin(5.0 * std::pow(10000.0, -2.0 / 16)), 1e-6);
    EXPECT_EQ(angles.cos.data[row + 16], 1.0F);
    EXPECT_EQ(angles.sin.data[row + 31], 0.0F);
}

TEST(CodeGenWeights, ConfigsAreChecked) {
    const auto with = [](auto change) {
        Config config = smallest();
        change(config);
        return config;
    };
    EXPECT_NO_THROW(codegen::validate(smallest()));
    EXPECT_THROWS_WITH(codegen::validate(with([](Config& c) { c.n_embd = 64, c.n_head = 2; })), "n_head is 2");
    EXPECT_THROWS_WITH(codegen::validate(with([](Config& c) { c.rotary_dim = 64; })), "rotary_dim is 64");
    EXPECT_THROWS_WITH(codegen::validate(with([](Config& c) { c.rotary_dim = 7; })), "rotary_dim is 7");
    EXPECT_THROWS_WITH((void)codegen::preset("gpt2"), "codegen-tiny, codegen-350m-mono");
}

}  // namespace
