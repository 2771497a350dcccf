// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "zoo/error.hpp"

namespace zoo::testing {

// A directory of the running test's own, gone at its end.
class Scratch : public ::testing::Test {
protected:
    void SetUp() override {
        const auto* info = ::testing::UnitTest::GetInstance()->current_test_info();
        std::string name = std::string(info->test_suite_name()) + "." + info->name() + "." + std::to_string(::getpid());
        std::replace(name.begin(), name.end(), '/', '_');
        directory_ = std::filesystem::temp_directory_path() / ("zoo." + name);
        std::filesystem::create_directories(directory_);
    }
    void TearDown() override { std::filesystem::remove_all(directory_); }

    [[nodiscard]] std::filesystem::path path(std::string_view name) const { return directory_ / name; }

    std::filesystem::path write(std::string_view name, std::string_view bytes) const {
        // Some file systems flush a file that is truncated and written again: milliseconds each.
        std::filesystem::remove(path(name));
        std::ofstream(path(name), std::ios::binary) << bytes;
        return path(name);
    }

    std::filesystem::path directory_;
};

template <class T>
std::string bytes_of(const std::vector<T>& values) {
    return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)};
}

template <class T>
std::string bytes_of(T value) {
    return {reinterpret_cast<const char*>(&value), sizeof(T)};
}

// `action` must throw zoo::Error, with every fragment in its text.
template <class Action>
void expect_error(Action&& action, std::initializer_list<std::string_view> fragments) {
    try {
        action();
        ADD_FAILURE() << "no zoo::Error";
    } catch (const Error& error) {
        for (const std::string_view fragment : fragments) {
            EXPECT_THAT(error.what(), ::testing::HasSubstr(std::string(fragment)));
        }
        EXPECT_LT(std::strlen(error.what()), 4000U) << "a message must stay readable";
    }
}

}  // namespace zoo::testing
