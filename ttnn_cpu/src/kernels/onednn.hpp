// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <dnnl.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

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

// Calls a primitive that has a source, weights, a result and a scratchpad. It keeps the library's memory objects from call to
// call: to make them takes longer than a small product. run() may be called from several threads at a time.
class OnednnCaller {
public:
    struct Descriptors {
        dnnl::memory::desc source;
        dnnl::memory::desc weights;
        dnnl::memory::desc result;
        dnnl::memory::desc scratchpad;
    };
    OnednnCaller(dnnl::primitive primitive, Descriptors descriptors);

    void run(const void* source, const void* weights, void* result) const;

private:
    using Arguments = std::unordered_map<int, dnnl::memory>;
    std::unique_ptr<Arguments> take() const;

    dnnl::primitive primitive_;
    Descriptors descriptors_;
    std::size_t scratchpad_bytes_;
    mutable std::mutex mutex_;
    mutable std::vector<std::unique_ptr<Arguments>> idle_;
};

// Lays values out anew.
void onednn_reorder(const dnnl::memory::desc& from_desc, const void* from, const dnnl::memory::desc& to_desc, void* to);

// Equal for layouts that are equal.
std::string onednn_layout_name(const dnnl::memory::desc& desc);

}  // namespace ttnn_cpu::kernels
