// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <dnnl.hpp>

#include <cstddef>
#include <cstdint>
#include <string>

// What the primitives of oneDNN share.
namespace ttnn_cpu::kernels {

// Of the operands of a matmul or convolution; sums are float32.
enum class OperandType : std::uint8_t { Float32, Bfloat16 };

constexpr std::size_t bytes_of(OperandType type) { return type == OperandType::Float32 ? 4 : 2; }

const dnnl::engine& onednn_engine();
// Of the calling thread.
dnnl::stream& onednn_stream();

dnnl::memory::data_type onednn_type(OperandType type);

// Primitives are made with a scratchpad of the user's: a library scratchpad belongs to the thread that makes the
// primitive.
dnnl::primitive_attr onednn_attributes();
// Memory of the calling thread.
dnnl::memory onednn_scratchpad(const dnnl::memory::desc& desc);

// Lays values out anew.
void onednn_reorder(const dnnl::memory::desc& from_desc, const void* from, const dnnl::memory::desc& to_desc, void* to);

// Equal for layouts that are equal.
std::string onednn_layout_name(const dnnl::memory::desc& desc);

}  // namespace ttnn_cpu::kernels
