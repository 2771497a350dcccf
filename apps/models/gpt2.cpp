// SPDX-License-Identifier: Apache-2.0
#include "models/gpt2.hpp"

#include <filesystem>

#include <fmt/format.h>

#include "causal/causal_app.hpp"
#include "causal/causal_network.hpp"
#include "models/gpt2/runner.hpp"
#include "models/gpt2/ttnn_gpt2.hpp"
#include "models/gpt2/ttnn_optimized_gpt2.hpp"
#include "zoo/checkpoint.hpp"
#include "zoo/device_tensor.hpp"
#ifdef ZOO_WITH_TORCH
#include "models/gpt2/torch_gpt2.hpp"
#endif

namespace zoo::apps {

namespace {

// The model's namespace as a type.
struct Model {
    using Config = gpt2::Config;
    using Weights = gpt2::Weights;
    using Runner = gpt2::Runner;
    static Config preset(const std::string& name) { return gpt2::preset(name); }
    static Config from_json(const std::filesystem::path& file) { return gpt2::from_json(file); }
    static Weights load(const Checkpoint& checkpoint, const Config& config) { return gpt2::load(checkpoint, config); }
    static Weights random(const Config& config, std::uint64_t seed) { return gpt2::random(config, seed); }
    // Integers that older files carry and nobody needs.
    static inline const std::vector<std::string> kMasks{"*.attn.bias", "*.attn.masked_bias"};
};
using Network = CausalNetwork<Model>;

#ifdef ZOO_WITH_TORCH

// The text and parameters of a check, kept while its modules run.
struct Checked : CheckedText {
    std::shared_ptr<Network> network;
    gpt2::Placement place;
    gpt2::Parameters plain;
    gpt2::Parameters tuned;

    using CheckedText::CheckedText;
    [[nodiscard]] ttnn::Tensor in_dram() const { return placed(ttnn::DRAM_MEMORY_CONFIG); }
    [[nodiscard]] ttnn::Tensor in_l1() const { return placed(place.activations); }
};

std::vector<CheckedModule> modules_of(Checked& c) {
    namespace golden = gpt2::golden;
    namespace functional = gpt2::functional;
    namespace optimized = gpt2::optimized;
    const gpt2::Config& config = c.network->config;
    const gpt2::Weights& weights = c.network->weights;
    return {
        {"embeddings", [&] { return golden::embeddings(config, weights, c.ids); },
         [&] { return to_host(functional::embeddings(config, c.plain, c.inputs)); },
         [&] { return to_host(optimized::embeddings(config, c.tuned, c.place, c.inputs)); }},
        {"attention", [&] { return golden::attention(config, weights.h[0].attn, c.hidden); },
         [&] { return to_host(functional::attention(config, c.plain.h[0].attn, c.in_dram(), c.caches[0], 0)); },
         [&] { return to_host(optimized::attention(config, c.tuned.h[0].attn, c.place, c.in_l1(), c.caches[0], 0)); }},
        {"mlp", [&] { return golden::mlp(config, weights.h[0].mlp, c.hidden); },
         [&] { return to_host(functional::mlp(config, c.plain.h[0].mlp, c.in_dram())); },
         [&] { return to_host(optimized::mlp(config, c.tuned.h[0].mlp, c.place, c.in_l1())); }},
        {"block", [&] { return golden::block(config, weights.h[0], c.hidden); },
         [&] { return to_host(functional::block(config, c.plain.h[0], c.in_dram(), c.caches[0], 0)); },
         [&] { return to_host(optimized::block(config, c.tuned.h[0], c.place, c.in_l1(), c.caches[0], 0)); }},
        {"gpt2", [&] { return golden::gpt2(config, weights, c.ids); },
         [&] { return to_host(functional::gpt2(config, c.plain, c.caches, c.inputs, 0)); },
         [&] { return to_host(optimized::gpt2(config, c.tuned, c.place, c.caches, c.inputs, 0)); }},
        {"logits", [&] { return golden::logits(config, weights, c.ids); },
         [&] {
             return to_host(
                 functional::logits(config, c.plain, functional::gpt2(config, c.plain, c.caches, c.inputs, 0)));
         },
         [&] {
             return to_host(optimized::logits(
                 config, c.tuned, c.place, optimized::gpt2(config, c.tuned, c.place, c.caches, c.inputs, 0)));
         }},
    };
}

std::vector<CheckedModule> check_of(
    const std::shared_ptr<Network>& network, ttnn::MeshDevice& device, std::int64_t sequence, std::uint64_t seed,
    std::shared_ptr<void>& keep) {
    const gpt2::Config& config = network->config;
    const auto c = std::make_shared<Checked>(config, sequence, seed, device);
    c->network = network;
    c->place = gpt2::placement_for(config, 1, device.compute_with_storage_grid_size());
    c->plain = gpt2::preprocess(config, network->weights, ttnn::DataType::BFLOAT16, device);
    c->tuned = gpt2::preprocess(config, network->weights, c->place.weight_dtype, device);
    c->hidden = gpt2::golden::embeddings(config, network->weights, c->ids);
    keep = c;
    return modules_of(*c);
}

#endif

CausalSession open(const ModelFlags& flags, const std::string& default_preset) {
    std::shared_ptr<Network> network;
    CausalSession session = open_causal<Model>(flags, default_preset, {}, network);
#ifdef ZOO_WITH_TORCH
    session.golden = [network](std::int64_t batch) {
        return std::make_unique<gpt2::golden::Decoder>(network->config, network->weights, batch);
    };
    session.forward = [network](std::span<const std::int32_t> ids) {
        return gpt2::golden::logits(network->config, network->weights, ids);
    };
    session.modules = [network](
                          ttnn::MeshDevice& device, std::int64_t sequence, std::uint64_t seed,
                          std::shared_ptr<void>& keep) { return check_of(network, device, sequence, seed, keep); };
#endif
    return session;
}

ModelInfo info_of(const std::string& preset) {
    const gpt2::Config config = gpt2::preset(preset);
    const std::int64_t width = config.n_embd;
    const std::int64_t attention = 4 * width * width + 4 * width + 2 * width;
    const std::int64_t mlp = 2 * width * config.inner() + config.inner() + width + 2 * width;
    ModelInfo info = causal_info("gpt2", preset, config);
    info.parts = {
        {"embeddings", (config.vocab_size + config.n_positions) * width},
        {fmt::format("{} x attention", config.n_layer), config.n_layer * attention},
        {fmt::format("{} x feed forward", config.n_layer), config.n_layer * mlp},
        {"last norm", 2 * width}};
    info.note =
        "The head is the embedding of words; on the device it has a copy of its own, in bfloat8_b when optimized.";
    return info;
}

}  // namespace

ModelEntry gpt2_entry() {
    return causal_entry(
        {.model = "gpt2",
         .summary = "Writes text: a token at a time over a cache on the device",
         .default_preset = "gpt2-scripture",
         .bench_preset = "gpt2",
         .default_prompt = "In the beginning",
         .presets = gpt2::preset_names(),
         .open = open,
         .info_of = info_of});
}

}  // namespace zoo::apps
