// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "encoder/session.hpp"
#include "golden.hpp"
#include "zoo/device_tensor.hpp"
#include "zoo/encoder/functional.hpp"
#include "zoo/encoder/optimized.hpp"
#include "zoo/random.hpp"
#ifdef ZOO_WITH_TORCH
#include "zoo/encoder/torch_layers.hpp"
#endif

namespace zoo::apps::encoder_app {

namespace {

struct CheckOptions {
    ModelFlags model;
    CheckFlags check;
    std::int64_t batch = 1;
    std::int64_t sequence = 128;
};

#ifdef ZOO_WITH_TORCH

// The modules of the first layer, on inputs that look like its own.
class LayerCheck {
public:
    LayerCheck(const Session& session, const encoder::Inputs& inputs, ttnn::MeshDevice& device, std::uint64_t seed)
        : spec_(session.spec),
          layer_(*session.layer),
          device_(device),
          place_(encoder::placement_for(
              "check", spec_, inputs.batch, inputs.sequence, device.compute_with_storage_grid_size())),
          plain_(encoder::preprocess(spec_, layer_, encoder::functional_format(), device)),
          tuned_(encoder::preprocess(spec_, layer_, encoder::optimized_format(place_), device)),
          mask_(encoder::additive_mask(inputs)),
          device_mask_(encoder::preprocess_mask(inputs, &device)),
          hidden_(Random(seed).normal({inputs.batch, inputs.sequence, spec_.hidden_size}, 0.0F, 1.0F)),
          context_(encoder::golden::self_attention(spec_, layer_.attention, hidden_, mask_)) {}

    std::vector<CheckedModule> modules() {
        namespace golden = encoder::golden;
        namespace functional = encoder::functional;
        namespace optimized = encoder::optimized;
        return {
            {"self_attention", [this] { return golden::self_attention(spec_, layer_.attention, hidden_, mask_); },
             [this] {
                 return to_host(functional::self_attention(spec_, plain_.attention, plain(hidden_), device_mask_));
             },
             [this] {
                 return to_host(
                     optimized::self_attention(spec_, tuned_.attention, place_, tuned(hidden_), device_mask_));
             }},
            {"attention_output",
             [this] { return golden::attention_output(spec_, layer_.attention, context_, hidden_); },
             [this] {
                 return to_host(functional::attention_output(spec_, plain_.attention, plain(context_), plain(hidden_)));
             },
             [this] {
                 return to_host(
                     optimized::attention_output(spec_, tuned_.attention, place_, joined(context_), tuned(hidden_)));
             }},
            {"intermediate", [this] { return golden::intermediate(spec_, layer_.feed_forward.intermediate, hidden_); },
             [this] {
                 return to_host(functional::intermediate(spec_, plain_.feed_forward.intermediate, plain(hidden_)));
             },
             [this] {
                 return to_host(
                     optimized::intermediate(spec_, tuned_.feed_forward.intermediate, place_, tuned(hidden_)));
             }},
            {"feed_forward", [this] { return golden::feed_forward(spec_, layer_.feed_forward, hidden_); },
             [this] { return to_host(functional::feed_forward(spec_, plain_.feed_forward, plain(hidden_))); },
             [this] { return to_host(optimized::feed_forward(spec_, tuned_.feed_forward, place_, tuned(hidden_))); }},
            {"encoder_layer", [this] { return golden::encoder_layer(spec_, layer_, hidden_, mask_); },
             [this] { return to_host(functional::encoder_layer(spec_, plain_, plain(hidden_), device_mask_)); },
             [this] {
                 return to_host(optimized::encoder_layer(spec_, tuned_, place_, tuned(hidden_), device_mask_));
             }}};
    }

private:
    ttnn::Tensor plain(const HostTensor& tensor) { return from_host(tensor, {}, &device_); }
    ttnn::Tensor tuned(const HostTensor& tensor) {
        return from_host(tensor, {.dtype = place_.hidden_dtype, .memory_config = place_.memory.hidden}, &device_);
    }
    ttnn::Tensor joined(const HostTensor& tensor) {
        return from_host(tensor, {.dtype = place_.inner_dtype, .memory_config = place_.memory.joined}, &device_);
    }

    encoder::LayerSpec spec_;
    const encoder::LayerWeights& layer_;
    ttnn::MeshDevice& device_;
    encoder::Placement place_;
    encoder::LayerParameters plain_;
    encoder::LayerParameters tuned_;
    HostTensor mask_;
    ttnn::Tensor device_mask_;
    HostTensor hidden_;
    HostTensor context_;
};

// The whole model, for the tasks that the weights have a head for.
std::vector<CheckedModule> whole_model(
    const Session& session, const encoder::Inputs& inputs, ttnn::MeshDevice& device) {
    using encoder::Task;
    std::vector<std::pair<std::string, Task>> tasks{
        {session.model, Task::HiddenState}, {"sentence_embedding", Task::SentenceEmbedding}};
    if (session.heads.qa_outputs) {
        tasks.emplace_back("for_question_answering", Task::QuestionAnswering);
    }
    if (session.heads.predictions) {
        tasks.emplace_back("for_masked_lm", Task::MaskedLm);
    }
    if (session.heads.classifier && session.heads.pooler) {
        tasks.emplace_back("for_sequence_classification", Task::SequenceClassification);
    }
    std::vector<CheckedModule> modules;
    for (const auto& [name, task] : tasks) {
        const auto run = [&session, &inputs, &device, task = task](Plan plan) {
            return session
                .runner(device, {.task = task, .batch = inputs.batch, .sequence = inputs.sequence, .plan = plan})
                ->run(inputs);
        };
        modules.push_back(
            {name, [&session, &inputs, task = task] { return session.golden(task, inputs); },
             [run] { return run(Plan::Functional); }, [run] { return run(Plan::Optimized); }});
    }
    return modules;
}

void check(const Model& model, const CheckOptions& options) {
    const Session session = model.open(options.model, model.bench_preset);
    const auto device = options.check.device.open();
    const encoder::Inputs inputs =
        encoder::random_inputs(session.limits, options.batch, options.sequence, options.model.seed);
    LayerCheck layer(session, inputs, *device, options.model.seed);
    std::vector<CheckedModule> modules = session.front(*device, inputs);
    for (auto more : {layer.modules(), whole_model(session, inputs, *device)}) {
        modules.insert(modules.end(), more.begin(), more.end());
    }
    check_modules(
        {.model = model.name,
         .preset = session.preset,
         .weights = session.source,
         .size = fmt::format("batch {}, {} tokens", options.batch, options.sequence),
         .sizes = {{"batch", options.batch}, {"sequence", options.sequence}}},
        modules, *device, options.check);
}

#else

void check(const Model&, const CheckOptions&) { require_golden("check"); }

#endif

}  // namespace

void add_check(CLI::App& command, const Model& model) {
    const auto options = std::make_shared<CheckOptions>();
    options->model.add_to(command, model.presets, model.weights_are);
    add_batch(command, options->batch, "Sequences");
    command.add_option("--sequence", options->sequence, "Tokens of each, a multiple of 32")
        ->check(CLI::Range(32, 4096))
        ->capture_default_str();
    options->check.add_to(command);
    command.callback([options, model] { check(model, *options); });
}

}  // namespace zoo::apps::encoder_app
