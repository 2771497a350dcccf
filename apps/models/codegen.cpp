// SPDX-License-Identifier: Apache-2.0
#include "models/codegen.hpp"

#include <filesystem>

#include <fmt/format.h>

#include "causal/causal_app.hpp"
#include "causal/causal_network.hpp"
#include "models/codegen/runner.hpp"
#include "models/codegen/ttnn_codegen.hpp"
#include "models/codegen/ttnn_optimized_codegen.hpp"
#include "zoo/checkpoint.hpp"
#include "zoo/device_tensor.hpp"
#ifdef ZOO_WITH_TORCH
#include "models/codegen/torch_codegen.hpp"
#endif

namespace zoo::apps {

namespace {

// The model's namespace as a type.
struct Model {
    using Config = codegen::Config;
    using Weights = codegen::Weights;
    using Runner = codegen::Runner;
    static Config preset(const std::string& name) { return codegen::preset(name); }
    static Config from_json(const std::filesystem::path& file) { return codegen::from_json(file); }
    static Weights load(const Checkpoint& checkpoint, const Config& config) {
        return codegen::load(checkpoint, config);
    }
    static Weights random(const Config& config, std::uint64_t seed) { return codegen::random(config, seed); }
    // Integers that older files carry and nobody needs.
    static inline const std::vector<std::string> kMasks{"*.attn.causal_mask", "*.attn.bias", "*.attn.masked_bias"};
};
using Network = CausalNetwork<Model>;

#ifdef ZOO_WITH_TORCH

// The text and parameters of a check, kept while its modules run.
struct Checked : CheckedText {
    std::shared_ptr<Network> network;
    codegen::Placement place;
    codegen::Parameters plain;
    codegen::Parameters tuned;
    codegen::StepAngles angles;

    using CheckedText::CheckedText;
    [[nodiscard]] ttnn::Tensor in_dram() const { return placed(ttnn::DRAM_MEMORY_CONFIG); }
    [[nodiscard]] ttnn::Tensor in_l1() const { return placed(place.activations); }
};

std::vector<CheckedModule> modules_of(Checked& c) {
    namespace golden = codegen::golden;
    namespace functional = codegen::functional;
    namespace optimized = codegen::optimized;
    const codegen::Config& config = c.network->config;
    const codegen::Weights& weights = c.network->weights;
    return {
        {"embeddings", [&] { return golden::embeddings(config, weights, c.ids); },
         [&] { return to_host(functional::embeddings(config, c.plain, c.inputs)); },
         [&] { return to_host(optimized::embeddings(config, c.tuned, c.place, c.inputs)); }},
        {"attention", [&] { return golden::attention(config, weights.h[0].attn, c.hidden); },
         [&] {
             return to_host(functional::attention(
                 config, c.plain.h[0].attn, c.plain.rotary, c.angles, c.in_dram(), c.caches[0], 0));
         },
         [&] {
             return to_host(optimized::attention(
                 config, c.tuned.h[0].attn, c.place, c.tuned.rotary, c.angles, c.in_l1(), c.caches[0], 0));
         }},
        {"mlp", [&] { return golden::mlp(config, weights.h[0].mlp, c.hidden); },
         [&] { return to_host(functional::mlp(config, c.plain.h[0].mlp, c.in_dram())); },
         [&] { return to_host(optimized::mlp(config, c.tuned.h[0].mlp, c.place, c.in_l1())); }},
        {"block", [&] { return golden::block(config, weights.h[0], c.hidden); },
         [&] {
             return to_host(
                 functional::block(config, c.plain.h[0], c.plain.rotary, c.angles, c.in_dram(), c.caches[0], 0));
         },
         [&] {
             return to_host(
                 optimized::block(config, c.tuned.h[0], c.place, c.tuned.rotary, c.angles, c.in_l1(), c.caches[0], 0));
         }},
        {"codegen", [&] { return golden::codegen(config, weights, c.ids); },
         [&] { return to_host(functional::codegen(config, c.plain, c.caches, c.inputs, 0)); },
         [&] { return to_host(optimized::codegen(config, c.tuned, c.place, c.caches, c.inputs, 0)); }},
        {"logits", [&] { return golden::logits(config, weights, c.ids); },
         [&] {
             return to_host(
                 functional::logits(config, c.plain, functional::codegen(config, c.plain, c.caches, c.inputs, 0)));
         },
         [&] {
             return to_host(optimized::logits(
                 config, c.tuned, c.place, optimized::codegen(config, c.tuned, c.place, c.caches, c.inputs, 0)));
         }},
    };
}

std::vector<CheckedModule> check_of(
    const std::shared_ptr<Network>& network, ttnn::MeshDevice& device, std::int64_t sequence, std::uint64_t seed,
    std::shared_ptr<void>& keep) {
    const codegen::Config& config = network->config;
    const auto c = std::make_shared<Checked>(config, sequence, seed, device);
    c->network = network;
    c->place = codegen::placement_for(config, 1, device.compute_with_storage_grid_size());
    c->plain = codegen::preprocess(config, network->weights, ttnn::DataType::BFLOAT16, 1, device);
    c->tuned = codegen::preprocess(config, network->weights, c->place.weight_dtype, 1, device);
    c->angles = codegen::sequence_angles(c->plain.rotary, c->inputs.positions);
    c->hidden = codegen::golden::embeddings(config, network->weights, c->ids);
    keep = c;
    return modules_of(*c);
}

#endif

CausalSession open(const ModelFlags& flags, const std::string& default_preset) {
    std::shared_ptr<Network> network;
    CausalSession session =
        open_causal<Model>(flags, default_preset, {.added_tokens = text::codegen_added_tokens()}, network);
#ifdef ZOO_WITH_TORCH
    session.golden = [network](std::int64_t batch) {
        return std::make_unique<codegen::golden::Decoder>(network->config, network->weights, batch);
    };
    session.forward = [network](std::span<const std::int32_t> ids) {
        return codegen::golden::logits(network->config, network->weights, ids);
    };
    session.modules = [network](
                          ttnn::MeshDevice& device, std::int64_t sequence, std::uint64_t seed,
                          std::shared_ptr<void>& keep) { return check_of(network, device, sequence, seed, keep); };
#endif
    return session;
}

ModelInfo info_of(const std::string& preset) {
    const codegen::Config config = codegen::preset(preset);
    const std::int64_t width = config.n_embd;
    const std::int64_t attention = 4 * width * width + 2 * width;
    const std::int64_t mlp = 2 * width * config.inner() + config.inner() + width;
    ModelInfo info = causal_info("codegen", preset, config);
    info.parts = {
        {"embeddings", config.vocab_size * width},
        {fmt::format("{} x attention", config.n_layer), config.n_layer * attention},
        {fmt::format("{} x feed forward", config.n_layer), config.n_layer * mlp},
        {"last norm and head", 2 * width + config.vocab_size * (width + 1)}};
    info.note = "Attention and feed forward read the same norm. The optimized version keeps matrices in bfloat8_b.";
    return info;
}

}  // namespace

ModelEntry codegen_entry() {
    return causal_entry(
        {.model = "codegen",
         .summary = "Writes programs: rotary positions, attention and feed forward side by side",
         .default_preset = "codegen-350m-mono",
         .bench_preset = "codegen-350m-mono",
         .default_prompt = "def hello_world():",
         .presets = codegen::preset_names(),
         .open = open,
         .info_of = info_of});
}

}  // namespace zoo::apps
