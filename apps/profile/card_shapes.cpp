// SPDX-License-Identifier: Apache-2.0
#include "profile/card_shapes.hpp"

#include <algorithm>
#include <cmath>

#include "profile/text.hpp"

namespace zoo::apps::profile {

using ttnn_cpu::TensorRecord;

double elements(const ttnn::Shape& shape) {
    double count = 1;
    for (const auto dim : shape.view()) {
        count *= dim;
    }
    return count;
}

double last(const ttnn::Shape& shape, std::size_t from_end) {
    const auto dims = shape.view();
    return from_end < dims.size() ? dims[dims.size() - 1 - from_end] : 1;
}

double tiles_of(const TensorRecord& tensor) {
    return std::ceil(elements(tensor.spec.padded_shape()) / (kTile * kTile));
}

double tile_bytes(const TensorRecord& tensor) {
    const double bits = bits_per_element(tensor.spec.data_type());
    const bool shared =
        tensor.spec.data_type() == ttnn::DataType::BFLOAT8_B || tensor.spec.data_type() == ttnn::DataType::BFLOAT4_B;
    return kTile * kTile * bits / 8 + (shared ? 64 : 0);
}

bool is_local(const TensorRecord& tensor) {
    return tensor.spec.memory_config().is_sharded() && tensor.spec.memory_config().is_l1();
}

Pages pages_of(const TensorRecord& tensor) {
    if (tensor.spec.layout() == ttnn::Layout::TILE) {
        return {tiles_of(tensor), tile_bytes(tensor)};
    }
    const auto& shard = tensor.spec.memory_config().shard_spec();
    const double row = std::max(1.0, last(tensor.spec.padded_shape(), 0));
    const double width = shard ? std::min<double>(row, shard->shape[1]) : row;
    return {elements(tensor.spec.padded_shape()) / width, width * bits_per_element(tensor.spec.data_type()) / 8};
}

double tiles_a_core(const TensorRecord& tensor, double cores) {
    if (const auto& shard = tensor.spec.memory_config().shard_spec()) {
        return std::ceil(shard->shape[0] / kTile) * std::ceil(shard->shape[1] / kTile);
    }
    return std::ceil(tiles_of(tensor) / cores);
}

}  // namespace zoo::apps::profile
