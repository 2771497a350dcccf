// SPDX-License-Identifier: Apache-2.0
#include <iostream>

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "commands.hpp"
#include "conformance/refusals.hpp"
#include "zoo/error.hpp"

namespace zoo::apps {

namespace {

using conformance::Refusal;

struct RefusalOptions {
    std::string board = "n150";
    bool json = false;
};

std::string verdict(const Refusal& refusal) {
    if (!refusal.not_tried.empty()) {
        return "NOT TRIED: " + conformance::first_sentence(refusal.not_tried);
    }
    if (refusal.agrees()) {
        return refusal.known_difference.empty() ? "both refuse" : "known difference: " + refusal.known_difference;
    }
    return refusal.here.empty() ? (refusal.there.empty() ? "NEITHER refuses" : "the real library ALONE refuses")
                                : "the embedded device ALONE refuses";
}

void run(const RefusalOptions& options) {
    const ttnn_cpu::Board board = options.board == "p150" ? ttnn_cpu::Board::P150 : ttnn_cpu::Board::N150;
    std::vector<Refusal> refusals;
    try {
        refusals = conformance::try_refusals(board);
    } catch (const conformance::OutOfReach& error) {
        fail("conformance refusals", "the real library is out of reach: ", error.what());
    }
    std::size_t agree = 0;
    nlohmann::json rows = nlohmann::json::array();
    for (const Refusal& refusal : refusals) {
        agree += refusal.agrees() ? 1 : 0;
        rows.push_back(
            {{"case", refusal.name},
             {"verdict", verdict(refusal)},
             {"embedded", conformance::first_sentence(refusal.here)},
             {"real", conformance::first_sentence(refusal.there)}});
    }
    if (options.json) {
        std::cout << nlohmann::json{{"board", options.board}, {"cases", rows}, {"agree", agree}}.dump(2) << '\n';
    } else {
        for (const nlohmann::json& row : rows) {
            std::cout << fmt::format("{}: {}\n", row["case"].get<std::string>(), row["verdict"].get<std::string>());
            for (const char* side : {"embedded", "real"}) {
                if (const auto text = row[side].get<std::string>(); !text.empty()) {
                    std::cout << fmt::format("    {:<8}  {}\n", side, text);
                }
            }
        }
        std::cout << fmt::format(
            "{} of {} bad calls are refused by both, or differ for a known reason\n", agree, rows.size());
    }
    if (agree < refusals.size()) {
        fail("conformance refusals", refusals.size() - agree, " bad calls on which the two disagree");
    }
}

}  // namespace

void add_refusals(CLI::App& conformance) {
    CLI::App* command = conformance.add_subcommand(
        "refusals", "Bad calls, which the embedded device and the real TTNN must both refuse");
    const auto options = std::make_shared<RefusalOptions>();
    command->add_option("--board", options->board, "The board of both devices")
        ->check(CLI::IsMember({"n150", "p150"}))
        ->capture_default_str();
    command->add_flag("--json", options->json, "One JSON object instead of text");
    command->callback([options] { run(*options); });
}

}  // namespace zoo::apps
