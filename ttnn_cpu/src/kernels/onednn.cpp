// SPDX-License-Identifier: Apache-2.0
#include "kernels/onednn.hpp"

#include <vector>

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

memory onednn_scratchpad(const memory::desc& desc) {
    thread_local std::vector<std::byte> scratchpad;
    const std::size_t bytes = desc.get_size() + 64;
    if (scratchpad.size() < bytes) {
        scratchpad.resize(bytes);
    }
    return {desc, onednn_engine(), scratchpad.data()};
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
