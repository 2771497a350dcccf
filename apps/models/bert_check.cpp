// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "golden.hpp"
#include "model_check.hpp"
#include "models/bert.hpp"
#include "models/bert/placement.hpp"
#include "models/bert/preprocess.hpp"
#include "models/bert/ttnn_bert.hpp"
#include "models/bert/ttnn_optimized_bert.hpp"
#include "models/bert_session.hpp"
#include "zoo/device_tensor.hpp"
#ifdef ZOO_WITH_TORCH
#include "models/bert/torch_bert.hpp"
#endif

namespace zoo::apps::bert_app {

namespace {

struct Options {
    ModelFlags model;
    CheckFlags check;
    std::int64_t batch = 1;
    std::int64_t sequence = 128;
};

#ifdef ZOO_WITH_TORCH

class Check {
public:
    Check(const Options& options, const Session& session)
        : config_(session.config),
          weights_(session.weights),
          device_(options.check.device.open()),
          place_(
              bert::placement_for(config_, options.batch, options.sequence, device_->compute_with_storage_grid_size())),
          inputs_(bert::random_inputs(config_, options.batch, options.sequence, options.model.seed)),
          device_inputs_(bert::preprocess(config_, inputs_, device_.get())),
          plain_(bert::preprocess(config_, weights_, bert::functional_format(), *device_)),
          tuned_(bert::preprocess(config_, weights_, bert::optimized_format(place_), *device_)),
          mask_(bert::additive_mask(inputs_)),
          hidden_(bert::golden::embeddings(config_, weights_.embeddings, inputs_)),
          context_(bert::golden::self_attention(config_, weights_.layers[0].attention, hidden_, mask_)) {}

    ttnn::MeshDevice& device() { return *device_; }

