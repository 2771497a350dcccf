// SPDX-License-Identifier: Apache-2.0
#include "modules/modules.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <optional>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

namespace zoo::apps::modules {

namespace {

using aten::kNone;
using aten::Op;
using aten::TensorInfo;

// The class of the layer that an op is the computation of.
struct LayerOp {
    std::string_view op;
    std::string_view kind;
};
constexpr std::array kLayerOps{
    LayerOp{"addmm", "Linear"},
    LayerOp{"mm", "Linear"},
    LayerOp{"mv", "Linear"},
    LayerOp{"addmv", "Linear"},
    LayerOp{"convolution", "Conv2d"},
    LayerOp{"native_batch_norm", "BatchNorm2d"},
    LayerOp{"native_layer_norm", "LayerNorm"},
    LayerOp{"embedding", "Embedding"},
};

std::string_view layer_kind(const Op& op) {
    const std::string name = short_name(op);
    const auto found = std::ranges::find(kLayerOps, name, &LayerOp::op);
    return found == kLayerOps.end() ? std::string_view() : found->kind;
}

template <class Visit>
void each_tensor(const Op& op, const Visit& visit) {
    for (const aten::Argument& argument : op.arguments) {
        for (const TensorInfo& tensor : argument.tensors) {
            visit(tensor);
        }
    }
}

// "a.b" of "a.b.weight".
std::string parent_path(const std::string& name) {
    const auto dot = name.rfind('.');
    return dot == std::string::npos ? std::string() : name.substr(0, dot);
}

std::string common_path(const std::string& one, const std::string& other) {
    std::size_t end = 0;
    for (std::size_t i = 0;; ++i) {
        const bool one_ends = i == one.size() || one[i] == '.';
        const bool other_ends = i == other.size() || other[i] == '.';
        if (one_ends && other_ends) {
            end = i;
        }
        if (i == one.size() || i == other.size() || one[i] != other[i]) {
            return one.substr(0, end);
        }
    }
}

double product(const std::vector<std::int64_t>& shape) {
    return std::accumulate(
        shape.begin(), shape.end(), 1.0, [](double all, std::int64_t dim) { return all * static_cast<double>(dim); });
}

double multiply_adds_of(const Op& op) {
    const std::string name = short_name(op);
    const auto shape = [&](std::size_t argument) { return op.arguments.at(argument).tensors.at(0).shape; };
    if (name == "convolution") {
        const auto weight = shape(1);
        return product(op.outputs.at(0).shape) * product(weight) / static_cast<double>(weight.at(0));
    }
    if (name == "mm" || name == "bmm") {
        return product(shape(0)) * static_cast<double>(shape(1).back());
    }
    if (name == "addmm" || name == "baddbmm") {
        return product(shape(1)) * static_cast<double>(shape(2).back());
    }
    return name == "mv" ? product(shape(0)) : name == "addmv" ? product(shape(1)) : 0.0;
}

std::string layer_detail(const Op& op, const std::vector<std::int64_t>& weight) {
    const std::string_view kind = layer_kind(op);
    if (kind == "Conv2d") {
        const auto values = [&](std::size_t argument) {
            return nlohmann::json::parse(op.arguments.at(argument).value, nullptr, false);
        };
        const std::int64_t groups = values(8).is_number() ? values(8).get<std::int64_t>() : 1;
        std::string text = fmt::format("{}x{}, {} -> {}", weight[2], weight[3], weight[1] * groups, weight[0]);
        if (const auto stride = values(3); stride.is_array() && !stride.empty() && stride[0] != 1) {
            text += fmt::format(", stride {}", stride[0].get<std::int64_t>());
        }
        return groups > 1 ? text + fmt::format(", {} groups", groups) : text;
    }
    if (kind == "Embedding") {
        return fmt::format("{} x {}", weight[0], weight[1]);
    }
    return kind == "Linear" && weight.size() == 2 ? fmt::format("{} -> {}", weight[1], weight[0]) : "";
}

class Builder {
public:
    Builder(const aten::Trace& trace, const NamedTensors& parameters)
        : trace_(trace), parameters_(parameters), owners_(trace.ops.size()), counted_(parameters.size()) {}

