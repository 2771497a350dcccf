// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tt-metalium/shape.hpp>
#include <tt-metalium/shape2d.hpp>
#include <tt-metalium/tensor/spec/layout/alignment.hpp>
#include <tt-metalium/tensor/spec/layout/page_config.hpp>
#include <tt-metalium/tensor/spec/memory_config/memory_config.hpp>
#include <tt-metalium/tensor/tensor_types.hpp>

namespace tt::tt_metal {

// Data type, pages, memory and padding of a tensor, without its shape. Throws for a block float that is not in tiles.
class TensorLayout {
public:
    TensorLayout(
        DataType dtype, const PageConfig& page_config, const MemoryConfig& memory_config,
        const Alignment& alignment = {});

    Layout get_layout() const { return page_config_.get_layout(); }
    Tile get_tile() const { return page_config_.get_tile(); }
    PageConfig get_page_config() const { return page_config_; }
    DataType get_data_type() const { return dtype_; }
    const MemoryConfig& get_memory_config() const { return memory_config_; }
    const Alignment& get_alignment() const { return alignment_; }

    TensorLayout with_memory_config(MemoryConfig memory_config) const;

    bool operator==(const TensorLayout& other) const = default;

private:
    DataType dtype_;
    PageConfig page_config_;
    MemoryConfig memory_config_;
    Alignment alignment_;
};

}  // namespace tt::tt_metal
