// SPDX-License-Identifier: Apache-2.0
#include "kernels/matmul_primitive.hpp"

#include "kernels/onednn.hpp"
#include "kernels/parallel.hpp"

namespace ttnn_cpu::kernels {
namespace {

using dnnl::memory;
using Dims = memory::dims;

memory::desc rows(std::size_t height, std::size_t width, memory::data_type type) {
    const auto h = static_cast<memory::dim>(height);
    const auto w = static_cast<memory::dim>(width);
    return {Dims{h, w}, type, Dims{w, 1}};
}

memory::desc columns(std::size_t height, std::size_t width, memory::data_type type) {
    const auto h = static_cast<memory::dim>(height);
    const auto w = static_cast<memory::dim>(width);
    return {Dims{h, w}, type, Dims{1, h}};
}

memory::desc weights_desc(std::size_t k, std::size_t n, WeightsLayout layout, memory::data_type type) {
    switch (layout) {
        case WeightsLayout::Rows:
            return rows(k, n, type);
        case WeightsLayout::Columns:
            return columns(k, n, type);
        case WeightsLayout::Packed:
            break;
    }
    return {Dims{static_cast<memory::dim>(k), static_cast<memory::dim>(n)}, type, memory::format_tag::any};
}

}  // namespace

struct MatmulPrimitive::Impl {
    OnednnCaller caller;
    memory::desc weights;
    std::size_t k;
    std::size_t n;
    memory::data_type type;
};

MatmulPrimitive::MatmulPrimitive(
    std::size_t m, std::size_t k, std::size_t n, OperandType type, WeightsLayout layout, const MatmulPrimitive* like) {
    // Inside a chunk, for the blocking that oneDNN chooses depends on the number of OpenMP threads.
    parallel_for(1, [&](std::size_t) {
        const memory::data_type operand = onednn_type(type);
        const memory::desc weights = like != nullptr ? like->impl_->weights : weights_desc(k, n, layout, operand);
        dnnl::matmul::primitive_desc description(
            dnnl::matmul::desc(rows(m, k, operand), weights, rows(m, n, memory::data_type::f32)), onednn_attributes(),
            onednn_engine());
        impl_.reset(new Impl{
            {dnnl::matmul(description),
             {description.src_desc(), description.weights_desc(), description.dst_desc(),
              description.scratchpad_desc()}},
            description.weights_desc(),
            k,
            n,
            operand});
    });
}

MatmulPrimitive::~MatmulPrimitive() = default;

void MatmulPrimitive::run(const void* in, const void* weights, float* out) const {
    impl_->caller.run(in, weights, out);
}

std::size_t MatmulPrimitive::packed_bytes() const { return impl_->weights.get_size(); }

void MatmulPrimitive::pack(const void* weights, bool from_columns, void* packed) const {
    const memory::desc plain =
        from_columns ? columns(impl_->k, impl_->n, impl_->type) : rows(impl_->k, impl_->n, impl_->type);
    onednn_reorder(plain, weights, impl_->weights, packed);
}

std::string MatmulPrimitive::packing() const { return onednn_layout_name(impl_->weights); }

}  // namespace ttnn_cpu::kernels
