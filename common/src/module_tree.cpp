// SPDX-License-Identifier: Apache-2.0
#include "zoo/module_tree.hpp"

#include <algorithm>
#include <cctype>
#include <utility>

#include "message.hpp"
#include "zoo/error.hpp"

namespace zoo {
namespace {

// Deeper than any network; a file with more dots in a name must not use up the stack.
constexpr std::size_t kMaxDepth = 64;

std::vector<std::string> parameter_names(const ModuleTree& module) {
    std::vector<std::string> names;
    for (const ModuleParameter& parameter : module.parameters) {
        names.push_back(parameter.name);
    }
    return names;
}

std::vector<std::string> child_names(const ModuleTree& module) {
    std::vector<std::string> names;
    for (const ModuleTree::Child& child : module.children) {
        names.push_back(child.name);
    }
    return names;
}

std::string or_none(const std::vector<std::string>& names) { return names.empty() ? "none" : listed(names); }

void check_new_name(const ModuleTree& module, const std::string& name) {
    if (name.empty() || name.find('.') != std::string::npos) {
        fail("ModuleTree", "the name ", in_quotes(name), " is empty or has a dot; dots separate modules");
    }
    if (module.find_parameter(name) != nullptr || module.find_child(name) != nullptr) {
        fail("ModuleTree", "the module of type ", module.type, " has two parts named ", in_quotes(name));
    }
}

bool is_number(std::string_view text) {
    return !text.empty() && std::all_of(text.begin(), text.end(), [](unsigned char c) { return std::isdigit(c) != 0; });
}

// Numbers first, by value: a longer one without leading zeros is larger.
bool in_order(const ModuleTree::Child& a, const ModuleTree::Child& b) {
    const bool a_number = is_number(a.name);
    const bool b_number = is_number(b.name);
    if (a_number != b_number) {
        return a_number;
    }
    if (a_number && a.name.size() != b.name.size()) {
        return a.name.size() < b.name.size();
    }
    return a.name < b.name;
}

bool names_an_embedding(std::string_view module_name) {
    std::string lower(module_name);
    std::transform(lower.begin(), lower.end(), lower.begin(), [](unsigned char c) { return std::tolower(c); });
    return lower.find("embed") != std::string::npos || lower == "wte" || lower == "wpe";
}

// Whether the module owns `weight` of that many dimensions, with no bias or one that fits its first, and nothing else.
bool has_weight(const ModuleTree& module, std::size_t rank) {
    const ModuleParameter* weight = module.find_parameter("weight");
    const ModuleParameter* bias = module.find_parameter("bias");
    return weight != nullptr && weight->shape.size() == rank &&
           (bias == nullptr || bias->shape == Shape{weight->shape[0]}) &&
           module.parameters.size() == (bias == nullptr ? 1U : 2U);
}

bool has_gamma_and_beta(const ModuleTree& module) {
    const ModuleParameter* gamma = module.find_parameter("gamma");
    const ModuleParameter* beta = module.find_parameter("beta");
    return gamma != nullptr && beta != nullptr && module.parameters.size() == 2 && gamma->shape.size() == 1 &&
           gamma->shape == beta->shape;
}

std::string inferred_type(const ModuleTree& module, std::string_view name) {
    const bool alone = module.parameters.size() == 1;
    if (module.find_parameter("running_mean") != nullptr) {
        return "BatchNorm";
    }
    if (has_weight(module, 4)) {
        return "Conv2d";
    }
    if (has_weight(module, 3)) {
        return "Conv1d";
    }
    if (has_weight(module, 2)) {
        return alone && names_an_embedding(name) ? "Embedding" : "Linear";
    }
    if (has_gamma_and_beta(module)) {
        return "LayerNorm";
    }
    if (has_weight(module, 1)) {
        return alone ? "RMSNorm" : "LayerNorm";
    }
    const bool numbered = std::all_of(
        module.children.begin(), module.children.end(), [](const auto& child) { return is_number(child.name); });
    return module.parameters.empty() && numbered ? "ModuleList" : "Module";
}

// Children in order, types from the leaves up.
void finish(ModuleTree& module, std::string_view name) {
    for (ModuleTree::Child& child : module.children) {
        finish(child.module, child.name);
    }
    std::sort(module.children.begin(), module.children.end(), in_order);
    module.type = inferred_type(module, name);
}

void insert(ModuleTree& root, const Checkpoint& checkpoint, const TensorInfo& info, std::string_view relative) {
    const auto refuse = [&](std::string_view rule) {
        fail("module_tree", checkpoint.source(), ": the tensor name ", in_quotes(info.name), " ", rule);
    };
    ModuleTree* module = &root;
    std::size_t depth = 0;
    for (std::size_t dot = relative.find('.'); dot != std::string_view::npos; dot = relative.find('.')) {
        const std::string_view name = relative.substr(0, dot);
        if (name.empty() || ++depth > kMaxDepth) {
            refuse(name.empty() ? "has an empty part" : "has more than 64 parts");
        }
        // Names are sorted, so those of one module follow each other.
        if (module->children.empty() || module->children.back().name != name) {
            module->children.push_back({.name = std::string(name), .module = {}});
        }
        module = &module->children.back().module;
        relative.remove_prefix(dot + 1);
    }
    if (relative.empty()) {
        refuse("has an empty part");
    }
    const bool floating = info.dtype.starts_with("F") || info.dtype.starts_with("BF");
    module->parameters.push_back(
        {.name = std::string(relative),
         .shape = info.shape,
         .read = [&checkpoint, name = info.name] { return checkpoint.load(name); },
         .is_buffer = !floating || relative == "running_mean" || relative == "running_var"});
}

}  // namespace

const ModuleParameter* ModuleTree::find_parameter(std::string_view name) const {
    const auto found =
        std::find_if(parameters.begin(), parameters.end(), [&](const auto& p) { return p.name == name; });
    return found == parameters.end() ? nullptr : &*found;
}

const ModuleTree* ModuleTree::find_child(std::string_view name) const {
    const auto found = std::find_if(children.begin(), children.end(), [&](const auto& c) { return c.name == name; });
    return found == children.end() ? nullptr : &found->module;
}

HostTensor ModuleTree::tensor(std::string_view name) const {
    const ModuleParameter* parameter = find_parameter(name);
    if (parameter == nullptr) {
        fail(
            "ModuleTree", "the module of type ", type, " has no parameter ", in_quotes(name),
            "; its parameters: ", or_none(parameter_names(*this)));
    }
    return parameter->read();
}

const ModuleTree& ModuleTree::child(std::string_view name) const {
    const ModuleTree* found = find_child(name);
    if (found == nullptr) {
        fail(
            "ModuleTree", "the module of type ", type, " has no child ", in_quotes(name),
            "; its children: ", or_none(child_names(*this)));
    }
    return *found;
}

void ModuleTree::add(std::string name, HostTensor tensor) {
    check_new_name(*this, name);
    Shape shape = tensor.shape;
    parameters.push_back(
        {.name = std::move(name), .shape = std::move(shape), .read = [tensor = std::move(tensor)] { return tensor; }});
}

ModuleTree& ModuleTree::add(std::string name, ModuleTree child) {
    check_new_name(*this, name);
    children.push_back({.name = std::move(name), .module = std::move(child)});
    return children.back().module;
}

std::string join_path(std::string_view parent, std::string_view name) {
    std::string path(parent);
    if (!parent.empty() && !name.empty()) {
        path += '.';
    }
    return path += name;
}

ModuleTree module_tree(const Checkpoint& checkpoint, std::string_view prefix) {
    const std::string start = prefix.empty() ? "" : std::string(prefix) + ".";
    ModuleTree root;
    for (const TensorInfo& info : checkpoint.tensors()) {
        if (info.name.starts_with(start)) {
            insert(root, checkpoint, info, std::string_view(info.name).substr(start.size()));
        }
    }
    if (root.parameters.empty() && root.children.empty()) {
        fail(
            "module_tree", checkpoint.source(), ": none of the ", checkpoint.tensors().size(), " tensors is below ",
            in_quotes(prefix));
    }
    finish(root, prefix.substr(prefix.find_last_of('.') + 1));
    return root;
}

}  // namespace zoo
