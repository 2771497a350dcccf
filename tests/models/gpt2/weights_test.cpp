// SPDX-License-Identifier: Apache-2.0
// Configs and checkpoints of GPT-2: what is read, what is refused.
#include "models/gpt2/weights.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "models/gpt2/config.hpp"
#include "support/throws.hpp"

namespace {

using namespace zoo;
using gpt2::Config;

class Gpt2Files : public ::testing::Test {
protected:
    void SetUp() override {
        directory_ = std::filesystem::temp_directory_path() /
                     ("zoo.gpt2." + std::string(::testing::UnitTest::GetInstance()->current_test_info()->name()) + "." +
                      std::to_string(::getpid()));
        std::filesystem::create_directories(directory_);
    }
    void TearDown() override { std::filesystem::remove_all(directory_); }
    std::filesystem::path directory_;
};

Config smallest() { return {.vocab_size = 50, .n_positions = 16, .n_embd = 32, .n_layer = 2, .n_head = 1}; }

TEST_F(Gpt2Files, WeightsSurviveAFile) {
    const Config config = smallest();
    const gpt2::Weights weights = gpt2::random(config, 1);
    const auto file = directory_ / "model.safetensors";
    gpt2::save(file, weights, config);
    const auto checkpoint = open_checkpoint(file);
    // GPT-2's own order of a projection: [in, out].
    EXPECT_EQ(checkpoint->find("h.0.attn.c_attn.weight")->shape, (Shape{32, 96}));
    const gpt2::Weights read = gpt2::load(*checkpoint, config);
    EXPECT_EQ(read.wte.data, weights.wte.data);
    EXPECT_EQ(read.h[1].attn.c_attn.weight.data, weights.h[1].attn.c_attn.weight.data);
    EXPECT_EQ(read.h[1].mlp.c_proj.weight.data, weights.h[1].mlp.c_proj.weight.data);
    EXPECT_EQ(read.ln_f.bias.data, weights.ln_f.bias.data);
}

TEST_F(Gpt2Files, APrefixAndAMaskAreKnown) {
    const Config config = smallest();
    const gpt2::Weights weights = gpt2::random(config, 1);
    gpt2::save(directory_ / "plain.safetensors", weights, config);
    const auto plain = open_checkpoint(directory_ / "plain.safetensors");
    std::vector<HostTensor> tensors;
    std::vector<std::pair<std::string, const HostTensor*>> named;
    tensors.reserve(100);
    for (const TensorInfo& info : plain->tensors()) {
        tensors.push_back(plain->load(info.name));
        named.emplace_back("transformer." + info.name, &tensors.back());
    }
    tensors.push_back(zeros({1, 1, 16, 16}));
    named.emplace_back("transformer.h.0.attn.bias", &tensors.back());
    named.emplace_back("lm_head.weight", named.front().second);
    save_safetensors(directory_ / "prefixed.safetensors", named);
    const gpt2::Weights read = gpt2::load(*open_checkpoint(directory_ / "prefixed.safetensors"), config);
    EXPECT_EQ(read.wte.data, weights.wte.data);
    EXPECT_EQ(read.h[0].mlp.c_fc.weight.data, weights.h[0].mlp.c_fc.weight.data);

    Config wider = config;
    wider.n_layer = 3;
    EXPECT_THROWS_WITH((void)gpt2::load(*plain, wider), "h.2.ln_1.weight");
    wider = config;
    wider.vocab_size = 51;
    EXPECT_THROWS_WITH((void)gpt2::load(*plain, wider), "wte.weight");
}

TEST_F(Gpt2Files, ConfigsAreReadAndChecked) {
    const auto write = [&](std::string_view text) {
        std::ofstream(directory_ / "config.json") << text;
        return directory_ / "config.json";
    };
    const Config read = gpt2::from_json(
        write(R"({"vocab_size": 50257, "n_embd": 768, "n_layer": 12, "n_head": 12, "n_positions": 1024, "n_inner": null,
                  "activation_function": "gelu_new", "layer_norm_epsilon": 1e-05})"));
    EXPECT_EQ(read, gpt2::preset("gpt2"));
    EXPECT_THROWS_WITH((void)gpt2::from_json(write(R"({"vocab_size": 10})")), "n_embd");
    EXPECT_THROWS_WITH((void)gpt2::preset("gpt3"), "gpt2-tiny, gpt2-scripture, gpt2, gpt2-medium");

    const auto with = [](auto change) {
        Config config = smallest();
        change(config);
        return config;
    };
    EXPECT_THROWS_WITH(gpt2::validate(with([](Config& c) { c.n_layer = 0; })), "n_layer is 0");
    EXPECT_THROWS_WITH(
        gpt2::validate(with([](Config& c) { c.n_layer = 1'000'000'000; })), "1000000000; it must be at most 1024");
    EXPECT_THROWS_WITH(
        gpt2::validate(with([](Config& c) { c.n_embd = std::int64_t{1} << 62; })), "it must be at most 1048576");
    EXPECT_THROWS_WITH(gpt2::validate(with([](Config& c) { c.n_head = 3; })), "n_embd 32 over n_head 3");
    EXPECT_THROWS_WITH(gpt2::validate(with([](Config& c) { c.n_embd = 40 * 32, c.n_head = 40; })), "n_head is 40");
    EXPECT_THROWS_WITH(gpt2::validate(with([](Config& c) { c.n_inner = 100; })), "n_inner is 100");
    EXPECT_THROWS_WITH(gpt2::validate(with([](Config& c) { c.activation_function = "relu"; })), "'relu'");
    EXPECT_THROWS_WITH(gpt2::validate(with([](Config& c) { c.tie_word_embeddings = false; })), "tie_word_embeddings");
    EXPECT_THROWS_WITH(gpt2::validate(with([](Config& c) { c.layer_norm_epsilon = 0; })), "layer_norm_epsilon is 0");
}

}  // namespace
