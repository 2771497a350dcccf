// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "zoo/checkpoint.hpp"
#include "zoo/host_tensor.hpp"

namespace zoo {

// A tensor that a module owns itself. Its values are read when asked for, so that a tree over a large checkpoint costs
// next to nothing.
struct ModuleParameter {
    std::string name;
    Shape shape;
    std::function<HostTensor()> read;
    // Not trained: running statistics, position ids. Custom preprocessors see buffers, default conversion skips them.
    bool is_buffer = false;
};

// A network as its modules nest: what torch::nn::Module tells about itself, without torch. preprocess_model_parameters
// turns it into TTNN tensors. See torch_module.hpp for the tree of a torch module.
struct ModuleTree {
    struct Child;

    std::string type;  // the class, without namespace or "Impl": "Linear", "BertIntermediate"; "Module" when not known
    std::vector<ModuleParameter> parameters;
    std::vector<Child> children;  // in the module's own order

    // Null where there is none.
    [[nodiscard]] const ModuleParameter* find_parameter(std::string_view name) const;
    [[nodiscard]] const ModuleTree* find_child(std::string_view name) const;

    // The values of a parameter or buffer. Error listing the ones there are.
    [[nodiscard]] HostTensor tensor(std::string_view name) const;
    // Error listing the ones there are.
    [[nodiscard]] const ModuleTree& child(std::string_view name) const;

    // For trees built by hand. Error when the name is taken, empty, or has a dot.
    void add(std::string name, HostTensor tensor);
    ModuleTree& add(std::string name, ModuleTree child);
};

struct ModuleTree::Child {
    std::string name;
    ModuleTree module;
};

// "encoder.layer" and "0" to "encoder.layer.0"; an empty parent leaves the name alone.
[[nodiscard]] std::string join_path(std::string_view parent, std::string_view name);

// The modules that the dotted names of a checkpoint spell, below `prefix` ("bert.encoder", without a final dot), which
// is taken off. The checkpoint has to outlive the tree. Numbered children are in the order of their numbers, others by
// name.
//
// A checkpoint does not hold classes. A module's type follows from the parameters that it owns, the first that fits:
//   running_mean                                          BatchNorm
//   weight of 4 dimensions, perhaps bias                  Conv2d
//   weight of 3 dimensions, perhaps bias                  Conv1d
//   weight [n, m] alone, a name with "embed", wte or wpe  Embedding
//   weight [n, m], perhaps bias [n]                       Linear
//   weight [n] and bias [n], or gamma [n] and beta [n]    LayerNorm
//   weight [n] alone                                      RMSNorm
//   none, and all children are numbers                    ModuleList
//   anything else                                         Module
// Tensors of integers and those named running_mean or running_var are buffers. Where the guess is wrong (GPT-2 keeps
// its matrices as [in, out], not as a Linear does), set `type` in the tree. Error when no tensor is below `prefix`.
[[nodiscard]] ModuleTree module_tree(const Checkpoint& checkpoint, std::string_view prefix = "");

}  // namespace zoo
