// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace tt::tt_metal {

enum class TensorMemoryLayout { INTERLEAVED = 0, HEIGHT_SHARDED = 2, WIDTH_SHARDED = 3, BLOCK_SHARDED = 4 };
enum class ShardOrientation { ROW_MAJOR = 0, COL_MAJOR = 1 };
enum class BufferType { DRAM, L1, SYSTEM_MEMORY, L1_SMALL, TRACE };

}  // namespace tt::tt_metal
