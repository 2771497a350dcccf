// SPDX-License-Identifier: Apache-2.0
#include "models/albert_session.hpp"

#include "encoder/open.hpp"
#include "models/albert/runner.hpp"
#include "models/albert/ttnn_albert.hpp"
#include "models/albert/ttnn_optimized_albert.hpp"
#include "source_dir.hpp"
#include "zoo/device_tensor.hpp"
#include "zoo/fetched_weights.hpp"
#include "zoo/text/sentencepiece.hpp"
#ifdef ZOO_WITH_TORCH
#include "models/albert/torch_albert.hpp"
#endif

namespace zoo::apps::albert_app {

namespace {

namespace fs = std::filesystem;

constexpr const char* kTrainedHere = "albert-imdb-small";

const encoder_app::Loaders<albert::Config, albert::Weights>& loaders() {
    static const encoder_app::Loaders<albert::Config, albert::Weights> kLoaders{
        .model = "albert",
        .vocabulary = "spiece.model",
        .ignored = albert::ignored_names(),
        .preset = albert::preset,
        .from_json = albert::from_json,
        .load = albert::load,
        .random = albert::random,
        .tokenizer = [](const fs::path& file) -> std::shared_ptr<const text::Tokenizer> {
            return std::make_shared<text::SentencePiece>(text::SentencePiece::from_model_file(file));
        },
        .at_hand = [](const std::string& preset) -> std::optional<std::pair<fs::path, std::string>> {
            const fs::path trained = source_path(std::string("models/albert/") + kTrainedHere);
            return preset == kTrainedHere && fs::exists(trained / "model.safetensors")
                       ? std::optional(std::pair{trained, preset + " (trained by this project)"})
                       : std::nullopt;
        },
        // All sizes of ALBERT have one vocabulary.
        .other_vocabulary = []() -> fs::path {
            const auto fetched = fetched_weights("albert-vocab");
            return fetched ? *fetched / "spiece.model" : fs::path();
        }};
    return kLoaders;
}

#ifdef ZOO_WITH_TORCH

std::vector<CheckedModule> front_modules(
    const albert::Config& config, const albert::Weights& weights, ttnn::MeshDevice& device,
    const encoder::Inputs& inputs) {
    const auto place =
        albert::placement_for(config, inputs.batch, inputs.sequence, device.compute_with_storage_grid_size());
    const auto embedded = [&config, &weights, inputs] {
        return albert::golden::embeddings(config, weights.embeddings, inputs);
    };
    return {
        {"embeddings", embedded,
         [&config, &weights, &device, inputs] {
             return to_host(albert::functional::embeddings(
                 config, encoder::preprocess(weights.embeddings, device),
                 encoder::preprocess(config, inputs, &device)));
         },
         [&config, &weights, &device, inputs, place] {
             return to_host(albert::optimized::embeddings(
                 config, encoder::preprocess(weights.embeddings, device), place,
                 encoder::preprocess(config, inputs, &device)));
         }},
        {"embedding_hidden_mapping",
         [&config, &weights, embedded] {
             return albert::golden::embedding_hidden_mapping(config, weights.embedding_hidden_mapping, embedded());
         },
         [&config, &weights, &device, embedded] {
             return to_host(albert::functional::embedding_hidden_mapping(
                 config, encoder::preprocess(weights.embedding_hidden_mapping, encoder::functional_format(), device),
                 from_host(embedded(), {}, &device)));
         },
         [&config, &weights, &device, embedded, place] {
             return to_host(albert::optimized::embedding_hidden_mapping(
                 config,
                 encoder::preprocess(weights.embedding_hidden_mapping, encoder::optimized_format(place), device), place,
                 from_host(embedded(), {.memory_config = place.memory.embeddings}, &device)));
         }}};
}

#endif

}  // namespace

encoder_app::Session open_session(const ModelFlags& flags, const std::string& default_preset) {
    auto opened = encoder_app::open_weights(loaders(), flags, default_preset);
    encoder_app::bind_runner<albert::Runner>(opened);
    opened.session.layer = {opened.weights, opened.weights->groups[0].data()};
    // As it was trained: the verdict of a review often stands at its end.
    if (opened.session.preset == kTrainedHere) {
        opened.session.truncation = text::Truncation::HeadAndTail;
    }
#ifdef ZOO_WITH_TORCH
    encoder_app::bind_golden(
        opened, {albert::golden::albert, albert::golden::for_question_answering, albert::golden::sentence_embedding,
                 albert::golden::for_masked_lm, albert::golden::for_sequence_classification});
    opened.session.front = [config = opened.config, weights = opened.weights](
                               ttnn::MeshDevice& device, const encoder::Inputs& inputs) {
        return front_modules(*config, *weights, device, inputs);
    };
#endif
    return std::move(opened.session);
}

const encoder_app::Model& model() {
    static const encoder_app::Model kModel{
        .name = "albert",
        .presets = albert::preset_names(),
        .run_preset = kTrainedHere,
        .bench_preset = "albert-base-v2",
        .weights_are = "A directory with a checkpoint, config.json and spiece.model",
        .tasks = {"classify", "question-answering", "fill-mask", "similarity", "rank"},
        .open = open_session};
    return kModel;
}

}  // namespace zoo::apps::albert_app
