// SPDX-License-Identifier: Apache-2.0
#include <functional>
#include <iostream>
#include <map>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "device_flags.hpp"
#include "models/bert.hpp"
#include "models/bert/placement.hpp"
#include "models/bert/preprocess.hpp"
#include "models/bert/ttnn_bert.hpp"
#include "models/bert/ttnn_optimized_bert.hpp"
#include "models/bert_session.hpp"
#include "progress.hpp"
#include "table.hpp"
#include "zoo/device_tensor.hpp"
#include "zoo/error.hpp"
#include "zoo/metrics.hpp"
#ifdef ZOO_WITH_TORCH
#include "models/bert/torch_bert.hpp"
#endif

namespace zoo::apps::bert_app {

namespace {

struct Options {
    ModelFlags model;
    DeviceFlags device;
    std::vector<std::string> numerics{"fast"};
    std::int64_t batch = 1;
    std::int64_t sequence = 128;
    bool json = false;
};

#ifdef ZOO_WITH_TORCH

// One module in its three versions, all from the same float32 input.
struct Module {
    std::string name;
    std::function<HostTensor()> golden;
    std::function<ttnn::Tensor()> functional;
    std::function<ttnn::Tensor()> optimized;
};

class Check {
public:
    Check(const Options& options, const Session& session)
        : config_(session.config),
          weights_(session.weights),
          device_(options.device.open()),
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

