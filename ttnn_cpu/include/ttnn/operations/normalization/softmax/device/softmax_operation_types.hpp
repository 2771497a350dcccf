// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <variant>

#include <tt-metalium/core_coord.hpp>

namespace ttnn {

struct SoftmaxDefaultProgramConfig {};

// For a sharded input in place: each core has one shard of block_h x block_w tiles, which holds whole rows.
struct SoftmaxShardedMultiCoreProgramConfig {
    tt::tt_metal::CoreCoord compute_with_storage_grid_size;
    std::size_t subblock_w{};
    std::size_t block_h{};
    std::size_t block_w{};
};

using SoftmaxProgramConfig = std::variant<SoftmaxDefaultProgramConfig, SoftmaxShardedMultiCoreProgramConfig>;

}  // namespace ttnn
