// SPDX-License-Identifier: Apache-2.0
#include "models/bert_session.hpp"

#include "encoder/open.hpp"
#include "models/bert/runner.hpp"
#include "models/bert/ttnn_bert.hpp"
#include "models/bert/ttnn_optimized_bert.hpp"
#include "source_dir.hpp"
#include "zoo/device_tensor.hpp"
#include "zoo/fetched_weights.hpp"
#include "zoo/text/wordpiece.hpp"
#ifdef ZOO_WITH_TORCH
#include "models/bert/torch_bert.hpp"
#endif

namespace zoo::apps::bert_app {

namespace {

namespace fs = std::filesystem;

const encoder_app::Loaders<bert::Config, bert::Weights>& loaders() {
    static const encoder_app::Loaders<bert::Config, bert::Weights> kLoaders{
        .model = "bert",
        .vocabulary = "vocab.txt",
        .ignored = {"*position_ids"},
        .preset = bert::preset,
        .from_json = bert::from_json,
        .load = bert::load,
        .random = bert::random,
        .tokenizer = [](const fs::path& file) -> std::shared_ptr<const text::Tokenizer> {
            return std::make_shared<text::WordPiece>(text::WordPiece::from_vocab_file(file));
        },
        .at_hand = [](const std::string& preset) -> std::optional<std::pair<fs::path, std::string>> {
            const auto fetched = fetched_weights(preset);
            return fetched ? std::optional(std::pair{*fetched, preset + " (fetched)"}) : std::nullopt;
        },
        // A vocabulary of its own, so that text can be read all the same.
        .other_vocabulary = []() -> fs::path { return source_path("tests/data/text/vocab_small.txt"); }};
    return kLoaders;
}

#ifdef ZOO_WITH_TORCH

std::vector<CheckedModule> front_modules(
    const bert::Config& config, const bert::Weights& weights, ttnn::MeshDevice& device, const encoder::Inputs& inputs) {
    return {
        {"embeddings",
         [&config, &weights, inputs] { return bert::golden::embeddings(config, weights.embeddings, inputs); },
         [&config, &weights, &device, inputs] {
             return to_host(bert::functional::embeddings(
                 config, encoder::preprocess(weights.embeddings, device),
                 encoder::preprocess(config, inputs, &device)));
         },
         [&config, &weights, &device, inputs] {
             const auto place =
                 bert::placement_for(config, inputs.batch, inputs.sequence, device.compute_with_storage_grid_size());
             return to_host(bert::optimized::embeddings(
                 config, encoder::preprocess(weights.embeddings, device), place,
                 encoder::preprocess(config, inputs, &device)));
         }}};
}

#endif

}  // namespace

encoder_app::Session open_session(const ModelFlags& flags, const std::string& default_preset) {
    auto opened = encoder_app::open_weights(loaders(), flags, default_preset);
    encoder_app::bind_runner<bert::Runner>(opened);
    opened.session.layer = {opened.weights, opened.weights->layers.data()};
#ifdef ZOO_WITH_TORCH
    encoder_app::bind_golden(
        opened, {bert::golden::bert, bert::golden::for_question_answering, bert::golden::sentence_embedding,
                 bert::golden::for_masked_lm, bert::golden::for_sequence_classification});
    opened.session.front = [config = opened.config, weights = opened.weights](
                               ttnn::MeshDevice& device, const encoder::Inputs& inputs) {
        return front_modules(*config, *weights, device, inputs);
    };
#endif
    return std::move(opened.session);
}

const encoder_app::Model& model() {
    static const encoder_app::Model kModel{
        .name = "bert",
        .presets = bert::preset_names(),
        .run_preset = "minilm-l6",
        .bench_preset = "bert-base",
        .weights_are = "A directory with a checkpoint, config.json and vocab.txt",
        .tasks = {"rank", "question-answering", "fill-mask", "similarity", "classify"},
        .open = open_session};
    return kModel;
}

}  // namespace zoo::apps::bert_app
