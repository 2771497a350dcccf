// SPDX-License-Identifier: Apache-2.0
#include "kernels/conv_primitive.hpp"

#include <string_view>

#include "kernels/onednn.hpp"
#include "kernels/parallel.hpp"

namespace ttnn_cpu::kernels {
namespace {

using dnnl::memory;
using Dims = memory::dims;
using Tag = memory::format_tag;

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
    return {dims, onednn_type(spec.type), strides};
}

}  // namespace

struct ConvPrimitive::Impl {
    ConvPrimitiveSpec spec;
    OnednnCaller caller;
    memory::desc weights;
    bool plain_loops;
};

ConvPrimitive::ConvPrimitive(const ConvPrimitiveSpec& spec, const ConvPrimitive* like) {
    // Inside a chunk, for the blocking that oneDNN chooses depends on the number of OpenMP threads.
    parallel_for(1, [&](std::size_t) {
        const memory::data_type operand = onednn_type(spec.type);
        const memory::desc in(
            {dim(spec.batch), dim(spec.in_channels), dim(spec.in_h), dim(spec.in_w)}, operand, Tag::nhwc);
        const memory::desc out(
            {dim(spec.batch), dim(spec.out_channels), dim(spec.out_h()), dim(spec.out_w())}, memory::data_type::f32,
            Tag::nhwc);
        const memory::desc weights =
            like != nullptr ? like->impl_->weights : memory::desc(weight_dims(spec), operand, Tag::any);
        const dnnl::convolution_forward::desc wanted(
            dnnl::prop_kind::forward_inference, dnnl::algorithm::convolution_direct, in, weights, out,
            Dims{dim(spec.stride_h), dim(spec.stride_w)}, Dims{dim(spec.dilation_h) - 1, dim(spec.dilation_w) - 1},
            Dims{0, dim(spec.pad_left)}, Dims{0, dim(spec.pad_right)});
        dnnl::convolution_forward::primitive_desc description(wanted, onednn_attributes(), onednn_engine());
        impl_.reset(new Impl{
            spec,
            {dnnl::convolution_forward(description),
             {description.src_desc(), description.weights_desc(), description.dst_desc(),
              description.scratchpad_desc()}},
            description.weights_desc(),
            std::string_view(description.impl_info_str()).starts_with("ref")});
    });
}

ConvPrimitive::~ConvPrimitive() = default;

void ConvPrimitive::run(const void* in, const void* packed, float* out) const { impl_->caller.run(in, packed, out); }

std::size_t ConvPrimitive::packed_bytes() const { return impl_->weights.get_size(); }

void ConvPrimitive::pack(const void* weights, void* packed) const {
    onednn_reorder(plain_weights(impl_->spec), weights, impl_->weights, packed);
}

bool ConvPrimitive::plain_loops() const { return impl_->plain_loops; }

std::string ConvPrimitive::packing() const { return onednn_layout_name(impl_->weights); }

}  // namespace ttnn_cpu::kernels
