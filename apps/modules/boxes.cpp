// SPDX-License-Identifier: Apache-2.0
#include "modules/boxes.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <sstream>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace zoo::apps::modules {

namespace {

constexpr std::size_t kMostOps = 10;    // of a module without weights that is drawn open
constexpr std::size_t kLineWidth = 34;  // of a closed module's list of ops

std::string box_shape(const std::vector<std::int64_t>& shape) { return fmt::format("[{}]", fmt::join(shape, ", ")); }

Row::Style style_of(const std::string& kind) {
    if (kind == "Linear" || kind == "Conv2d" || kind == "bmm") {
        return Row::Style::Product;
    }
    if (kind.find("Norm") != std::string::npos) {
        return Row::Style::Norm;
    }
    return kind == "Embedding" || kind == "Parameter" ? Row::Style::Table : Row::Style::Op;
}

// "softmax" of "_softmax", "relu" of "relu_", "max_pool2d" of "max_pool2d_with_indices".
std::string plain_name(const aten::Op& op) {
    std::string name = short_name(op);
    name.erase(0, name.find_first_not_of('_'));
    name.erase(name.find_last_not_of('_') + 1);
    if (const auto at = name.find("_with_indices"); at != std::string::npos) {
        name.resize(at);
    }
    return name == "bmm" ? "matmul" : name;
}

class BoxBuilder {
public:
    BoxBuilder(const Network& network, int depth)
        : network_(network), ops_(network.trace.ops), depth_(depth), same_(ops_.size()), visible_(ops_.size()) {
        for (std::size_t i = 0; i < ops_.size(); ++i) {
            same_[i] = i;
            visible_[i] = !network.constant[i] && !is_view(ops_[i]);
        }
        root_ = network.root;
        merge(root_);
        show_parameters(root_);
        consumers_.resize(ops_.size());
        sources_.resize(ops_.size());
        for (const std::size_t op : root_.all_ops()) {
            if (visible_[op]) {
                std::set<std::int64_t> found;
                add_sources(op, found);
                for (const std::int64_t source : found) {
                    sources_[op].push_back(source);
                    if (source >= 0) {
                        consumers_[static_cast<std::size_t>(source)].push_back(op);
                    }
                }
            }
        }
    }

    Box build() {
        Box root = open(root_, "", 0);
        add_ends(root);
        return root;
    }

private:
    // Whether some of the ops read what some of the others made.
    [[nodiscard]] bool follows(const std::vector<std::size_t>& ops, const std::vector<std::size_t>& others) const {
        return std::ranges::any_of(ops, [&](std::size_t op) {
            return std::ranges::any_of(ops_[op].arguments, [&](const aten::Argument& argument) {
                return std::ranges::any_of(argument.tensors, [&](const aten::TensorInfo& tensor) {
                    return tensor.producer != aten::kNone &&
                           std::ranges::binary_search(others, static_cast<std::size_t>(tensor.producer));
                });
            });
        });
    }

    // Of modules that follow each other and are alike the first stays and stands for all.
    void merge(Module& module) {
        std::vector<Module> kept;
        std::vector<std::size_t> last;  // ops of the module before
        for (Module& child : module.children) {
            const std::vector<std::size_t> other = child.all_ops();
            if (!kept.empty() && !child.children.empty() && alike(network_, kept.back(), child) &&
                follows(other, last)) {
                const std::vector<std::size_t> first = kept.back().all_ops();
                for (std::size_t i = 0; i < first.size(); ++i) {
                    same_[other[i]] = first[i];
                }
                kept.back().parameters += child.parameters;
                ++times_.try_emplace({first.front(), child.kind}, 1).first->second;
            } else {
                kept.push_back(std::move(child));
            }
            last = other;
        }
        module.children = std::move(kept);
        std::ranges::for_each(module.children, [&](Module& child) { merge(child); });
    }

    // A weight that no layer reads is worth a box of its own: a table of positions.
    void show_parameters(const Module& module) {
        if (module.layer && std::ranges::none_of(module.ops, [&](std::size_t op) { return visible_[op]; })) {
            visible_[module.ops.back()] = true;
        }
        std::ranges::for_each(module.children, [&](const Module& child) { show_parameters(child); });
    }

    [[nodiscard]] std::size_t standing_for(std::size_t op) const {
        while (same_[op] != op) {
            op = same_[op];
        }
        return op;
    }

    // The visible ops, or inputs (as negative numbers), that an op's tensors come from.
    void add_sources(std::size_t op, std::set<std::int64_t>& found) const {
        for (const aten::Argument& argument : ops_[op].arguments) {
            for (const aten::TensorInfo& tensor : argument.tensors) {
                if (tensor.input != aten::kNone) {
                    found.insert(-1 - tensor.input);
                } else if (tensor.producer != aten::kNone) {
                    const auto producer = static_cast<std::size_t>(tensor.producer);
                    if (visible_[standing_for(producer)]) {
                        found.insert(static_cast<std::int64_t>(standing_for(producer)));
                    } else if (!network_.constant[producer]) {
                        add_sources(producer, found);
                    }
                }
            }
        }
    }

