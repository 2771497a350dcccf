// SPDX-License-Identifier: Apache-2.0
#include <ttnn/operations/core/compute_kernel/compute_kernel_config.hpp>

namespace ttnn {

DeviceComputeKernelConfig init_device_compute_kernel_config(
    tt::ARCH /*arch*/, const std::optional<const DeviceComputeKernelConfig>& device_kernel_config,
    tt::tt_metal::MathFidelity default_fidelity, bool default_approx_mode, bool default_fp32_acc, bool default_l1_acc,
    bool default_dst_full_sync_en) {
    if (device_kernel_config) {
        return *device_kernel_config;
    }
    return {
        .math_fidelity = default_fidelity,
        .math_approx_mode = default_approx_mode,
        .fp32_dest_acc_en = default_fp32_acc,
        .packer_l1_acc = default_l1_acc,
        .dst_full_sync_en = default_dst_full_sync_en};
}

std::uint32_t get_dest_reg_count(const DeviceComputeKernelConfig& compute_kernel_config) {
    const std::uint32_t tiles = compute_kernel_config.dst_full_sync_en ? 16 : 8;
    return compute_kernel_config.fp32_dest_acc_en ? tiles / 2 : tiles;
}

}  // namespace ttnn
