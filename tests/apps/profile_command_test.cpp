// SPDX-License-Identifier: Apache-2.0
// `tt-zoo profile` of a network of each kind, down to the files.
#include <filesystem>
#include <fstream>
#include <map>
#include <set>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "cli.hpp"
#include "commands.hpp"

namespace zoo::apps {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::IsSupersetOf;
using ::testing::Not;
using Row = std::map<std::string, std::string>;

class ProfileCommand : public ::testing::Test {
protected:
    void SetUp() override {
        out_ = fs::path(::testing::TempDir()) /
               fmt::format("tt_zoo_{}", ::testing::UnitTest::GetInstance()->current_test_info()->name());
        fs::remove_all(out_);
    }
    void TearDown() override { fs::remove_all(out_); }

    std::string profile(std::vector<std::string> arguments) {
        arguments.insert(arguments.begin(), "profile");
        arguments.insert(arguments.end(), {"--weights", "random", "--out", out_.string()});
        return zoo::testing::run_program(add_models, std::move(arguments));
    }

    // The only file below the directory whose name ends so; empty when there is none.
    [[nodiscard]] fs::path file(const std::string& end) const {
        fs::path found;
        for (const fs::directory_entry& entry : fs::recursive_directory_iterator(out_)) {
            if (entry.path().string().ends_with(end)) {
                EXPECT_TRUE(found.empty()) << found << " and " << entry.path();
                found = entry.path();
            }
        }
        return found;
    }

    [[nodiscard]] std::vector<Row> sheet(const std::string& clock) const {
        std::ifstream lines(file(clock + ".csv"));
        std::vector<std::string> titles;
        std::vector<Row> rows;
        for (std::string line; std::getline(lines, line);) {
            std::vector<std::string> cells;
            std::istringstream parts(line + ",");
            for (std::string cell; std::getline(parts, cell, ',');) {
                cells.push_back(cell);
            }
            if (titles.empty()) {
                titles = cells;
                continue;
            }
            Row& row = rows.emplace_back();
            for (std::size_t i = 0; i < cells.size(); ++i) {
                row[titles.at(i)] = cells[i];
            }
        }
        return rows;
    }

    // How often each slice occurs on each track.
    [[nodiscard]] std::map<std::string, std::map<std::string, int>> slices() const {
        std::ifstream stream(file(".perfetto.json"));
        const auto trace = nlohmann::json::parse(stream);
        std::map<std::pair<int, int>, std::string> tracks;
        std::map<std::string, std::map<std::string, int>> found;
        for (const auto& event : trace.at("traceEvents")) {
            if (event.at("ph") == "M" && event.at("name") == "thread_name") {
                tracks[{event.at("pid"), event.at("tid")}] = event.at("args").at("name");
            } else if (event.at("ph") == "X") {
                ++found[tracks.at({event.at("pid"), event.at("tid")})][event.at("name")];
            }
        }
        return found;
    }

    fs::path out_;
};

TEST_F(ProfileCommand, ConvolutionsTracedOverTwoQueues) {
    const std::string printed = profile({"mnist", "--mode", "trace-2cq"});
    EXPECT_THAT(printed, HasSubstr("Conv2d"));
    EXPECT_THAT(printed, HasSubstr("waits for"));
    EXPECT_THAT(printed, HasSubstr("Peak L1"));
    const std::vector<Row> rows = sheet("_card");
    ASSERT_EQ(rows.size(), sheet("_cpu").size());
    std::size_t traced = 0;
    for (const Row& row : rows) {
        traced += row.at("METAL TRACE ID").empty() ? 0 : 1;
        EXPECT_EQ(row.at("CLOCK"), "modelled for the card");
    }
    EXPECT_GT(traced, 0u);
    EXPECT_LT(traced, rows.size()) << "the copy from the staging tensor is not of the trace";
    auto tracks = slices();
    EXPECT_EQ(tracks["queue 1"]["write"], 1);
    EXPECT_EQ(tracks["queue 0"]["trace"], 1);
    EXPECT_GT(tracks["queue 0"]["Conv2dDeviceOperation"], 0);
    EXPECT_EQ(tracks["TTNN calls"]["ttnn.execute_trace"], 1);
}

TEST_F(ProfileCommand, FunctionalConvolutionsOpByOp) {
    EXPECT_THAT(profile({"mnist", "--plan", "functional", "--mode", "plain"}), HasSubstr("functional, plain"));
    for (const Row& row : sheet("_cpu")) {
        EXPECT_EQ(row.at("METAL TRACE ID"), "");
        EXPECT_EQ(row.at("CLOCK"), "measured on this CPU");
    }
    auto tracks = slices();
    EXPECT_GT(tracks["TTNN calls"]["ttnn.conv2d"], 0);
}

TEST_F(ProfileCommand, ADecoderReplaysItsTraceTokenByToken) {
    const std::string printed = profile(
        {"gpt2", "--preset", "gpt2-tiny", "--prompt-tokens", "32", "--new-tokens", "3", "--mode", "trace",
         "--no-compute"});
    EXPECT_THAT(printed, HasSubstr("no: --no-compute"));
    EXPECT_THAT(printed, Not(HasSubstr("CPU ms")));
    EXPECT_TRUE(file("_cpu.csv").empty()) << "nothing was measured";
    std::set<std::string> replays;
    for (const Row& row : sheet("_card")) {
        replays.insert(row.at("METAL TRACE REPLAY SESSION ID"));
        EXPECT_NE(row.at("DEVICE KERNEL DURATION [ns]"), "0");
    }
    EXPECT_THAT(replays, IsSupersetOf({"1", "2", "3"}));
    EXPECT_EQ(slices().count("TTNN calls"), 0u) << "the host has no modelled clock";
}

}  // namespace
}  // namespace zoo::apps
