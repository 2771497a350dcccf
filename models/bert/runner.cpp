// SPDX-License-Identifier: Apache-2.0
#include "models/bert/runner.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include <tt-metalium/mesh_device.hpp>

#include "models/bert/require_head.hpp"
#include "models/bert/ttnn_bert.hpp"
#include "models/bert/ttnn_optimized_bert.hpp"
#include "zoo/device_tensor.hpp"
#include "zoo/error.hpp"

namespace zoo::bert {
namespace {

constexpr const char* kWhere = "bert::Runner";
constexpr std::int64_t kTile = 32;

constexpr std::array<std::pair<Task, std::string_view>, 5> kTasks{{
    {Task::HiddenState, "hidden-state"},
    {Task::QuestionAnswering, "question-answering"},
    {Task::SentenceEmbedding, "sentence-embedding"},
    {Task::MaskedLm, "fill-mask"},
    {Task::SequenceClassification, "sequence-classification"},
}};

bool has_a_row_a_token(Task task) {
    return task == Task::HiddenState || task == Task::QuestionAnswering || task == Task::MaskedLm;
}

// What the task needs of the weights; nothing else goes to the device.
Heads heads_of(Task task, const Weights& weights) {
    Heads heads{.pooler = false, .qa_outputs = false, .classifier = false, .predictions = false};
    switch (task) {
        case Task::HiddenState:
        case Task::SentenceEmbedding:
            break;
        case Task::QuestionAnswering:
            (void)require_head(weights.qa_outputs, kWhere, "qa_outputs head");
            heads.qa_outputs = true;
            break;
        case Task::MaskedLm:
            (void)require_head(weights.predictions, kWhere, "cls.predictions head");
            heads.predictions = true;
            break;
        case Task::SequenceClassification:
            (void)require_head(weights.classifier, kWhere, "classifier head");
            (void)require_head(weights.pooler, kWhere, "pooler");
            heads.classifier = true;
            heads.pooler = true;
            break;
    }
    return heads;
}

}  // namespace

std::string_view to_string(Task task) {
    const auto row = std::ranges::find(kTasks, task, &std::pair<Task, std::string_view>::first);
    return row == kTasks.end() ? "" : row->second;
}

Task task_from_string(std::string_view name) {
    std::string names;
    for (const auto& [task, known] : kTasks) {
        if (known == name) {
            return task;
        }
        names += (names.empty() ? "" : ", ") + std::string(known);
    }
    fail(kWhere, "there is no task '", name, "'; it must be one of ", names);
}

Runner::Runner(ttnn::MeshDevice& device, const Config& config, const Weights& weights, const Options& options)
    : options_(options), config_(config) {
    options_.sequence = (options.sequence + kTile - 1) / kTile * kTile;
    if (options.sequence <= 0 || options_.sequence > config.max_position_embeddings) {
        fail(
            kWhere, "sequence is ", options.sequence, ", ", options_.sequence,
            " in whole tiles; it must be between 1 and max_position_embeddings ", config.max_position_embeddings);
    }
    ParameterFormat format = functional_format();
    if (options_.plan == Plan::Optimized) {
        place_ = placement_for(config, options_.batch, options_.sequence, device.compute_with_storage_grid_size());
        format = optimized_format(place_);
    }
    parameters_ = preprocess(config, weights, format, device, heads_of(options_.task, weights));

    // Any valid inputs will do for the specs.
    Inputs one{.batch = 1, .sequence = 1, .input_ids = {0}, .token_type_ids = {0}, .attention_mask = {1}};
    std::vector<tt::tt_metal::TensorSpec> specs;
    for (const ttnn::Tensor& input : preprocess(config_, pad(config_, one, options_.batch, options_.sequence)).list()) {
        specs.push_back(input.tensor_spec());
    }
    pipeline_ = std::make_unique<Pipeline>(device, options_.mode, specs, [this](std::span<const ttnn::Tensor> inputs) {
        return std::vector{compute(DeviceInputs::from_list(inputs))};
    });
}

ttnn::Tensor Runner::compute(const DeviceInputs& inputs) const {
    if (options_.plan == Plan::Functional) {
        switch (options_.task) {
            case Task::HiddenState:
                return functional::bert(config_, parameters_, inputs);
            case Task::QuestionAnswering:
                return functional::for_question_answering(config_, parameters_, inputs);
            case Task::SentenceEmbedding:
                return functional::sentence_embedding(config_, parameters_, inputs);
            case Task::MaskedLm:
                return functional::for_masked_lm(config_, parameters_, inputs);
            case Task::SequenceClassification:
                return functional::for_sequence_classification(config_, parameters_, inputs);
        }
    }
    switch (options_.task) {
        case Task::HiddenState:
            return optimized::bert(config_, parameters_, place_, inputs);
        case Task::QuestionAnswering:
            return optimized::for_question_answering(config_, parameters_, place_, inputs);
        case Task::SentenceEmbedding:
            return optimized::sentence_embedding(config_, parameters_, place_, inputs);
        case Task::MaskedLm:
            return optimized::for_masked_lm(config_, parameters_, place_, inputs);
        case Task::SequenceClassification:
            return optimized::for_sequence_classification(config_, parameters_, place_, inputs);
    }
    fail(kWhere, "task ", static_cast<int>(options_.task), " is not known");
}

// result is [batch, 1 or sequence, width] of the options; asked is {batch, sequence}.
HostTensor Runner::crop(const HostTensor& result, const Shape& asked) const {
    const bool tokens = has_a_row_a_token(options_.task);
    const std::int64_t rows = tokens ? asked[1] : 1;
    const auto width = static_cast<std::size_t>(result.shape[2]);
    HostTensor cropped{tokens ? Shape{asked[0], rows, result.shape[2]} : Shape{asked[0], result.shape[2]}, {}};
    for (std::int64_t batch = 0; batch < asked[0]; ++batch) {
        const auto from = result.data.begin() + batch * result.shape[1] * result.shape[2];
        cropped.data.insert(cropped.data.end(), from, from + rows * static_cast<std::ptrdiff_t>(width));
    }
    return cropped;
}

HostTensor Runner::run(const Inputs& inputs) {
    submit(inputs);
    return next();
}

void Runner::submit(const Inputs& inputs) {
    validate(config_, inputs);
    if (inputs.batch > options_.batch || inputs.sequence > options_.sequence) {
        fail(
            kWhere, "inputs are ", inputs.batch, " sequences of ", inputs.sequence, "; this runner takes up to ",
            options_.batch, " of ", options_.sequence);
    }
    pipeline_->submit(preprocess(config_, pad(config_, inputs, options_.batch, options_.sequence)).list());
    submitted_.push_back({inputs.batch, inputs.sequence});
}

HostTensor Runner::next() {
    const std::vector<ttnn::Tensor> outputs = pipeline_->next();
    const Shape asked = std::move(submitted_.front());
    submitted_.pop_front();
    return crop(to_host(outputs.front()), asked);
}

}  // namespace zoo::bert
