// SPDX-License-Identifier: Apache-2.0
#include "kernels/conv_primitive.hpp"

#include <dnnl.hpp>

#include <vector>

#include "kernels/parallel.hpp"

namespace ttnn_cpu::kernels {
namespace {

using dnnl::memory;
using Dims = memory::dims;
using Tag = memory::format_tag;

// Never destroyed: queue threads may outlive static objects.
const dnnl::engine& engine() {
    static const auto* const instance = new dnnl::engine(dnnl::engine::kind::cpu, 0);
    return *instance;
}

dnnl::stream& stream() {
    thread_local dnnl::stream instance(engine());
    return instance;
}

memory::dim dim(std::size_t value) { return static_cast<memory::dim>(value); }

Dims weight_dims(const ConvPrimitiveSpec& spec) {
    const Dims window{dim(spec.kernel_h), dim(spec.kernel_w)};
    if (spec.groups == 1) {
        return {dim(spec.out_channels), dim(spec.in_channels), window[0], window[1]};
    }
    return {
        dim(spec.groups), dim(spec.out_channels / spec.groups), dim(spec.in_channels / spec.groups), window[0],
        window[1]};
}

memory::desc plain_weights(const ConvPrimitiveSpec& spec) {
    const Dims dims = weight_dims(spec);
    const memory::dim in = dim(spec.in_channels / spec.groups);
    const memory::dim out = dim(spec.out_channels / spec.groups);
    const memory::dim width = dim(spec.kernel_w);
    Dims strides{1, out, width * in * out, in * out};
    if (spec.groups > 1) {
        strides.insert(strides.begin(), dim(spec.kernel_h) * width * in * out);
    }
    return {dims, memory::data_type::f32, strides};
}

}  // namespace

struct ConvPrimitive::Impl {
    ConvPrimitiveSpec spec;
    dnnl::convolution_forward::primitive_desc description;
    dnnl::convolution_forward primitive;
    memory::desc weights;
};

ConvPrimitive::ConvPrimitive(const ConvPrimitiveSpec& spec, const ConvPrimitive* like) {
    // Inside a chunk, for the blocking that oneDNN chooses depends on the number of OpenMP threads.
    parallel_for(1, [&](std::size_t) {
        const auto f32 = memory::data_type::f32;
        const memory::desc in({dim(spec.batch), dim(spec.in_channels), dim(spec.in_h), dim(spec.in_w)}, f32, Tag::nhwc);
        const memory::desc out(
            {dim(spec.batch), dim(spec.out_channels), dim(spec.out_h()), dim(spec.out_w())}, f32, Tag::nhwc);
        const memory::desc weights =
            like != nullptr ? like->impl_->weights : memory::desc(weight_dims(spec), f32, Tag::any);
        dnnl::primitive_attr attributes;
        // A library scratchpad belongs to the thread that makes the primitive.
        attributes.set_scratchpad_mode(dnnl::scratchpad_mode::user);
        const dnnl::convolution_forward::desc wanted(
            dnnl::prop_kind::forward_inference, dnnl::algorithm::convolution_direct, in, weights, out,
            Dims{dim(spec.stride_h), dim(spec.stride_w)}, Dims{dim(spec.dilation_h) - 1, dim(spec.dilation_w) - 1},
            Dims{0, dim(spec.pad_left)}, Dims{0, dim(spec.pad_right)});
        dnnl::convolution_forward::primitive_desc description(wanted, attributes, engine());
        dnnl::convolution_forward primitive(description);
        impl_ = std::make_unique<Impl>(Impl{spec, description, primitive, description.weights_desc()});
    });
}

ConvPrimitive::~ConvPrimitive() = default;

void ConvPrimitive::run(const float* in, const float* packed, float* out) const {
    thread_local std::vector<std::byte> scratchpad;
    const memory::desc scratchpad_desc = impl_->description.scratchpad_desc();
    if (scratchpad.size() < scratchpad_desc.get_size() + 64) {
        scratchpad.resize(scratchpad_desc.get_size() + 64);
    }
    impl_->primitive.execute(
        stream(), {{DNNL_ARG_SRC, memory(impl_->description.src_desc(), engine(), const_cast<float*>(in))},
                   {DNNL_ARG_WEIGHTS, memory(impl_->weights, engine(), const_cast<float*>(packed))},
                   {DNNL_ARG_DST, memory(impl_->description.dst_desc(), engine(), out)},
                   {DNNL_ARG_SCRATCHPAD, memory(scratchpad_desc, engine(), scratchpad.data())}});
}

std::size_t ConvPrimitive::packed_size() const { return impl_->weights.get_size() / sizeof(float); }

void ConvPrimitive::pack(const float* weights, float* packed) const {
    memory from(plain_weights(impl_->spec), engine(), const_cast<float*>(weights));
    memory to(impl_->weights, engine(), packed);
    dnnl::reorder(from, to).execute(stream(), from, to);
}

std::string ConvPrimitive::packing() const {
    const dnnl_memory_desc_t& desc = impl_->weights.data;
    const dnnl_blocking_desc_t& blocking = desc.format_desc.blocking;
    std::string name;
    for (int i = 0; i < desc.ndims; ++i) {
        name += std::to_string(desc.padded_dims[i]) + "/" + std::to_string(blocking.strides[i]) + ",";
    }
    for (int i = 0; i < blocking.inner_nblks; ++i) {
        name += std::to_string(blocking.inner_blks[i]) + "@" + std::to_string(blocking.inner_idxs[i]) + ",";
    }
    return name;
}

}  // namespace ttnn_cpu::kernels
