// SPDX-License-Identifier: Apache-2.0
#pragma once

// One run of a test over versions, presets and sizes, and what it is called.

#include <gtest/gtest.h>

#include <cstdint>
#include <ostream>
#include <string>

#include "zoo/plan.hpp"

namespace zoo::mobilenetv2 {

struct PlanCase {
    Plan plan;
    const char* preset;
    std::int64_t batch;
};

inline void PrintTo(const PlanCase& value, std::ostream* out) {
    *out << to_string(value.plan) << " " << value.preset << " batch " << value.batch;
}

inline std::string name_of(const ::testing::TestParamInfo<PlanCase>& row) {
    std::string name = row.param.preset;
    std::erase_if(name, [](char letter) { return letter == '-' || letter == '.'; });
    return std::string(to_string(row.param.plan)) + "_" + name + "Batch" + std::to_string(row.param.batch);
}

}  // namespace zoo::mobilenetv2
