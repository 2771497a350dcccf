// SPDX-License-Identifier: Apache-2.0
#include "kernels/onednn.hpp"

#include <utility>

#include "kernels/scratch.hpp"

namespace ttnn_cpu::kernels {

using dnnl::memory;

// Never destroyed: queue threads may outlive static objects.
const dnnl::engine& onednn_engine() {
    static const auto* const instance = new dnnl::engine(dnnl::engine::kind::cpu, 0);
    return *instance;
}

dnnl::stream& onednn_stream() {
    thread_local dnnl::stream instance(onednn_engine());
    return instance;
}

memory::data_type onednn_type(OperandType type) {
    return type == OperandType::Float32 ? memory::data_type::f32 : memory::data_type::bf16;
}

dnnl::primitive_attr onednn_attributes() {
    dnnl::primitive_attr attributes;
    attributes.set_scratchpad_mode(dnnl::scratchpad_mode::user);
    return attributes;
}

OnednnCaller::OnednnCaller(dnnl::primitive primitive, Descriptors descriptors)
    : primitive_(std::move(primitive)),
      descriptors_(std::move(descriptors)),
      scratchpad_bytes_(descriptors_.scratchpad.get_size()) {}

std::unique_ptr<OnednnCaller::Arguments> OnednnCaller::take() const {
    {
        const std::lock_guard lock(mutex_);
        if (!idle_.empty()) {
            auto arguments = std::move(idle_.back());
            idle_.pop_back();
            return arguments;
        }
    }
    const auto make = [](const memory::desc& desc) { return memory(desc, onednn_engine(), DNNL_MEMORY_NONE); };
    return std::make_unique<Arguments>(Arguments{
        {DNNL_ARG_SRC, make(descriptors_.source)},
        {DNNL_ARG_WEIGHTS, make(descriptors_.weights)},
        {DNNL_ARG_DST, make(descriptors_.result)},
        {DNNL_ARG_SCRATCHPAD, make(descriptors_.scratchpad)}});
}

void OnednnCaller::run(const void* source, const void* weights, void* result) const {
    thread_local Scratch scratchpad;
    std::unique_ptr<Arguments> arguments = take();
    arguments->at(DNNL_ARG_SRC).set_data_handle(const_cast<void*>(source));
    arguments->at(DNNL_ARG_WEIGHTS).set_data_handle(const_cast<void*>(weights));
    arguments->at(DNNL_ARG_DST).set_data_handle(result);
    arguments->at(DNNL_ARG_SCRATCHPAD).set_data_handle(scratchpad.bytes(scratchpad_bytes_ + 64));
    primitive_.execute(onednn_stream(), *arguments);
    const std::lock_guard lock(mutex_);
    idle_.push_back(std::move(arguments));
}

void onednn_reorder(const memory::desc& from_desc, const void* from, const memory::desc& to_desc, void* to) {
    memory source(from_desc, onednn_engine(), const_cast<void*>(from));
    memory target(to_desc, onednn_engine(), to);
    dnnl::reorder(source, target).execute(onednn_stream(), source, target);
}

std::string onednn_layout_name(const memory::desc& desc) {
    const dnnl_memory_desc_t& data = desc.data;
    const dnnl_blocking_desc_t& blocking = data.format_desc.blocking;
    std::string name = data.data_type == dnnl_bf16 ? "bf16 " : "f32 ";
    for (int i = 0; i < data.ndims; ++i) {
        name += std::to_string(data.padded_dims[i]) + "/" + std::to_string(blocking.strides[i]) + ",";
    }
    for (int i = 0; i < blocking.inner_nblks; ++i) {
        name += std::to_string(blocking.inner_blks[i]) + "@" + std::to_string(blocking.inner_idxs[i]) + ",";
    }
    return name;
}

}  // namespace ttnn_cpu::kernels
