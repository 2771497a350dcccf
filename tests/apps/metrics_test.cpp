// SPDX-License-Identifier: Apache-2.0
// The op conversion of `tt-zoo metrics`, and whether the tables in docs are still true of the ops.
#include <algorithm>
#include <fstream>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "golden.hpp"
#include "metrics/pages.hpp"
#include "registry.hpp"
#include "source_dir.hpp"

namespace zoo::apps::metrics {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Pair;

profile::Operation call(const std::string& name, const std::string& argument = "") {
    return {.name = name, .arguments = {{"config", argument}}, .inputs = {}, .outputs = {}, .ops = {}};
}

Conversions converted(
    const std::vector<std::pair<std::string, bool>>& aten, const std::vector<profile::Operation>& run) {
    modules::Network golden;
    for (const auto& [type, constant] : aten) {
        golden.trace.ops.push_back({.type = type});
        golden.constant.push_back(constant);
    }
    return convert(golden, run);
}

TEST(Conversion, AnOpOfItsOwn) {
    const Conversions found =
        converted({{"aten.addmm.default", false}, {"aten.addmm.default", false}}, {call("ttnn.linear")});
    ASSERT_EQ(found.rows.size(), 1U);
    EXPECT_EQ(found.rows[0].status, Status::Device);
    EXPECT_EQ(found.rows[0].count, 2U);
    EXPECT_EQ(found.rows[0].became, "`ttnn.linear` 1");
    EXPECT_EQ(found.host_ops(), 0U);
    EXPECT_TRUE(found.besides.empty());
}

TEST(Conversion, WhatNothingDoesIsLeftOnTheHost) {
    const Conversions found =
        converted({{"aten.native_layer_norm.default", false}, {"aten.erfinv.default", false}}, {call("ttnn.linear")});
    EXPECT_EQ(found.host_ops(), 2U);
    EXPECT_EQ(found.host_unique(), 2U);
    EXPECT_THAT(found.besides, ElementsAre(Pair("ttnn.linear", 1U)));
}

TEST(Conversion, AFunctionIsFusedOnlyWhereTheCallNamesIt) {
    const Conversions without =
        converted({{"aten.relu_.default", false}}, {call("ttnn.conv2d", "activation=std::nullopt;")});
    EXPECT_EQ(without.rows[0].status, Status::Host);
    const Conversions other =
        converted({{"aten.relu_.default", false}}, {call("ttnn.conv2d", "(op_type=RELU6;params=())")});
    EXPECT_EQ(other.rows[0].status, Status::Host);
    const Conversions with = converted(
        {{"aten.relu_.default", false}},
        {call("ttnn.conv2d", "(op_type=RELU;params=())"), call("ttnn.conv2d", "activation=std::nullopt;")});
    EXPECT_EQ(with.rows[0].status, Status::Fused);
    EXPECT_EQ(with.rows[0].became, "in `ttnn.conv2d` 1");
}

TEST(Conversion, ConstantsArePreparedAndViewsAreNothing) {
    const Conversions found = converted(
        {{"aten.t.default", true}, {"aten.mul.Tensor", true}, {"aten.mul.Tensor", false}, {"aten.view.default", false}},
        {call("ttnn.multiply")});
    ASSERT_EQ(found.rows.size(), 3U);
    EXPECT_EQ(found.rows[0].became, "`ttnn.multiply` 1, 1 prepared");
    EXPECT_EQ(found.rows[0].status, Status::Device);
    EXPECT_EQ(found.rows[1].status, Status::Prepared);
    EXPECT_EQ(found.rows[2].status, Status::View);
}

TEST(Pages, RowsAreReadBack) {
    const Metrics metrics{.model = "bert", .preset = "bert-tiny", .ops = {}, .run = {}, .failure = "no room"};
    const std::map<std::string, std::vector<std::string>> rows{
        {"bert", {table_row(metrics)}}, {"mnist", {table_row({.model = "mnist", .preset = "mnist"})}}};
    EXPECT_EQ(rows_of_overview(overview_page(rows)), rows);
    EXPECT_THAT(rows.at("bert")[0], HasSubstr("| ✘ | N/A"));
    EXPECT_THAT(table_row({.model = "bert", .preset = "bert-0.5"}), HasSubstr("[bert-0.5](metrics/bert.md#bert-05)"));
    EXPECT_THAT(model_page("bert", {metrics}), HasSubstr("Does not run: no room"));
}

std::string document(const std::string& path) {
    std::ifstream file(source_path(path));
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

constexpr const char* kAgain = "; run `./tt-zoo metrics` again and commit what it writes";

TEST(MetricsTables, HaveEveryPreset) {
    const auto rows = rows_of_overview(document("docs/metrics.md"));
    for (const ModelEntry& model : models()) {
        const std::string page = document("docs/metrics/" + std::string(model.name) + ".md");
        ASSERT_TRUE(rows.contains(std::string(model.name))) << model.name << kAgain;
        EXPECT_EQ(rows.at(std::string(model.name)).size(), model.presets.size()) << model.name << kAgain;
        for (const std::string_view preset : model.presets) {
            EXPECT_THAT(page, HasSubstr("\n## " + std::string(preset) + "\n")) << kAgain;
        }
    }
}

struct Cheap {
    const char* model;
    const char* preset;
};

// The ops of these take seconds together; the other presets of a model differ from them in layers and widths.
class MetricsOps : public ::testing::TestWithParam<Cheap> {};

TEST_P(MetricsOps, AreThoseOfTheTables) {
    if (!golden_available()) {
        GTEST_SKIP() << "built without libtorch";
    }
    const auto model = std::ranges::find(models(), std::string_view(GetParam().model), &ModelEntry::name);
    ASSERT_NE(model, models().end());
    const OpFigures figures = collect_ops(*model, GetParam().preset);
    EXPECT_EQ(figures.conversions.host_ops(), 0U) << ops_section(figures);
    const std::string page = document("docs/metrics/" + std::string(model->name) + ".md");
    EXPECT_TRUE(page.find(ops_section(figures)) != std::string::npos)
        << "docs/metrics/" << model->name << ".md does not have this" << kAgain << ":\n"
        << ops_section(figures);
    const auto rows = rows_of_overview(document("docs/metrics.md"));
    const std::string start = "| [" + std::string(GetParam().preset) + "](";
    ASSERT_TRUE(rows.contains(std::string(model->name)));
    const auto& lines = rows.at(std::string(model->name));
    const auto row = std::ranges::find_if(lines, [&](const std::string& line) { return line.starts_with(start); });
    ASSERT_NE(row, lines.end()) << kAgain;
    EXPECT_THAT(*row, HasSubstr("| " + ops_cells(figures) + " |")) << kAgain;
}

INSTANTIATE_TEST_SUITE_P(
    Cheap, MetricsOps,
    ::testing::Values(
        Cheap{"albert", "albert-tiny"}, Cheap{"albert", "albert-imdb-small"}, Cheap{"bert", "bert-tiny"},
        Cheap{"bert", "minilm-l6"}, Cheap{"codegen", "codegen-tiny"}, Cheap{"gpt2", "gpt2-tiny"},
        Cheap{"gpt2", "gpt2-scripture"}, Cheap{"mnist", "mnist"}, Cheap{"mobilenetv2", "mobilenetv2-tiny"},
        Cheap{"mobilenetv2", "mobilenetv2"}, Cheap{"resnet", "resnet-tiny"}, Cheap{"resnet", "resnet18"},
        Cheap{"resnet", "resnet50"}, Cheap{"yolov4", "yolov4-nano"}, Cheap{"yolov4", "yolov4-tiny"}),
    [](const auto& test) {
        std::string name = test.param.preset;
        std::ranges::replace_if(
            name, [](char c) { return c == '-' || c == '.'; }, '_');
        return name;
    });

}  // namespace
}  // namespace zoo::apps::metrics
