// SPDX-License-Identifier: Apache-2.0
#include "conformance/replay.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <iterator>
#include <set>

#include <ttnn/device.hpp>
#include <ttnn/operations/eltwise/binary/binary.hpp>
#include <ttnn/tensor/tensor_ops.hpp>

#include "conformance/l1_table.hpp"

namespace zoo::conformance {
namespace {

using ttnn_cpu::Board;

// One sentence a disagreement; layers repeat, so each is told once.
std::vector<std::string> disagreements(const Replay& replay) {
    std::vector<std::string> result;
    const auto add = [&](const std::string& text) {
        if (std::find(result.begin(), result.end(), text) == result.end()) {
            result.push_back(text);
        }
    };
    for (const ReplayedCall& call : replay.calls) {
        const std::string place = call.function + " (" + call.inputs + "): ";
        for (const std::string& difference : call.differences) {
            add(place + difference);
        }
        if (!call.not_replayed.empty()) {
            add(place + "not replayed: " + call.not_replayed);
        } else if (call.refused_here != call.refused.has_value()) {
            add(place + "refused by one alone: " + call.refused.value_or("the embedded device"));
        }
    }
    if (!replay.broken_off.empty()) {
        add(replay.broken_off);
    }
    return result;
}

class PassOnRealLibrary : public testing::TestWithParam<std::tuple<apps::ModelPass, Board>> {};

TEST_P(PassOnRealLibrary, EveryCallAgrees) {
    const auto& [pass, board] = GetParam();
    try {
        const Replay answers = replay(pass, board);
        EXPECT_GT(answers.calls.size(), 0U);
        EXPECT_THAT(disagreements(answers), testing::IsEmpty());
        EXPECT_THAT(l1_complaints(answers), testing::IsEmpty());
    } catch (const OutOfReach& error) {
        GTEST_SKIP() << "the real TTNN is out of reach: " << error.what();
    }
}

std::string case_name(const testing::TestParamInfo<PassOnRealLibrary::ParamType>& info) {
    const auto& [pass, board] = info.param;
    std::string name = std::string(pass.model) + "_" + pass.name + "_" + std::string(to_string(board));
    std::replace_if(
        name.begin(), name.end(), [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
    return name;
}

// Of every model both plans at batch 1 and at its large batch. `tt-zoo conformance replay MODEL` has more presets
// (docs/embedded_provider.md); these take the time that a run of all tests can spare.
bool is_tested(const apps::ModelPass& pass) {
    if (pass.model == "albert" || pass.model == "bert") {
        return true;
    }
    constexpr std::array<std::string_view, 6> kPresets{"codegen-350m-mono ", "gpt2 ",     "mnist ",
                                                       "mobilenetv2 ",       "resnet50 ", "yolov4-320 "};
    return std::any_of(
        kPresets.begin(), kPresets.end(), [&](std::string_view preset) { return pass.name.starts_with(preset); });
}

std::vector<apps::ModelPass> tested_passes() {
    std::vector<apps::ModelPass> result;
    std::copy_if(apps::passes().begin(), apps::passes().end(), std::back_inserter(result), is_tested);
    return result;
}

INSTANTIATE_TEST_SUITE_P(
    Models, PassOnRealLibrary,
    testing::Combine(testing::ValuesIn(tested_passes()), testing::Values(Board::N150, Board::P150)), case_name);

TEST(ReplayTests, HaveEveryModelInBothPlans) {
    std::set<std::string> wanted;
    std::set<std::string> found;
    for (const apps::ModelPass& pass : apps::passes()) {
        const std::string plan = pass.name.find("functional") != std::string::npos ? "functional" : "optimized";
        wanted.insert(std::string(pass.model) + " " + plan);
        if (is_tested(pass)) {
            found.insert(std::string(pass.model) + " " + plan);
        }
    }
    EXPECT_EQ(found, wanted);
}

// The sum of two tensors, as a script.
ttnn_cpu::CallScript recorded_sum() {
    ttnn_cpu::set_default_device_options({});
    const auto device = ttnn::open_mesh_device(0);
    const tt::tt_metal::TensorSpec spec(
        ttnn::Shape({1, 1, 64, 64}),
        tt::tt_metal::TensorLayout(
            ttnn::DataType::BFLOAT16, tt::tt_metal::PageConfig(ttnn::Layout::TILE), ttnn::MemoryConfig{}));
    ttnn_cpu::start_script(*device);
    const auto a = ttnn::create_device_tensor(spec, device.get());
    const auto b = ttnn::create_device_tensor(spec, device.get());
    const auto sum = ttnn::add(a, b);
    return ttnn_cpu::stop_script(*device);
}

TEST(Replay, SeesAnOutputThatDiffers) {
    ttnn_cpu::CallScript script = recorded_sum();
    ASSERT_EQ(script.recording.calls.size(), 1U);
    auto& output = script.recording.calls[0].outputs.at(0).spec;
    output = tt::tt_metal::TensorSpec(
        output.logical_shape(),
        tt::tt_metal::TensorLayout(
            ttnn::DataType::BFLOAT8_B, tt::tt_metal::PageConfig(ttnn::Layout::TILE), output.memory_config()));
    try {
        EXPECT_THAT(
            disagreements(replay(script, 0, Board::N150)),
            testing::ElementsAre(testing::HasSubstr("dtype is BFLOAT8_B on the embedded device, BFLOAT16")));
    } catch (const OutOfReach& error) {
        GTEST_SKIP() << error.what();
    }
}

TEST(Replay, SeesPeakL1ThatDiffers) {
    try {
        Replay answers = replay(recorded_sum(), 0, Board::N150);
        EXPECT_THAT(l1_complaints(answers), testing::IsEmpty());
        ASSERT_EQ(answers.calls.size(), 1U);
        ASSERT_TRUE(answers.calls[0].there);
        EXPECT_GT(answers.calls[0].there->circular_buffers, 0U);
        answers.calls[0].here.circular_buffers += answers.calls[0].there->circular_buffers / 10;
        EXPECT_THAT(
            l1_complaints(answers), testing::ElementsAre(testing::HasSubstr("ttnn::add ([1,1,64,64] BFLOAT16")));
    } catch (const OutOfReach& error) {
        GTEST_SKIP() << error.what();
    }
}

TEST(Replay, SeesACallThatIsNotKnown) {
    ttnn_cpu::CallScript script = recorded_sum();
    script.recording.calls.at(0).function = "ttnn::no_such_function";
    try {
        EXPECT_THAT(
            disagreements(replay(script, 0, Board::N150)),
            testing::ElementsAre(testing::HasSubstr("no row for ttnn::no_such_function")));
    } catch (const OutOfReach& error) {
        GTEST_SKIP() << error.what();
    }
}

TEST(CallScript, TellsOfBuffersAndCallsInOrder) {
    const ttnn_cpu::CallScript script = recorded_sum();
    ASSERT_GE(script.buffers.size(), 3U);
    EXPECT_TRUE(script.buffers[0].allocated);
    EXPECT_EQ(script.buffers[0].call_id, 0U);
    EXPECT_EQ(script.buffers[2].call_id, script.recording.calls.at(0).id) << "the sum is allocated by the call";
    const std::string json = ttnn_cpu::to_json(script);
    EXPECT_LT(json.find("\"buffer\":\"allocated\""), json.find("\"call\":\"ttnn::add\""));
}

}  // namespace
}  // namespace zoo::conformance
