// SPDX-License-Identifier: Apache-2.0
#include "models/yolov4/ttnn_decode.hpp"

#include <array>
#include <vector>

#include "models/yolov4/head_layout.hpp"
#include "ttnn/operations/copy/typecast/typecast.hpp"
#include "ttnn/operations/core/core.hpp"
#include "ttnn/operations/data_movement/concat/concat.hpp"
#include "ttnn/operations/data_movement/slice/slice.hpp"
#include "ttnn/operations/eltwise/binary/binary.hpp"
#include "ttnn/operations/eltwise/unary/unary.hpp"

namespace zoo::yolov4 {
namespace {

using ttnn::MemoryConfig;
using ttnn::Tensor;

Tensor columns(const Tensor& map, std::int64_t first, std::int64_t last, const MemoryConfig& memory) {
    using Index = std::array<std::uint32_t, 4>;
    const std::uint32_t cells = map.logical_shape()[2];
    return ttnn::slice(
        map, Index{0, 0, 0, static_cast<std::uint32_t>(first)}, Index{1, 1, cells, static_cast<std::uint32_t>(last)},
        Index{1, 1, 1, 1}, memory);
}

// The input is consumed.
Tensor as_float32(Tensor tensor) {
    Tensor wide = ttnn::typecast(tensor, ttnn::DataType::FLOAT32);
    ttnn::deallocate(tensor);
    return wide;
}

// sigmoid(x) * slope + cell
Tensor centres(const ScaleParameters& parameters, const Tensor& map, const MemoryConfig& memory) {
    Tensor raw = columns(map, HeadLayout::kCentres, HeadLayout::kCentres + HeadLayout::kTile, memory);
    Tensor within = ttnn::sigmoid(raw);
    ttnn::deallocate(raw);
    Tensor wide = as_float32(within);
    Tensor scaled = ttnn::multiply(wide, parameters.slopes, std::nullopt, memory);
    ttnn::deallocate(wide);
    Tensor placed = ttnn::add(scaled, parameters.cells, std::nullopt, memory);
    ttnn::deallocate(scaled);
    return placed;
}

// exp(x) * anchor
Tensor sizes(const ScaleParameters& parameters, const Tensor& map, const MemoryConfig& memory) {
    Tensor raw = columns(map, HeadLayout::kSizes, HeadLayout::kSizes + HeadLayout::kTile, memory);
    Tensor wide = as_float32(raw);
    Tensor factor = ttnn::exp(wide);
    ttnn::deallocate(wide);
    Tensor sized = ttnn::multiply(factor, parameters.anchors, std::nullopt, memory);
    ttnn::deallocate(factor);
    return sized;
}

// The probabilities of an anchor's classes times its objectness, which is the block's first column.
Tensor scores(const HeadLayout& layout, std::int64_t anchor, const Tensor& map, const MemoryConfig& memory) {
    const std::int64_t first = HeadLayout::kBlocks + anchor * layout.block();
    Tensor raw = columns(map, first, first + layout.block(), memory);
    Tensor probabilities = ttnn::sigmoid(raw);
    ttnn::deallocate(raw);
    Tensor objectness = columns(probabilities, 0, 1, memory);
    Tensor scored = ttnn::multiply(probabilities, objectness, std::nullopt, memory);
    ttnn::deallocate(probabilities);
    ttnn::deallocate(objectness);
    return scored;
}

// The parts are consumed.
Tensor joined(std::vector<Tensor> parts, const MemoryConfig& memory) {
    Tensor whole = ttnn::concat(parts, 3, memory);
    for (Tensor& part : parts) {
        ttnn::deallocate(part);
    }
    return whole;
}

}  // namespace

ScalePredictions decode(
    const Config& config, const ScaleParameters& parameters, Tensor map, const MemoryConfig& memory) {
    const HeadLayout layout(config.num_classes);
    Tensor boxes = joined({centres(parameters, map, memory), sizes(parameters, map, memory)}, memory);
    std::vector<Tensor> blocks;
    for (std::int64_t anchor = 0; anchor < 3; ++anchor) {
        blocks.push_back(scores(layout, anchor, map, memory));
    }
    ttnn::deallocate(map);
    return {boxes, joined(std::move(blocks), memory)};
}

}  // namespace zoo::yolov4