    std::vector<CheckedModule> modules() {
        namespace golden = bert::golden;
        namespace functional = bert::functional;
        namespace optimized = bert::optimized;
        const auto& layer = weights_.layers[0];
        const ttnn::Tensor& mask = device_inputs_.attention_mask;
        std::vector<CheckedModule> modules{
            {"embeddings", [&] { return golden::embeddings(config_, weights_.embeddings, inputs_); },
             [&] { return to_host(functional::embeddings(config_, plain_.embeddings, device_inputs_)); },
             [&] { return to_host(optimized::embeddings(config_, tuned_.embeddings, place_, device_inputs_)); }},
            {"self_attention", [&] { return golden::self_attention(config_, layer.attention, hidden_, mask_); },
             [&] {
                 return to_host(functional::self_attention(config_, plain_.layers[0].attention, plain(hidden_), mask));
             },
             [&] {
                 return to_host(
                     optimized::self_attention(config_, tuned_.layers[0].attention, place_, tuned(hidden_), mask));
             }},
            {"attention_output", [&] { return golden::attention_output(config_, layer.attention, context_, hidden_); },
             [&] {
                 return to_host(functional::attention_output(
                     config_, plain_.layers[0].attention, plain(context_), plain(hidden_)));
             },
             [&] {
                 return to_host(optimized::attention_output(
                     config_, tuned_.layers[0].attention, place_, joined(context_), tuned(hidden_)));
             }},
            {"intermediate", [&] { return golden::intermediate(config_, layer.feed_forward.intermediate, hidden_); },
             [&] {
                 return to_host(
                     functional::intermediate(config_, plain_.layers[0].feed_forward.intermediate, plain(hidden_)));
             },
             [&] {
                 return to_host(optimized::intermediate(
                     config_, tuned_.layers[0].feed_forward.intermediate, place_, tuned(hidden_)));
             }},
            {"feed_forward", [&] { return golden::feed_forward(config_, layer.feed_forward, hidden_); },
             [&] { return to_host(functional::feed_forward(config_, plain_.layers[0].feed_forward, plain(hidden_))); },
             [&] {
                 return to_host(
                     optimized::feed_forward(config_, tuned_.layers[0].feed_forward, place_, tuned(hidden_)));
             }},
            {"encoder_layer", [&] { return golden::encoder_layer(config_, layer, hidden_, mask_); },
             [&] { return to_host(functional::encoder_layer(config_, plain_.layers[0], plain(hidden_), mask)); },
             [&] {
                 return to_host(optimized::encoder_layer(config_, tuned_.layers[0], place_, tuned(hidden_), mask));
             }},
            {"encoder", [&] { return golden::encoder(config_, weights_.layers, hidden_, mask_); },
             [&] { return to_host(functional::encoder(config_, plain_.layers, plain(hidden_), mask)); },
             [&] { return to_host(optimized::encoder(config_, tuned_.layers, place_, tuned(hidden_), mask)); }},
            {"bert", [&] { return golden::bert(config_, weights_, inputs_); },
             [&] { return to_host(functional::bert(config_, plain_, device_inputs_)); },
             [&] { return to_host(optimized::bert(config_, tuned_, place_, device_inputs_)); }},
            {"sentence_embedding", [&] { return golden::sentence_embedding(config_, weights_, inputs_); },
             [&] { return to_host(functional::sentence_embedding(config_, plain_, device_inputs_)); },
             [&] { return to_host(optimized::sentence_embedding(config_, tuned_, place_, device_inputs_)); }}};
        if (weights_.qa_outputs) {
            modules.push_back(
                {"for_question_answering", [&] { return golden::for_question_answering(config_, weights_, inputs_); },
                 [&] { return to_host(functional::for_question_answering(config_, plain_, device_inputs_)); },
                 [&] { return to_host(optimized::for_question_answering(config_, tuned_, place_, device_inputs_)); }});
        }
        if (weights_.predictions) {
            modules.push_back(
                {"for_masked_lm", [&] { return golden::for_masked_lm(config_, weights_, inputs_); },
                 [&] { return to_host(functional::for_masked_lm(config_, plain_, device_inputs_)); },
                 [&] { return to_host(optimized::for_masked_lm(config_, tuned_, place_, device_inputs_)); }});
        }
        if (weights_.classifier && weights_.pooler) {
            modules.push_back(
                {"for_sequence_classification",
                 [&] { return golden::for_sequence_classification(config_, weights_, inputs_); },
                 [&] { return to_host(functional::for_sequence_classification(config_, plain_, device_inputs_)); },
                 [&] {
                     return to_host(optimized::for_sequence_classification(config_, tuned_, place_, device_inputs_));
                 }});
        }
        return modules;
    }

private:
    ttnn::Tensor plain(const HostTensor& tensor) { return from_host(tensor, {}, device_.get()); }
    ttnn::Tensor tuned(const HostTensor& tensor) {
        return from_host(tensor, {.dtype = place_.hidden_dtype, .memory_config = place_.memory.hidden}, device_.get());
    }
    ttnn::Tensor joined(const HostTensor& tensor) {
        return from_host(tensor, {.dtype = place_.inner_dtype, .memory_config = place_.memory.joined}, device_.get());
    }

    const bert::Config& config_;
    const bert::Weights& weights_;
    std::shared_ptr<ttnn::MeshDevice> device_;
    bert::Placement place_;
    bert::Inputs inputs_;
    bert::DeviceInputs device_inputs_;
    bert::Parameters plain_;
    bert::Parameters tuned_;
    HostTensor mask_;
    HostTensor hidden_;
    HostTensor context_;
};

void check(const Options& options) {
    const Session session = open_session(options.model, "bert-base", {});
    Check check(options, session);
    check_modules(
        {.model = "bert",
         .preset = session.preset,
         .weights = session.source,
         .size = fmt::format("batch {}, {} tokens", options.batch, options.sequence),
         .sizes = {{"batch", options.batch}, {"sequence", options.sequence}}},
        check.modules(), check.device(), options.check);
}

#else

void check(const Options&) { require_golden("check"); }

#endif

}  // namespace

void add_check(CLI::App& command) {
    const auto options = std::make_shared<Options>();
    add_model_flags(command, options->model);
    add_batch(command, options->batch, "Sequences");
    command.add_option("--sequence", options->sequence, "Tokens of each, a multiple of 32")
        ->check(CLI::Range(32, 4096))
        ->capture_default_str();
    options->check.add_to(command);
    command.callback([options] { check(*options); });
}

}  // namespace zoo::apps::bert_app
