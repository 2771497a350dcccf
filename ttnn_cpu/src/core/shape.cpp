// SPDX-License-Identifier: Apache-2.0
#include <tt-metalium/shape.hpp>

#include <algorithm>

#include "core/describe.hpp"
#include "core/fatal.hpp"

namespace tt::tt_metal {

std::uint64_t Shape::volume() const {
    std::uint64_t volume = 1;
    for (const std::uint32_t dim : value_) {
        volume *= dim;
    }
    return volume;
}

std::uint32_t Shape::get_normalized_index(std::int64_t index) const {
    const auto rank = static_cast<std::int64_t>(value_.size());
    TT_FATAL(index >= -rank && index < rank, "ShapeBase[] index out of range. {} not in [{}, {})", index, -rank, rank);
    return static_cast<std::uint32_t>(index < 0 ? index + rank : index);
}

std::array<std::uint32_t, 4> Shape::to_array_4D() const {
    TT_FATAL(rank() == 4, "to_array_4D is only valid for 4D shapes! Called for {}.", ttnn_cpu::to_string(*this));
    return {value_[0], value_[1], value_[2], value_[3]};
}

Shape Shape::to_rank(std::size_t new_rank) const {
    Container dims(new_rank, 1);
    for (std::size_t i = 0; i < rank(); ++i) {
        const std::uint32_t dim = value_[rank() - 1 - i];
        if (i < new_rank) {
            dims[new_rank - 1 - i] = dim;
        } else {
            TT_FATAL(
                dim == 1, "Can't convert shape {} to rank {}: dimension {} is {} and would be lost",
                ttnn_cpu::to_string(*this), new_rank, rank() - 1 - i, dim);
        }
    }
    return Shape(std::move(dims));
}

}  // namespace tt::tt_metal
