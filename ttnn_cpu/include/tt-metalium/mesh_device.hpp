// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

#include <tt-metalium/device.hpp>
#include <tt-metalium/mesh_command_queue.hpp>

namespace ttnn_cpu {
class DeviceImpl;
}

namespace tt::tt_metal::distributed {

// A mesh of one device: a Wormhole n150, or a Blackhole p150 (ttnn_cpu/device_options.hpp chooses).
class MeshDevice final : public IDevice, public std::enable_shared_from_this<MeshDevice> {
public:
    explicit MeshDevice(std::unique_ptr<ttnn_cpu::DeviceImpl> impl);
    ~MeshDevice() override;
    MeshDevice(const MeshDevice&) = delete;
    MeshDevice& operator=(const MeshDevice&) = delete;

    static std::shared_ptr<MeshDevice> create_unit_mesh(
        int device_id, std::size_t l1_small_size = 0, std::size_t trace_region_size = 0,
        std::size_t num_command_queues = 1);

    tt::ARCH arch() const override;
    CoreCoord compute_with_storage_grid_size() const override;
    std::uint32_t l1_size_per_core() const override;
    std::uint64_t dram_size_per_channel() const override;
    int num_dram_channels() const override;
    int get_clock_rate_mhz() const override;
    std::uint8_t num_hw_cqs() const override;

    void enable_program_cache() override;
    void disable_and_clear_program_cache() override;
    void clear_program_cache() override;
    void set_program_cache_misses_allowed(bool allowed) override;
    std::size_t num_program_cache_entries() override;

    MeshCommandQueue& mesh_command_queue(std::optional<std::uint8_t> cq_id = std::nullopt) const;
    bool is_initialized() const;
    bool close();

    ttnn_cpu::DeviceImpl& impl() const { return *impl_; }

private:
    std::unique_ptr<ttnn_cpu::DeviceImpl> impl_;
};

}  // namespace tt::tt_metal::distributed