    std::vector<Module> modules() {
        namespace golden = bert::golden;
        namespace functional = bert::functional;
        namespace optimized = bert::optimized;
        const auto& layer = weights_.layers[0];
        const ttnn::Tensor& mask = device_inputs_.attention_mask;
        std::vector<Module> modules{
            {"embeddings", [&] { return golden::embeddings(config_, weights_.embeddings, inputs_); },
             [&] { return functional::embeddings(config_, plain_.embeddings, device_inputs_); },
             [&] { return optimized::embeddings(config_, tuned_.embeddings, place_, device_inputs_); }},
            {"self_attention", [&] { return golden::self_attention(config_, layer.attention, hidden_, mask_); },
             [&] { return functional::self_attention(config_, plain_.layers[0].attention, plain(hidden_), mask); },
             [&] {
                 return optimized::self_attention(config_, tuned_.layers[0].attention, place_, tuned(hidden_), mask);
             }},
            {"attention_output", [&] { return golden::attention_output(config_, layer.attention, context_, hidden_); },
             [&] {
                 return functional::attention_output(
                     config_, plain_.layers[0].attention, plain(context_), plain(hidden_));
             },
             [&] {
                 return optimized::attention_output(
                     config_, tuned_.layers[0].attention, place_, joined(context_), tuned(hidden_));
             }},
            {"intermediate", [&] { return golden::intermediate(config_, layer.feed_forward.intermediate, hidden_); },
             [&] {
                 return functional::intermediate(config_, plain_.layers[0].feed_forward.intermediate, plain(hidden_));
             },
             [&] {
                 return optimized::intermediate(
                     config_, tuned_.layers[0].feed_forward.intermediate, place_, tuned(hidden_));
             }},
            {"feed_forward", [&] { return golden::feed_forward(config_, layer.feed_forward, hidden_); },
             [&] { return functional::feed_forward(config_, plain_.layers[0].feed_forward, plain(hidden_)); },
             [&] { return optimized::feed_forward(config_, tuned_.layers[0].feed_forward, place_, tuned(hidden_)); }},
            {"encoder_layer", [&] { return golden::encoder_layer(config_, layer, hidden_, mask_); },
             [&] { return functional::encoder_layer(config_, plain_.layers[0], plain(hidden_), mask); },
             [&] { return optimized::encoder_layer(config_, tuned_.layers[0], place_, tuned(hidden_), mask); }},
            {"encoder", [&] { return golden::encoder(config_, weights_.layers, hidden_, mask_); },
             [&] { return functional::encoder(config_, plain_.layers, plain(hidden_), mask); },
             [&] { return optimized::encoder(config_, tuned_.layers, place_, tuned(hidden_), mask); }},
            {"bert", [&] { return golden::bert(config_, weights_, inputs_); },
             [&] { return functional::bert(config_, plain_, device_inputs_); },
             [&] { return optimized::bert(config_, tuned_, place_, device_inputs_); }},
            {"sentence_embedding", [&] { return golden::sentence_embedding(config_, weights_, inputs_); },
             [&] { return functional::sentence_embedding(config_, plain_, device_inputs_); },
             [&] { return optimized::sentence_embedding(config_, tuned_, place_, device_inputs_); }}};
        if (weights_.qa_outputs) {
            modules.push_back(
                {"for_question_answering", [&] { return golden::for_question_answering(config_, weights_, inputs_); },
                 [&] { return functional::for_question_answering(config_, plain_, device_inputs_); },
                 [&] { return optimized::for_question_answering(config_, tuned_, place_, device_inputs_); }});
        }
        if (weights_.predictions) {
            modules.push_back(
                {"for_masked_lm", [&] { return golden::for_masked_lm(config_, weights_, inputs_); },
                 [&] { return functional::for_masked_lm(config_, plain_, device_inputs_); },
                 [&] { return optimized::for_masked_lm(config_, tuned_, place_, device_inputs_); }});
        }
        if (weights_.classifier && weights_.pooler) {
            modules.push_back(
                {"for_sequence_classification",
                 [&] { return golden::for_sequence_classification(config_, weights_, inputs_); },
                 [&] { return functional::for_sequence_classification(config_, plain_, device_inputs_); },
                 [&] { return optimized::for_sequence_classification(config_, tuned_, place_, device_inputs_); }});
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

struct Cell {
    std::string version;
    std::string numerics;
    Comparison comparison;
};

void check(const Options& options) {
    const Session session = open_session(options.model, "bert-base", {});
    Check check(options, session);
    const std::vector<Module> modules = check.modules();
    std::vector<std::pair<std::string, std::vector<Cell>>> rows;
    {
        Progress progress("bert");
        for (const Module& module : modules) {
            progress.update(rows.size(), modules.size(), module.name);
            const HostTensor expected = module.golden();
            std::vector<Cell> cells;
            for (const std::string& numerics : options.numerics) {
                ttnn_cpu::set_numerics(check.device(), numerics_from_string(numerics));
                cells.push_back({"functional", numerics, compare(expected.data, to_host(module.functional()).data)});
                cells.push_back({"optimized", numerics, compare(expected.data, to_host(module.optimized()).data)});
            }
            rows.emplace_back(module.name, std::move(cells));
        }
    }
    if (options.json) {
        nlohmann::json result{
            {"model", "bert"},
            {"preset", session.preset},
            {"weights", session.source},
            {"batch", options.batch},
            {"sequence", options.sequence}};
        for (const auto& [module, cells] : rows) {
            for (const Cell& cell : cells) {
                result["modules"].push_back(
                    {{"module", module},
                     {"version", cell.version},
                     {"numerics", cell.numerics},
                     {"pcc", cell.comparison.pcc},
                     {"relative_error", cell.comparison.relative_error}});
            }
        }
        std::cout << result.dump(2) << '\n';
        return;
    }
    std::cout << fmt::format(
        "bert {}, weights {}, batch {}, {} tokens: PCC and relative error against libtorch in float32\n\n",
        session.preset, session.source, options.batch, options.sequence);
    using Align = Table::Align;
    std::vector<Table::Column> columns{{"module"}};
    for (const Cell& cell : rows.front().second) {
        const std::string name = options.numerics.size() > 1 ? cell.version + " " + cell.numerics : cell.version;
        columns.push_back({name + " PCC", Align::Right});
        columns.push_back({"error", Align::Right});
    }
    Table table(columns);
    for (const auto& [module, cells] : rows) {
        std::vector<std::string> row{module};
        for (const Cell& cell : cells) {
            row.push_back(fmt::format("{:.6f}", cell.comparison.pcc));
            row.push_back(fmt::format("{:.1e}", cell.comparison.relative_error));
        }
        table.add(std::move(row));
    }
    table.print(std::cout);
}

#else

void check(const Options&) {
    fail("check", "it compares with libtorch, and this program was built without it (ZOO_WITH_TORCH=OFF)");
}

#endif

}  // namespace

void add_check(CLI::App& command) {
    const auto options = std::make_shared<Options>();
    options->model.add_to(command);
    command.add_option("--batch", options->batch, "Sequences")->check(CLI::Range(1, 64))->capture_default_str();
    command.add_option("--sequence", options->sequence, "Tokens of each, a multiple of 32")
        ->check(CLI::Range(32, 4096))
        ->capture_default_str();
    command.add_option("--numerics", options->numerics, "fast, wormhole, or both as fast,wormhole")
        ->delimiter(',')
        ->check(CLI::IsMember({"fast", "wormhole"}))
        ->capture_default_str();
    command.add_option("--board", options->device.board, "The board that the embedded device is")
        ->check(CLI::IsMember({"n150", "p150"}))
        ->capture_default_str();
    command.add_flag("--json", options->json, "One JSON object instead of a table");
    command.callback([options] { check(*options); });
}

}  // namespace zoo::apps::bert_app
