// SPDX-License-Identifier: Apache-2.0
#pragma once

// A pool once its arguments are in order.
#include "ops/pool/pool_plan.hpp"

namespace ttnn_cpu::pool_op {

// How a call wants its memory treated.
struct Handling {
    std::optional<MemoryConfig> memory_config;
    bool frees_input = false;
    bool moves_halo = true;
};

// window.ceil_pad is filled in here.
Tensor run_pool(
    const Tensor& given, Pool pool, const Handling& handling, const std::optional<sliding::SliceConfig>& slice_config);

}  // namespace ttnn_cpu::pool_op
