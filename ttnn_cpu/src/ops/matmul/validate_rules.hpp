// SPDX-License-Identifier: Apache-2.0
#pragma once

// Parts of validate_config.
#include "ops/matmul/device_operation.hpp"

namespace ttnn_cpu::matmul_op {

struct Checked {
    const Tensor& a;
    const Tensor& b;
    const std::optional<Tensor>& bias;
    const Params& params;
    Sizes sizes;
    std::string_view name;  // of the config

    const MemoryConfig& out() const { return params.output_mem_config; }
    TensorMemoryLayout layout_a() const { return a.memory_config().memory_layout(); }
    TensorMemoryLayout layout_b() const { return b.memory_config().memory_layout(); }
};

// A sharded output lies where and how a does.
void check_output_like_a(const Checked& checked);
// Shards in L1 on cores of the device.
void check_in_device_grid(const Tensor& tensor);
// A given output shard grid starts within the cores.
void check_output_grid(const Checked& checked, const CoreCoord& extent);
// A sharded output is written in whole rows of a core.
void check_whole_rows(
    const Checked& checked, std::size_t sub_w, std::size_t sub_h, std::size_t w, std::size_t h, std::size_t per_core_n);
void check_fused_batch(const Checked& checked, bool fuse_batch);

void check_config(const Checked& checked, const Mcast1DConfig& config);
void check_config(const Checked& checked, const Mcast2DConfig& config);

}  // namespace ttnn_cpu::matmul_op
