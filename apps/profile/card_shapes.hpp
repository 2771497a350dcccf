// SPDX-License-Identifier: Apache-2.0
#pragma once

// Shapes as the card's model counts them.
#include <cstddef>

#include <ttnn_cpu/records.hpp>

#include "ttnn/types.hpp"

namespace zoo::apps::profile {

inline constexpr double kTile = 32;

double elements(const ttnn::Shape& shape);
// A dimension counted from the last; 1 beyond the first.
double last(const ttnn::Shape& shape, std::size_t from_end);
// Of its padded shape; a row-major tensor counts as if it were tiled.
double tiles_of(const ttnn_cpu::TensorRecord& tensor);
// With the shared exponents of block floats: 1088 for BFLOAT8_B.
double tile_bytes(const ttnn_cpu::TensorRecord& tensor);
bool is_local(const ttnn_cpu::TensorRecord& tensor);  // sharded in L1

// What is transferred at once, and how often, for the whole tensor: tiles, or rows of a row-major tensor or of its shards.
struct Pages {
    double count = 0;
    double bytes = 0;  // of each

    [[nodiscard]] double total() const { return count * bytes; }
};
Pages pages_of(const ttnn_cpu::TensorRecord& tensor);

// Tiles of the busiest core.
double tiles_a_core(const ttnn_cpu::TensorRecord& tensor, double cores);

}  // namespace zoo::apps::profile
