// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <iostream>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>
#include <ttnn_cpu/device_options.hpp>

#include "commands.hpp"
#include "conformance/l1_table.hpp"
#include "conformance/replay.hpp"
#include "progress.hpp"
#include "table.hpp"
#include "zoo/error.hpp"

namespace zoo::apps {

namespace {

using conformance::Replay;
using conformance::ReplayedCall;

struct ReplayOptions {
    std::vector<std::string> models;
    std::string board = "n150";
    std::string match;
    bool l1 = false;
    bool json = false;
};

struct PassResult {
    const ModelPass* pass;
    Replay replay;
    std::string problem;  // the pass itself failed on the embedded device
};

std::vector<const ModelPass*> chosen(const ReplayOptions& options) {
    std::set<std::string_view> known;
    std::vector<const ModelPass*> result;
    for (const ModelPass& pass : passes()) {
        known.insert(pass.model);
        const bool asked = options.models.empty() ||
                           std::find(options.models.begin(), options.models.end(), pass.model) != options.models.end();
        if (asked && pass.name.find(options.match) != std::string::npos) {
            result.push_back(&pass);
        }
    }
    for (const std::string& model : options.models) {
        if (!known.contains(model)) {
            fail(
                "conformance replay", "no model '", model, "'; it must be one of ",
                fmt::format("{}", fmt::join(known, ", ")));
        }
    }
    if (result.empty()) {
        fail("conformance replay", "no pass matches '", options.match, "'");
    }
    return result;
}

std::vector<std::string> complaints(const ReplayedCall& call) {
    std::vector<std::string> result = call.differences;
    if (!call.not_replayed.empty()) {
        result.push_back("not replayed: " + call.not_replayed);
    } else if (call.refused && !call.refused_here) {
        result.push_back("refused by the real library: " + conformance::first_sentence(*call.refused));
    } else if (!call.refused && call.refused_here) {
        result.push_back("refused by the embedded device alone");
    }
    return result;
}

nlohmann::json to_json(const ReplayedCall& call) {
    nlohmann::json result{{"function", call.function}, {"inputs", call.inputs}, {"complaints", complaints(call)}};
    if (call.there) {
        result["l1"] = {
            {"circular_buffers", {call.here.circular_buffers, call.there->circular_buffers}},
            {"buffers", {call.here.buffers, call.there->buffers}}};
    }
    return result;
}

std::size_t disagreements(const PassResult& result) {
    std::size_t count = result.problem.empty() && result.replay.broken_off.empty() ? 0 : 1;
    for (const ReplayedCall& call : result.replay.calls) {
        count += call.agrees() ? 0 : 1;
    }
    return count;
}

void print_json(const std::vector<PassResult>& results, const std::string& board) {
    nlohmann::json list = nlohmann::json::array();
    for (const PassResult& result : results) {
        nlohmann::json calls = nlohmann::json::array();
        for (const ReplayedCall& call : result.replay.calls) {
            calls.push_back(to_json(call));
        }
        list.push_back(
            {{"model", result.pass->model},
             {"pass", result.pass->name},
             {"problem", result.problem},
             {"broken_off", result.replay.broken_off},
             {"disagreements", disagreements(result)},
             {"calls", calls}});
    }
    std::cout << nlohmann::json{{"board", board}, {"library", "ttnn 0.77.0"}, {"passes", list}}.dump(2) << '\n';
}

void print_pass(const PassResult& result) {
    std::set<std::string> seen;  // layers repeat
    for (const ReplayedCall& call : result.replay.calls) {
        for (const std::string& complaint : complaints(call)) {
            const std::string line = fmt::format("  {} ({}): {}", call.function, call.inputs, complaint);
            if (seen.insert(line).second) {
                std::cout << line << '\n';
            }
        }
    }
    for (const std::string& text : {result.problem, result.replay.broken_off}) {
        if (!text.empty()) {
            std::cout << "  " << text << '\n';
        }
    }
}

// Peak L1 of the calls of each function, as the embedded device accounts for it and as the real library does.
void print_l1(const std::vector<PassResult>& results) {
    using Align = Table::Align;
    std::vector<Replay> replays;
    for (const PassResult& result : results) {
        replays.push_back(result.replay);
    }
    Table table(
        {{"call"},
         {"calls", Align::Right},
         {"within 5 %", Align::Right},
         {"worst %", Align::Right},
         {"CBs here", Align::Right},
         {"CBs real", Align::Right},
         {"L1 here", Align::Right},
         {"L1 real", Align::Right},
         {"inputs of a call out of bounds"}});
    for (const conformance::L1Family& family : conformance::l1_families(replays)) {
        const ReplayedCall& worst = family.example;
        table.add(
            {family.function, std::to_string(family.calls), std::to_string(family.within),
             fmt::format("{:.1f}", family.worst), std::to_string(worst.here.circular_buffers),
             std::to_string(worst.there->circular_buffers), std::to_string(worst.here.buffers),
             std::to_string(worst.there->buffers), family.within == family.calls ? "" : worst.inputs});
    }
    table.print(std::cout);
}

void run(const ReplayOptions& options) {
    const std::vector<const ModelPass*> wanted = chosen(options);
    const ttnn_cpu::Board board = options.board == "p150" ? ttnn_cpu::Board::P150 : ttnn_cpu::Board::N150;
    std::vector<PassResult> results;
    {
        Progress progress("passes");
        for (const ModelPass* pass : wanted) {
            progress.update(results.size(), wanted.size(), pass->name);
            PassResult result{.pass = pass, .replay = {}, .problem = {}};
            try {
                result.replay = conformance::replay(*pass, board);
            } catch (const conformance::OutOfReach& error) {
                fail("conformance replay", "the real library is out of reach: ", error.what());
            } catch (const ttnn_cpu::NotEmbedded&) {
                throw;
            } catch (const std::exception& error) {
                result.problem = fmt::format("the embedded device refuses the pass: {}", error.what());
            }
            results.push_back(std::move(result));
        }
    }
    std::size_t all = 0;
    for (const PassResult& result : results) {
        all += disagreements(result);
    }
    if (options.json) {
        print_json(results, options.board);
    } else {
        for (const PassResult& result : results) {
            const std::size_t bad = disagreements(result);
            std::cout << fmt::format(
                "{}: {}: {} calls, {}\n", result.pass->model, result.pass->name, result.replay.calls.size(),
                bad == 0 ? "all agree" : fmt::format("{} disagree", bad));
            print_pass(result);
        }
        if (options.l1) {
            print_l1(results);
        }
    }
    if (all > 0) {
        fail("conformance replay", all, " calls on which the embedded ", options.board, " and ttnn 0.77.0 disagree");
    }
}

}  // namespace

void add_replay(CLI::App& conformance) {
    CLI::App* command = conformance.add_subcommand(
        "replay", "Every call of a model's forward pass, made once more on the real TTNN's mock device");
    const auto options = std::make_shared<ReplayOptions>();
    command->add_option("models", options->models, "Which models; all by default");
    command->add_option("--board", options->board, "The board of both devices")
        ->check(CLI::IsMember({"n150", "p150"}))
        ->capture_default_str();
    command->add_option("--match", options->match, "Only passes with this in their name, such as 'optimized, batch 8'");
    command->add_flag("--l1", options->l1, "Peak L1 of the calls of each function, here and there");
    command->add_flag("--json", options->json, "One JSON object instead of text");
    command->callback([options] { run(*options); });
}

}  // namespace zoo::apps
