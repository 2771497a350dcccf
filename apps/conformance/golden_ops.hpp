// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "conformance/golden_case.hpp"
#include "ttnn/types.hpp"

namespace zoo::conformance {

// Makes the call of the case on the device; the values of its result in row-major order. UnknownCase for what it does not know.
std::vector<float> run_on_device(const GoldenCase& golden, ttnn::MeshDevice& device);

// The same call in exact arithmetic (double) on the same stored inputs.
std::vector<float> run_exactly(const GoldenCase& golden);

}  // namespace zoo::conformance
