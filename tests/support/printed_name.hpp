// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <cctype>
#include <string>
#include <string_view>

#include "ttnn/types.hpp"

namespace zoo::test {

inline std::string_view name_of(ttnn::DataType dtype) {
    switch (dtype) {
        case ttnn::DataType::BFLOAT16:
            return "bfloat16";
        case ttnn::DataType::BFLOAT8_B:
            return "bfloat8_b";
        case ttnn::DataType::BFLOAT4_B:
            return "bfloat4_b";
        case ttnn::DataType::FLOAT32:
            return "float32";
        default:
            return "integer";
    }
}

// For INSTANTIATE_TEST_SUITE_P: a parameter as it is printed, in the characters that the name of a test may have.
inline constexpr auto printed_name = [](const auto& info) {
    std::string name;
    for (const unsigned char c : ::testing::PrintToString(info.param)) {
        if (std::isalnum(c) != 0) {
            name += static_cast<char>(c);
        } else if (c == '-') {
            name += "minus";
        } else if (!name.empty() && name.back() != '_') {
            name += '_';
        }
    }
    while (name.ends_with('_')) {
        name.pop_back();
    }
    return name;
};

}  // namespace zoo::test