    Network build(const std::string& name) {
        Network network;
        find_owners(network.constant);
        nodes_.resize(trace_.scopes.size() + 1);
        nodes_[0].kind = name;
        for (std::size_t i = 0; i < trace_.scopes.size(); ++i) {
            nodes_[i + 1].kind = trace_.scopes[i].name;
        }
        for (std::size_t i = 0; i < trace_.ops.size(); ++i) {
            place(i, network.constant[i]);
        }
        // Children come after their parents: from the back, each is complete when it moves.
        for (std::size_t i = trace_.scopes.size(); i > 0; --i) {
            auto& siblings = nodes_[static_cast<std::size_t>(trace_.scopes[i - 1].parent + 1)].children;
            siblings.push_back(std::move(nodes_[i]));
        }
        network.root = std::move(nodes_[0]);
        finish(network.root);
        for (std::size_t i = 0; i < counted_.size(); ++i) {
            network.unused_parameters += counted_[i] ? 0 : size_of(i);
        }
        return network;
    }

private:
    // Which layers' parameters an op reads, at once or by ops that depend on nothing else.
    void find_owners(std::vector<bool>& constant) {
        constant.assign(trace_.ops.size(), false);
        for (std::size_t i = 0; i < trace_.ops.size(); ++i) {
            bool depends = false;
            each_tensor(trace_.ops[i], [&](const TensorInfo& tensor) {
                if (tensor.parameter != kNone) {
                    owners_[i].insert(parent_path(name_of(tensor.parameter)));
                } else if (tensor.producer != kNone && constant[static_cast<std::size_t>(tensor.producer)]) {
                    const auto& more = owners_[static_cast<std::size_t>(tensor.producer)];
                    owners_[i].insert(more.begin(), more.end());
                } else {
                    depends = true;
                }
            });
            constant[i] = !depends;
        }
    }

    void place(std::size_t index, bool constant) {
        const Op& op = trace_.ops[index];
        Module& scope = nodes_[static_cast<std::size_t>(op.scope + 1)];
        Module* module = &scope;
        if (owners_[index].size() == 1 && (constant || !layer_kind(op).empty())) {
            module = &layer_of(scope, *owners_[index].begin());
        }
        module->ops.push_back(index);
        module->multiply_adds += multiply_adds_of(op);
        if (module->layer && !layer_kind(op).empty()) {
            module->kind = layer_kind(op);
        }
        each_tensor(op, [&](const TensorInfo& tensor) {
            if (tensor.parameter == kNone) {
                return;
            }
            const auto place = static_cast<std::size_t>(tensor.parameter);
            module->shared = module->shared || counted_[place];
            module->parameters += counted_[place] ? 0 : size_of(place);
            counted_[place] = true;
            if (module->layer && name_of(tensor.parameter).ends_with(".weight")) {
                weights_[module->path] = tensor.shape;
            }
        });
        if (module->layer && !layer_kind(op).empty() && weights_.contains(module->path)) {
            module->detail = layer_detail(op, weights_.at(module->path));
        }
    }

    Module& layer_of(Module& scope, const std::string& path) {
        const auto found = std::ranges::find(scope.children, path, &Module::path);
        if (found != scope.children.end()) {
            return *found;
        }
        return scope.children.emplace_back(Module{.kind = "Parameter", .path = path, .layer = true});
    }