    [[nodiscard]] std::string title_of(const Module& module) const {
        const auto ops = module.all_ops();
        const auto times = ops.empty() ? times_.end() : times_.find({ops.front(), module.kind});
        return times == times_.end() || module.layer ? module.kind : fmt::format("{} x {}", module.kind, times->second);
    }

    static std::string name_below(const Module& module, const std::string& parent) {
        if (module.path == parent || module.path == module.kind || module.path == parent + "." + module.kind) {
            return "";
        }
        return !parent.empty() && module.path.starts_with(parent + ".") ? module.path.substr(parent.size() + 1)
                                                                        : module.path;
    }

    Box op_box(std::size_t op) const {
        const std::string name = plain_name(ops_[op]);
        return {
            .rows = {{name, style_of(short_name(ops_[op]))}},
            .shape = ops_[op].outputs.empty() ? "" : box_shape(ops_[op].outputs[0].shape)};
    }

    static Box layer_box(const Module& module, const std::string& parent) {
        std::string text = module.kind;
        const std::string name = name_below(module, parent);
        const bool number = name.find_first_not_of("0123456789") == std::string::npos;
        text += number ? "" : " " + name;
        text += module.detail.empty() ? "" : " " + module.detail;
        return {.rows = {{text, style_of(module.kind)}}, .shape = box_shape(module.output)};
    }

    [[nodiscard]] std::vector<std::size_t> visible_ops(const Module& module) const {
        std::vector<std::size_t> ops = module.all_ops();
        std::erase_if(ops, [&](std::size_t op) { return !visible_[op]; });
        return ops;
    }

    Box closed(const Module& module, const std::string& parent) const {
        Box box{.title = title_of(module), .name = name_below(module, parent), .shape = box_shape(module.output)};
        std::istringstream words(describe_ops(network_, visible_ops(module)));
        std::string line;
        for (std::string word; std::getline(words, word, ',');) {
            if (!line.empty() && line.size() + word.size() > kLineWidth) {
                box.rows.push_back({line + ",", Row::Style::Text});
                line.clear();
            }
            word.erase(0, word.find_first_not_of(' '));
            line += line.empty() ? word : ", " + word;
        }
        box.rows.push_back({line, Row::Style::Text});
        if (module.parameters > 0) {
            box.rows.push_back(
                {fmt::format("{:.2f} M parameters", static_cast<double>(module.parameters) / 1e6), Row::Style::Text});
        }
        return box;
    }

    Box open(const Module& module, const std::string& parent, int level) {
        const std::vector<std::size_t> inside = visible_ops(module);
        if (level > 0 && ((depth_ > 0 && level >= depth_) ||
                          (module.parameters == 0 && !module.shared && inside.size() > kMostOps))) {
            return closed(module, parent);
        }
        Box box{.title = title_of(module), .name = name_below(module, parent)};
        std::map<std::size_t, std::size_t> place_of;  // op to box
        struct Part {
            std::size_t first;
            const Module* module;  // or the op alone
        };
        std::vector<Part> parts;
        for (const Module& child : module.children) {
            if (const auto ops = visible_ops(child); !ops.empty()) {
                parts.push_back({ops.front(), &child});
            }
        }
        for (const std::size_t op : module.ops) {
            if (visible_[op]) {
                parts.push_back({op, nullptr});
            }
        }
        std::ranges::sort(parts, {}, &Part::first);
        for (const Part& part : parts) {
            if (part.module == nullptr) {
                place_of[part.first] = box.boxes.size();
                box.boxes.push_back(op_box(part.first));
                continue;
            }
            for (const std::size_t op : visible_ops(*part.module)) {
                place_of[op] = box.boxes.size();
            }
            box.boxes.push_back(
                part.module->layer ? layer_box(*part.module, module.path) : open(*part.module, module.path, level + 1));
        }
        find_flows(box, place_of);
        join_rows(box);
        if (level > 0 && box.boxes.size() == 1 && box.boxes[0].title.empty()) {
            box.rows = std::move(box.boxes[0].rows);
            box.shape = std::move(box.boxes[0].shape);
            box.boxes.clear();
            box.flows.clear();
            flatten(box);
        }
        return box;
    }

