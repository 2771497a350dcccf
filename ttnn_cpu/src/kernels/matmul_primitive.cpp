// SPDX-License-Identifier: Apache-2.0
#include "kernels/matmul_primitive.hpp"

#include <dnnl.hpp>

#include <vector>

#include "kernels/parallel.hpp"

namespace ttnn_cpu::kernels {
namespace {

using dnnl::memory;
using Dims = memory::dims;

// Never destroyed: queue threads may outlive static objects.
const dnnl::engine& engine() {
    static const auto* const instance = new dnnl::engine(dnnl::engine::kind::cpu, 0);
    return *instance;
}

dnnl::stream& stream() {
    thread_local dnnl::stream instance(engine());
    return instance;
}

memory::desc rows(std::size_t height, std::size_t width) {
    const auto h = static_cast<memory::dim>(height);
    const auto w = static_cast<memory::dim>(width);
    return {Dims{h, w}, memory::data_type::f32, Dims{w, 1}};
}

memory::desc columns(std::size_t height, std::size_t width) {
    const auto h = static_cast<memory::dim>(height);
    const auto w = static_cast<memory::dim>(width);
    return {Dims{h, w}, memory::data_type::f32, Dims{1, h}};
}

memory::desc weights_desc(std::size_t k, std::size_t n, WeightsLayout layout) {
    switch (layout) {
        case WeightsLayout::Rows:
            return rows(k, n);
        case WeightsLayout::Columns:
            return columns(k, n);
        case WeightsLayout::Packed:
            break;
    }
    return {
        Dims{static_cast<memory::dim>(k), static_cast<memory::dim>(n)}, memory::data_type::f32,
        memory::format_tag::any};
}

}  // namespace

struct MatmulPrimitive::Impl {
    dnnl::matmul::primitive_desc description;
    dnnl::matmul primitive;
    memory::desc weights;
    std::size_t k;
    std::size_t n;
};

MatmulPrimitive::MatmulPrimitive(
    std::size_t m, std::size_t k, std::size_t n, WeightsLayout layout, const MatmulPrimitive* like) {
    // Inside a chunk, for the blocking that oneDNN chooses depends on the number of OpenMP threads.
    parallel_for(1, [&](std::size_t) {
        dnnl::primitive_attr attributes;
        // A library scratchpad belongs to the thread that makes the primitive.
        attributes.set_scratchpad_mode(dnnl::scratchpad_mode::user);
        const memory::desc weights = like != nullptr ? like->impl_->weights : weights_desc(k, n, layout);
        dnnl::matmul::primitive_desc description(
            dnnl::matmul::desc(rows(m, k), weights, rows(m, n)), attributes, engine());
        dnnl::matmul primitive(description);
        impl_ = std::make_unique<Impl>(Impl{description, primitive, description.weights_desc(), k, n});
    });
}

MatmulPrimitive::~MatmulPrimitive() = default;

void MatmulPrimitive::run(const float* in, const float* weights, float* out) const {
    thread_local std::vector<std::byte> scratchpad;
    const memory::desc scratchpad_desc = impl_->description.scratchpad_desc();
    if (scratchpad.size() < scratchpad_desc.get_size() + 64) {
        scratchpad.resize(scratchpad_desc.get_size() + 64);
    }
    impl_->primitive.execute(
        stream(), {{DNNL_ARG_SRC, memory(impl_->description.src_desc(), engine(), const_cast<float*>(in))},
                   {DNNL_ARG_WEIGHTS, memory(impl_->weights, engine(), const_cast<float*>(weights))},
                   {DNNL_ARG_DST, memory(impl_->description.dst_desc(), engine(), out)},
                   {DNNL_ARG_SCRATCHPAD, memory(scratchpad_desc, engine(), scratchpad.data())}});
}

std::size_t MatmulPrimitive::packed_size() const { return impl_->weights.get_size() / sizeof(float); }

void MatmulPrimitive::pack(const float* weights, bool from_columns, float* packed) const {
    const memory::desc plain = from_columns ? columns(impl_->k, impl_->n) : rows(impl_->k, impl_->n);
    memory from(plain, engine(), const_cast<float*>(weights));
    memory to(impl_->weights, engine(), packed);
    dnnl::reorder(from, to).execute(stream(), from, to);
}

std::string MatmulPrimitive::packing() const {
    const dnnl_memory_desc_t& desc = impl_->weights.data;
    const dnnl_blocking_desc_t& blocking = desc.format_desc.blocking;
    std::string name = std::to_string(desc.padded_dims[0]) + "x" + std::to_string(desc.padded_dims[1]) + ":" +
                       std::to_string(blocking.strides[0]) + "," + std::to_string(blocking.strides[1]);
    for (int i = 0; i < blocking.inner_nblks; ++i) {
        name += "," + std::to_string(blocking.inner_blks[i]) + "@" + std::to_string(blocking.inner_idxs[i]);
    }
    return name;
}

}  // namespace ttnn_cpu::kernels
