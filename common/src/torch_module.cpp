// SPDX-License-Identifier: Apache-2.0
#include "zoo/torch_module.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include <torch/nn/module.h>

namespace zoo {
namespace {

// "torch::nn::LinearImpl" to "Linear".
std::string plain_type(std::string name) {
    name.resize(std::min(name.find('<'), name.size()));
    const std::size_t scope = name.rfind("::");
    name.erase(0, scope == std::string::npos ? 0 : scope + 2);
    constexpr std::string_view kSuffix = "Impl";
    if (name.size() > kSuffix.size() && name.ends_with(kSuffix)) {
        name.resize(name.size() - kSuffix.size());
    }
    return name;
}

ModuleParameter parameter_of(std::string name, const at::Tensor& tensor, bool is_buffer) {
    // A detached handle: reading needs no gradients.
    const at::Tensor source = tensor.detach();
    return {
        .name = std::move(name),
        .shape = source.sizes().vec(),
        .read =
            [source] {
                const at::Tensor values = source.to(at::kCPU, at::kFloat).contiguous();
                const float* data = values.data_ptr<float>();
                return HostTensor{.shape = values.sizes().vec(), .data = {data, data + values.numel()}};
            },
        .is_buffer = is_buffer};
}

}  // namespace

ModuleTree module_tree(const torch::nn::Module& module) {
    ModuleTree tree;
    tree.type = plain_type(module.name());
    for (const auto& parameter : module.named_parameters(/*recurse=*/false)) {
        tree.parameters.push_back(parameter_of(parameter.key(), parameter.value(), false));
    }
    for (const auto& buffer : module.named_buffers(/*recurse=*/false)) {
        tree.parameters.push_back(parameter_of(buffer.key(), buffer.value(), true));
    }
    for (const auto& child : module.named_children()) {
        tree.children.push_back({.name = child.key(), .module = module_tree(*child.value())});
    }
    return tree;
}

ParameterTree preprocess_model_parameters(const torch::nn::Module& module, const PreprocessOptions& options) {
    return preprocess_model_parameters(module_tree(module), options);
}

}  // namespace zoo
