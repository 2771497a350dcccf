// SPDX-License-Identifier: Apache-2.0
// `trace`, `summary` and `graph` of a small preset of every model, as a new user calls them.
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "cli.hpp"
#include "commands.hpp"
#include "golden.hpp"

namespace zoo::apps {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::Not;

std::string command(std::vector<std::string> arguments) {
    const auto commands = [](CLI::App& app) {
        add_models(app);
        add_metrics(app);
    };
    return zoo::testing::run_program(commands, std::move(arguments));
}

// What a wrong command says.
std::string refusal(std::vector<std::string> arguments) {
    try {
        (void)command(std::move(arguments));
    } catch (const std::exception& error) {
        return error.what();
    }
    return "nothing is wrong";
}

std::string content(const fs::path& path) {
    std::ifstream file(path);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

struct Small {
    const char* model;
    const char* preset;
    const char* backward;  // an op of its backward pass
};

class GoldenCommand : public ::testing::TestWithParam<Small> {
protected:
    void SetUp() override {
        if (!golden_available()) {
            GTEST_SKIP() << "built without libtorch";
        }
        out_ = fs::path(::testing::TempDir()) / fmt::format("tt_zoo_golden_{}_{}", getpid(), GetParam().preset);
        fs::create_directories(out_);
    }
    void TearDown() override { fs::remove_all(out_); }

    [[nodiscard]] std::vector<std::string> of(const std::string& verb) const {
        return {verb, GetParam().model, "--preset", GetParam().preset, "--weights", "random"};
    }

    fs::path out_;
};

TEST_P(GoldenCommand, TracesBothWays) {
    std::vector<std::string> arguments = of("trace");
    arguments.insert(arguments.end(), {"--backward", "--out", out_.string()});
    EXPECT_THAT(command(arguments), HasSubstr("backward"));
    const std::string preset = GetParam().preset;
    const auto forward = nlohmann::json::parse(content(out_ / "raw" / ("fw_" + preset + ".json")));
    const auto backward = nlohmann::json::parse(content(out_ / "raw" / ("bw_" + preset + ".json")));
    EXPECT_GT(forward.size(), 10U);
    EXPECT_GT(backward.size(), 10U);
    EXPECT_THAT(backward.dump(), HasSubstr(GetParam().backward));
    EXPECT_THAT(forward.dump(), Not(HasSubstr(GetParam().backward)));
    EXPECT_THAT(content(out_ / "bw_node_count.csv"), HasSubstr(GetParam().backward));
    for (const char* directory : {"fw_total_input_size_dist", "bw_total_output_size_dist", "total_arguments"}) {
        EXPECT_FALSE(fs::is_empty(out_ / directory)) << directory;
    }
    // A trace that Chrome opens: slices with times, on named tracks, modules around ops.
    const auto profile = nlohmann::json::parse(content(out_ / "profile" / (preset + ".json")));
    std::map<std::string, std::size_t> categories;
    for (const auto& event : profile.at("traceEvents")) {
        if (event.at("ph") == "X") {
            ++categories[event.at("cat")];
            EXPECT_GE(event.at("ts").get<double>(), 0);
            EXPECT_GE(event.at("dur").get<double>(), 0);
        }
    }
    EXPECT_EQ(categories["forward"], forward.size());
    EXPECT_EQ(categories["backward"], backward.size());
    EXPECT_GT(categories["module"], 0U);
}

TEST_P(GoldenCommand, SummaryHasTheParametersThatInfoCounts) {
    std::vector<std::string> arguments = of("summary");
    arguments.push_back("--json");
    const auto summary = nlohmann::json::parse(command(arguments));
    const auto info =
        nlohmann::json::parse(command({"info", GetParam().model, "--preset", GetParam().preset, "--json"}));
    EXPECT_EQ(summary.at("parameters"), info.at("parameters"));
    EXPECT_GT(summary.at("multiply_adds").get<double>(), 1e5);
    EXPECT_FALSE(summary.at("modules").empty());
    arguments.back() = "--depth=1";
    EXPECT_THAT(command(arguments), HasSubstr("multiply-adds"));
}

TEST_P(GoldenCommand, GraphIsADrawing) {
    std::vector<std::string> arguments = of("graph");
    const fs::path file = out_ / "g.svg";
    arguments.insert(arguments.end(), {"--out", file.string()});
    EXPECT_THAT(command(arguments), HasSubstr("boxes"));
    const std::string svg = content(file);
    EXPECT_TRUE(svg.starts_with("<svg "));
    EXPECT_TRUE(svg.ends_with("</svg>\n"));
    EXPECT_THAT(svg, HasSubstr("input, "));
    EXPECT_THAT(svg, HasSubstr("output"));
    EXPECT_THAT(svg, HasSubstr("marker-end"));
}

INSTANTIATE_TEST_SUITE_P(
    Every, GoldenCommand,
    ::testing::Values(
        Small{"albert", "albert-tiny", "aten.embedding_dense_backward"},
        Small{"bert", "bert-tiny", "aten.native_layer_norm_backward"},
        Small{"codegen", "codegen-tiny", "aten._softmax_backward_data"},
        Small{"gpt2", "gpt2-tiny", "aten.gelu_backward"},
        Small{"mnist", "mnist", "aten.max_pool2d_with_indices_backward"},
        Small{"mobilenetv2", "mobilenetv2-tiny", "aten.native_batch_norm_backward"},
        Small{"resnet", "resnet-tiny", "aten.convolution_backward"},
        Small{"yolov4", "yolov4-nano", "aten.upsample_nearest2d_backward"}),
    [](const auto& test) { return std::string(test.param.model); });

TEST(GoldenCommandRefusals, OneLineEach) {
    EXPECT_THAT(refusal({"summary", "lstm"}), HasSubstr("model 'lstm' is not known; the models are: albert, bert"));
    EXPECT_THAT(refusal({"graph"}), HasSubstr("a model is missing"));
    EXPECT_THAT(refusal({"summary", "mnist", "--depth", "-1"}), HasSubstr("--depth"));
    EXPECT_THAT(refusal({"summary", "mnist", "--depth", "two"}), HasSubstr("--depth"));
    EXPECT_THAT(
        refusal({"graph", "mnist", "--out", "/nowhere/at/all/g.svg"}), HasSubstr("/nowhere/at/all is not a directory"));
    EXPECT_THAT(refusal({"graph", "mnist", "--out", ::testing::TempDir()}), HasSubstr("is not the name of a file"));
    EXPECT_THAT(refusal({"trace", "mnist", "--out", "/dev/null/stat"}), HasSubstr("is not a directory"));
    EXPECT_THAT(refusal({"trace", "bert", "--sequence", "7"}), HasSubstr("--sequence"));
    EXPECT_THAT(refusal({"metrics", "lstm"}), HasSubstr("model 'lstm' is not known; the models are: albert, bert"));
    EXPECT_THAT(refusal({"metrics", "mnist", "--out", "/dev/null/docs"}), HasSubstr("is not a directory"));
    EXPECT_THAT(
        refusal({"bench", "gpt2", "--preset", "gpt2-tiny", "--new-tokens", "128"}),
        HasSubstr("do not fit into the context of 128"));
}

}  // namespace
}  // namespace zoo::apps