    // A few rows are one: "conv1.conv: Conv2d 3x3, 3 -> 32; BatchNorm2d; mish".
    static void flatten(Box& box) {
        constexpr std::size_t kFew = 3;
        if (box.rows.size() > kFew || box.title.find(" x ") != std::string::npos) {
            return;
        }
        std::vector<std::string> words;
        Row::Style style = box.rows.front().style;
        for (const Row& row : box.rows) {
            words.push_back(row.text);
            style = row.style == Row::Style::Product ? row.style : style;
        }
        box.rows = {{fmt::format("{}: {}", box.name.empty() ? box.title : box.name, fmt::join(words, "; ")), style}};
        box.title.clear();
        box.name.clear();
    }

    void find_flows(Box& box, const std::map<std::size_t, std::size_t>& place_of) const {
        std::set<Flow> flows;
        const auto place = [&](std::int64_t op) {
            const auto found = op < 0 ? place_of.end() : place_of.find(static_cast<std::size_t>(op));
            return found == place_of.end() ? Flow::kOutside : found->second;
        };
        for (const auto& [op, here] : place_of) {
            for (const std::int64_t source : sources_[op]) {
                if (place(source) != here) {
                    flows.insert({place(source), here, source});
                }
            }
            bool leaves = consumers_[op].empty();
            for (const std::size_t consumer : consumers_[op]) {
                leaves = leaves || !place_of.contains(consumer);
            }
            if (leaves) {
                flows.insert({here, Flow::kOutside, static_cast<std::int64_t>(op)});
            }
        }
        box.flows.assign(flows.begin(), flows.end());
    }

    // Plain boxes that have nothing but each other become one.
    static void join_rows(Box& box) {
        const auto plain = [&](std::size_t i) { return i != Flow::kOutside && box.boxes[i].title.empty(); };
        for (std::size_t i = 0; i < box.flows.size();) {
            const Flow flow = box.flows[i];
            const auto leaving = std::ranges::count(box.flows, flow.from, &Flow::from);
            const auto arriving = std::ranges::count(box.flows, flow.to, &Flow::to);
            if (!plain(flow.from) || !plain(flow.to) || leaving != 1 || arriving != 1) {
                ++i;
                continue;
            }
            Box& first = box.boxes[flow.from];
            Box& second = box.boxes[flow.to];
            std::ranges::move(second.rows, std::back_inserter(first.rows));
            first.shape = second.shape;
            box.flows.erase(box.flows.begin() + static_cast<std::ptrdiff_t>(i));
            box.boxes.erase(box.boxes.begin() + static_cast<std::ptrdiff_t>(flow.to));
            for (Flow& other : box.flows) {
                for (std::size_t* end : {&other.from, &other.to}) {
                    if (*end == flow.to) {
                        *end = flow.from;
                    } else if (*end != Flow::kOutside && *end > flow.to) {
                        --*end;
                    }
                }
            }
            i = 0;
        }
    }

    // What the network takes and gives, as boxes of their own.
    void add_ends(Box& root) const {
        std::map<std::int64_t, std::size_t> inputs;
        std::size_t outputs = Flow::kOutside;
        for (Flow& flow : root.flows) {
            if (flow.from == Flow::kOutside) {
                const auto [found, fresh] = inputs.try_emplace(flow.tensor, root.boxes.size());
                if (fresh) {
                    root.boxes.push_back(input_box(flow.tensor));
                }
                flow.from = found->second;
            }
        }
        for (Flow& flow : root.flows) {
            if (flow.to == Flow::kOutside) {
                if (outputs == Flow::kOutside) {
                    outputs = root.boxes.size();
                    root.boxes.push_back({.rows = {{"output", Row::Style::Text}}});
                }
                flow.to = outputs;
            }
        }
    }

    [[nodiscard]] Box input_box(std::int64_t number) const {
        for (const aten::Op& op : ops_) {
            for (const aten::Argument& argument : op.arguments) {
                for (const aten::TensorInfo& tensor : argument.tensors) {
                    if (tensor.input == -1 - number) {
                        return {
                            .rows = {{"input, " + tensor.dtype.substr(tensor.dtype.find('.') + 1), Row::Style::Text}},
                            .shape = box_shape(tensor.shape)};
                    }
                }
            }
        }
        return {.rows = {{"input", Row::Style::Text}}};
    }

    const Network& network_;
    const std::vector<aten::Op>& ops_;
    int depth_;
    Module root_;
    std::vector<std::size_t> same_;  // the op that stands for each
    std::vector<bool> visible_;
    std::vector<std::vector<std::int64_t>> sources_;
    std::vector<std::vector<std::size_t>> consumers_;
    std::map<std::pair<std::size_t, std::string>, int>
        times_;  // of a module that stands for several, by first op and kind
};

}  // namespace

Box boxes_of(const Network& network, int depth) { return BoxBuilder(network, depth).build(); }

std::size_t count_boxes(const Box& box) {
    std::size_t count = box.boxes.empty() ? 1 : 0;
    for (const Box& inner : box.boxes) {
        count += count_boxes(inner);
    }
    return count;
}

}  // namespace zoo::apps::modules