    // Sums, order, path and output, from the leaves up.
    void finish(Module& module) {
        for (Module& child : module.children) {
            if (!child.layer) {
                finish(child);
            } else if (!child.ops.empty()) {
                child.output = trace_.ops[child.ops.back()].outputs.at(0).shape;
            }
        }
        std::erase_if(module.children, [](const Module& child) { return child.all_ops().empty(); });
        std::ranges::stable_sort(module.children, {}, [](const Module& child) { return child.all_ops().front(); });
        std::optional<std::string> path;
        for (const Module& child : module.children) {
            module.parameters += child.parameters;
            module.multiply_adds += child.multiply_adds;
            module.shared = module.shared || child.shared;
            if (const std::string own = child.layer ? parent_path(child.path) : child.path;
                child.layer || !child.path.empty()) {
                path = path ? common_path(*path, own) : own;
            }
        }
        module.path = path.value_or("");
        if (const std::vector<std::size_t> ops = module.all_ops();
            !ops.empty() && !trace_.ops[ops.back()].outputs.empty()) {
            module.output = trace_.ops[ops.back()].outputs[0].shape;
        }
    }

    [[nodiscard]] const std::string& name_of(std::int64_t parameter) const {
        return parameters_[static_cast<std::size_t>(parameter)].first;
    }
    // Running statistics are no parameters.
    [[nodiscard]] std::int64_t size_of(std::size_t parameter) const {
        const auto& [name, tensor] = parameters_[parameter];
        return name.find("running_") == std::string::npos ? std::ssize(tensor->data) : 0;
    }

    const aten::Trace& trace_;
    const NamedTensors& parameters_;
    std::vector<std::set<std::string>> owners_;
    std::vector<bool> counted_;
    std::vector<Module> nodes_;  // the root, then the scopes
    std::map<std::string, std::vector<std::int64_t>> weights_;
};

}  // namespace

std::vector<std::size_t> Module::all_ops() const {
    std::vector<std::size_t> all = ops;
    for (const Module& child : children) {
        const std::vector<std::size_t> more = child.all_ops();
        all.insert(all.end(), more.begin(), more.end());
    }
    std::ranges::sort(all);
    return all;
}

Network network_of(aten::Trace trace, const NamedTensors& parameters, const std::string& name) {
    Network network = Builder(trace, parameters).build(name);
    network.trace = std::move(trace);
    return network;
}

bool alike(const Network& network, const Module& one, const Module& other) {
    const auto same_op = [&](std::size_t a, std::size_t b) {
        return network.trace.ops[a].type == network.trace.ops[b].type;
    };
    return one.kind == other.kind && one.detail == other.detail && one.output == other.output &&
           std::ranges::equal(one.ops, other.ops, same_op) &&
           std::ranges::equal(
               one.children, other.children, [&](const Module& a, const Module& b) { return alike(network, a, b); });
}

std::string short_name(const aten::Op& op) {
    const std::string name = op.type.substr(op.type.find('.') + 1);
    return name.substr(0, name.find('.'));
}

bool is_view(const aten::Op& op) {
    static const std::set<std::string> kViews{
        "view",       "_unsafe_view", "t",          "transpose",     "permute", "expand", "slice",  "select",
        "split",      "squeeze",      "unsqueeze",  "_to_copy",      "clone",   "alias",  "detach", "split_with_sizes",
        "as_strided", "copy_",        "contiguous", "_reshape_alias"};
    return kViews.contains(short_name(op));
}

std::string describe_ops(const Network& network, const std::vector<std::size_t>& ops) {
    std::vector<std::pair<std::string, int>> counts;
    for (const std::size_t op : ops) {
        const std::string name = short_name(network.trace.ops[op]);
        const auto found = std::ranges::find(counts, name, &std::pair<std::string, int>::first);
        if (found == counts.end()) {
            counts.emplace_back(name, 1);
        } else {
            ++found->second;
        }
    }
    std::vector<std::string> words;
    for (const auto& [name, count] : counts) {
        words.push_back(count == 1 ? name : fmt::format("{} {}", name, count));
    }
    return fmt::format("{}", fmt::join(words, ", "));
}

}  // namespace zoo::apps::modules
