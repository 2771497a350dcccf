// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>

#include "ttnn/types.hpp"

namespace ttnn {
namespace device {

using MeshDevice = tt::tt_metal::distributed::MeshDevice;

std::shared_ptr<MeshDevice> open_mesh_device(
    int device_id, std::size_t l1_small_size = 0, std::size_t trace_region_size = 0,
    std::size_t num_command_queues = 1);
void close_device(MeshDevice& device);
void enable_program_cache(IDevice& device);
void disable_and_clear_program_cache(IDevice& device);

}  // namespace device

using namespace device;

}  // namespace ttnn
