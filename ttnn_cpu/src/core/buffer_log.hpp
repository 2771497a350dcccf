// SPDX-License-Identifier: Apache-2.0
#pragma once

// Which buffers came and went in the memories that are being logged.
#include <ttnn_cpu/call_script.hpp>

#include "core/device_memory.hpp"

namespace ttnn_cpu {

// The id of the newest call record of the device whose recording began last.
std::uint64_t last_call_begun();

}  // namespace ttnn_cpu

namespace ttnn_cpu::buffer_log {

void start(const DeviceMemory& memory);
std::vector<BufferChange> stop(const DeviceMemory& memory);

// Called by the memory; nearly free unless it is being logged. `spec` is null for a free.
void add(
    const DeviceMemory& memory, tt::tt_metal::BufferType type, std::uint64_t address,
    const tt::tt_metal::TensorSpec* spec);

}  // namespace ttnn_cpu::buffer_log
