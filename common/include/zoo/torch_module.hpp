// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "zoo/module_tree.hpp"
#include "zoo/parameters.hpp"
#include "zoo/preprocess.hpp"

namespace torch::nn {
class Module;
}

// Link Zoo::common_torch. This header needs none of libtorch's.
namespace zoo {

// The modules of a torch module with their parameters and buffers. Shares them: a later change of the module's values
// shows in the tree, and the tree may outlive the module.
[[nodiscard]] ModuleTree module_tree(const torch::nn::Module& module);

[[nodiscard]] ParameterTree preprocess_model_parameters(
    const torch::nn::Module& module, const PreprocessOptions& options = {});

}  // namespace zoo
