// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include <tt-metalium/base_types.hpp>
#include <tt-metalium/tt_backend_api_types.hpp>

namespace ttnn {

struct ComputeKernelConfig {
    tt::tt_metal::MathFidelity math_fidelity = tt::tt_metal::MathFidelity::LoFi;
    bool math_approx_mode = true;
    bool fp32_dest_acc_en = false;
    bool packer_l1_acc = false;
    bool dst_full_sync_en = false;

    bool operator==(const ComputeKernelConfig&) const = default;
};

using DeviceComputeKernelConfig = ComputeKernelConfig;
using WormholeComputeKernelConfig = ComputeKernelConfig;
using BlackholeComputeKernelConfig = ComputeKernelConfig;

// The caller's config as it is, or else one of the defaults given: there is no merge of the two.
DeviceComputeKernelConfig init_device_compute_kernel_config(
    tt::ARCH arch, const std::optional<const DeviceComputeKernelConfig>& device_kernel_config,
    tt::tt_metal::MathFidelity default_fidelity = tt::tt_metal::MathFidelity::LoFi, bool default_approx_mode = true,
    bool default_fp32_acc = false, bool default_l1_acc = false, bool default_dst_full_sync_en = false);

// How many tiles the destination register holds: 8, halved for float32 accumulation, doubled for full sync.
std::uint32_t get_dest_reg_count(const DeviceComputeKernelConfig& compute_kernel_config);

}  // namespace ttnn
