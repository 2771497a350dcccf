// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "aten/aten_trace.hpp"
#include "golden.hpp"
#include "model_bench.hpp"

namespace zoo::apps::aten {

// One forward pass of a model's golden. Error in `command` where there is none.
[[nodiscard]] Trace trace_forward(std::string_view command, const Bench& bench, bool backward = false);
// What the golden computes of what the device does in one run: of models that write a prompt and tokens after it.
[[nodiscard]] Trace trace_golden(std::string_view command, const Bench& bench);

}  // namespace zoo::apps::aten
