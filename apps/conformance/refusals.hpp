// SPDX-License-Identifier: Apache-2.0
#pragma once

// Calls that must be refused: by the embedded device, and by the real library.
#include <functional>
#include <string>
#include <vector>

#include "conformance/replay.hpp"
#include "ttnn/tensor/tensor_ops.hpp"
#include "ttnn/types.hpp"

namespace zoo::conformance {

struct BadCall {
    std::string name;  // what is wrong with it
    // Makes its tensors and the one call.
    std::function<void(ttnn::MeshDevice&)> make;
    // Why only one of the two refuses it, from docs/embedded_provider.md; empty when both must.
    std::string known_difference = {};
};

// A tensor that cannot be.
struct BadTensor {
    std::string name;
    std::vector<std::uint32_t> shape;
    ttnn::DataType dtype = ttnn::DataType::BFLOAT16;
    ttnn::Layout layout = ttnn::Layout::TILE;
    ttnn::MemoryConfig memory = {};
    std::string known_difference = {};  // as BadCall's
};

struct Refusal {
    std::string name;
    std::string here;   // what the embedded device said; empty when it took the call
    std::string there;  // what the real library said
    std::string known_difference;
    std::string not_tried = {};  // why the real library was not asked

    // Both refuse, or one does for the known reason.
    [[nodiscard]] bool agrees() const {
        return not_tried.empty() &&
               (known_difference.empty() ? !here.empty() && !there.empty() : here.empty() != there.empty());
    }
};

[[nodiscard]] std::vector<BadCall> bad_matmuls();
[[nodiscard]] std::vector<BadCall> bad_layer_ops();   // elementwise, normalization, embedding, attention
[[nodiscard]] std::vector<BadCall> bad_decode_ops();  // caches, heads and attention of one token
[[nodiscard]] std::vector<BadCall> bad_movements();
[[nodiscard]] std::vector<BadCall> bad_window_ops();  // convolution, pooling, reductions
[[nodiscard]] std::vector<BadTensor> bad_tensors();

// Tries all of them on an embedded device and on the real library. Throws OutOfReach.
[[nodiscard]] std::vector<Refusal> try_refusals(ttnn_cpu::Board board);

// Shorthand for the tables.
[[nodiscard]] ttnn::Tensor tensor(
    ttnn::MeshDevice& device, std::vector<std::uint32_t> shape, ttnn::DataType dtype = ttnn::DataType::BFLOAT16,
    ttnn::Layout layout = ttnn::Layout::TILE, const ttnn::MemoryConfig& memory = {});
// Shards of `height` by `width` on a rectangle of cores from the first on.
[[nodiscard]] ttnn::MemoryConfig sharded(
    ttnn::TensorMemoryLayout layout, std::uint32_t cores_x, std::uint32_t cores_y, std::uint32_t height,
    std::uint32_t width);
[[nodiscard]] ttnn::MemoryConfig interleaved_l1();

}  // namespace zoo::conformance
