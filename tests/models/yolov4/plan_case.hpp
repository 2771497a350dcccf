// SPDX-License-Identifier: Apache-2.0
#pragma once

// What the tests of modules and models share.

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <memory>
#include <ostream>
#include <string>
#include <ttnn/device.hpp>

#include "models/yolov4/modules.hpp"
#include "support/arrays.hpp"
#include "support/matchers.hpp"
#include "support/thresholds.hpp"
#include "zoo/random.hpp"

namespace zoo::yolov4 {

// With room for the tables of convolutions, and for a trace.
inline std::shared_ptr<ttnn::MeshDevice> open_device() { return ttnn::open_mesh_device(0, 32 << 10, 16 << 20, 2); }

inline HostTensor random_picture(const Config& config, std::uint64_t seed) {
    return Random(seed).uniform({1, 3, config.height, config.width}, 0.0F, 1.0F);
}

// Also what the golden makes of a mistake must be outside of the bound: a bound that cannot tell is none.
inline void expect_close(
    const char* module, Plan plan, const HostTensor& expected, const HostTensor& actual, const HostTensor& mistaken) {
    const test::Bound& bound = test::threshold("yolov4", module, to_string(plan));
    EXPECT_WITHIN(expected, actual, bound);
    EXPECT_OUTSIDE(expected, mistaken, bound);
    const Comparison found = compare(expected.data, actual.data);
    const std::string name(module);
    ::testing::Test::RecordProperty(name + "_pcc", std::to_string(found.pcc));
    ::testing::Test::RecordProperty(name + "_relative_error", std::to_string(found.relative_error));
}

inline std::string plan_name(const ::testing::TestParamInfo<Plan>& row) { return std::string(to_string(row.param)); }

}  // namespace zoo::yolov4
