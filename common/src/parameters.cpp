// SPDX-License-Identifier: Apache-2.0
#include "zoo/parameters.hpp"

#include <algorithm>
#include <utility>

#include "message.hpp"
#include "zoo/device_tensor.hpp"
#include "zoo/error.hpp"
#include "zoo/module_tree.hpp"

namespace zoo {
namespace {

const char* dtype_name(ttnn::DataType dtype) {
    switch (dtype) {
        case ttnn::DataType::BFLOAT16:
            return "BFLOAT16";
        case ttnn::DataType::FLOAT32:
            return "FLOAT32";
        case ttnn::DataType::BFLOAT8_B:
            return "BFLOAT8_B";
        case ttnn::DataType::BFLOAT4_B:
            return "BFLOAT4_B";
        case ttnn::DataType::UINT32:
            return "UINT32";
        case ttnn::DataType::UINT16:
            return "UINT16";
        case ttnn::DataType::UINT8:
            return "UINT8";
        case ttnn::DataType::INT32:
            return "INT32";
        default:
            return "unknown data type";
    }
}

std::string shape_text(const ttnn::Tensor& tensor) {
    Shape shape;
    for (const std::uint32_t dim : tensor.logical_shape().view()) {
        shape.push_back(dim);
    }
    return to_string(shape);
}

std::string value_text(const ParameterValue& value) {
    if (const auto* host = std::get_if<HostTensor>(&value)) {
        return to_string(host->shape) + " kept as float32";
    }
    const auto& tensor = std::get<ttnn::Tensor>(value);
    std::string text = shape_text(tensor) + " " + dtype_name(tensor.dtype());
    text += tensor.layout() == ttnn::Layout::TILE ? " TILE" : " ROW_MAJOR";
    if (tensor.device() == nullptr) {
        return text + " host";
    }
    text += tensor.memory_config().is_dram() ? " DRAM" : " L1";
    return text + (tensor.is_sharded() ? " sharded" : "");
}

void append_lines(std::string& text, const ParameterTree& tree, const std::string& indent) {
    for (const ParameterTree::Value& value : tree.values()) {
        text += indent + value.name + ": " + value_text(value.value) + "\n";
    }
    for (const ParameterTree::Child& child : tree.children()) {
        text += indent + child.name + ":\n";
        append_lines(text, child.tree, indent + "  ");
    }
}

}  // namespace

const ParameterTree& ParameterTree::operator[](std::string_view name) const {
    const auto found = std::find_if(children_.begin(), children_.end(), [&](const auto& c) { return c.name == name; });
    if (found == children_.end()) {
        fail("ParameterTree", place(), " has no module ", in_quotes(name), "; there is: ", contents());
    }
    return found->tree;
}

const ParameterTree& ParameterTree::operator[](std::size_t index) const {
    return (*this)[std::string_view(std::to_string(index))];
}

const ParameterTree::Value& ParameterTree::value_at(std::string_view name) const {
    const auto found = std::find_if(values_.begin(), values_.end(), [&](const auto& v) { return v.name == name; });
    if (found == values_.end()) {
        fail("ParameterTree", place(), " has no tensor ", in_quotes(name), "; there is: ", contents());
    }
    return *found;
}

const ttnn::Tensor& ParameterTree::tensor(std::string_view name) const {
    const Value& found = value_at(name);
    const auto* tensor = std::get_if<ttnn::Tensor>(&found.value);
    if (tensor == nullptr) {
        fail(
            "ParameterTree", in_quotes(join_path(path_, name)), " is ", value_text(found.value),
            ", no TTNN tensor; convert_to_ttnn decides that, host_tensor() reads it");
    }
    return *tensor;
}

const HostTensor& ParameterTree::host_tensor(std::string_view name) const {
    const Value& found = value_at(name);
    const auto* tensor = std::get_if<HostTensor>(&found.value);
    if (tensor == nullptr) {
        fail(
            "ParameterTree", in_quotes(join_path(path_, name)), " is a TTNN tensor, ", value_text(found.value),
            "; tensor() reads it");
    }
    return *tensor;
}

bool ParameterTree::contains(std::string_view name) const {
    return std::any_of(values_.begin(), values_.end(), [&](const auto& value) { return value.name == name; }) ||
           std::any_of(children_.begin(), children_.end(), [&](const auto& child) { return child.name == name; });
}

bool ParameterTree::empty() const { return values_.empty() && children_.empty(); }

void ParameterTree::for_each(
    const std::function<void(const std::string& path, const ParameterValue& value)>& visit) const {
    for (const Value& value : values_) {
        visit(join_path(path_, value.name), value.value);
    }
    for (const Child& child : children_) {
        child.tree.for_each(visit);
    }
}

ParameterTotals ParameterTree::totals() const {
    ParameterTotals totals;
    for_each([&](const std::string&, const ParameterValue& value) {
        if (const auto* host = std::get_if<HostTensor>(&value)) {
            ++totals.host_tensors;
            totals.host_bytes += host->size() * sizeof(float);
            return;
        }
        const auto& tensor = std::get<ttnn::Tensor>(value);
        ++totals.tensors;
        totals.bytes[tensor.dtype()] += tensor.tensor_spec().compute_packed_buffer_size_bytes();
    });
    return totals;
}

void ParameterTree::add(std::string name, ParameterValue value) {
    check_name(name);
    values_.push_back({.name = std::move(name), .value = std::move(value)});
}

void ParameterTree::add(std::string name, ParameterTree child) {
    check_name(name);
    child.set_path(join_path(path_, name));
    children_.push_back({.name = std::move(name), .tree = std::move(child)});
}

void ParameterTree::set_path(std::string path) {
    path_ = std::move(path);
    for (Child& child : children_) {
        child.tree.set_path(join_path(path_, child.name));
    }
}

void ParameterTree::transform(const std::function<ttnn::Tensor(const ttnn::Tensor&)>& change) {
    for (Value& value : values_) {
        if (auto* tensor = std::get_if<ttnn::Tensor>(&value.value)) {
            *tensor = change(*tensor);
        }
    }
    for (Child& child : children_) {
        child.tree.transform(change);
    }
}

void ParameterTree::check_name(std::string_view name) const {
    if (name.empty() || name.find('.') != std::string_view::npos) {
        fail(
            "ParameterTree", place(), " cannot have a part named ", in_quotes(name),
            "; a name is not empty and has no dot");
    }
    if (contains(name)) {
        fail("ParameterTree", place(), " has a part named ", in_quotes(name), " already");
    }
}

std::string ParameterTree::place() const { return path_.empty() ? "the root" : in_quotes(path_); }

std::string ParameterTree::contents() const {
    std::vector<std::string> names;
    for (const Value& value : values_) {
        names.push_back(value.name + " (tensor)");
    }
    for (const Child& child : children_) {
        names.push_back(child.name);
    }
    return names.empty() ? "nothing" : listed(names);
}

std::string describe(const ParameterTree& parameters) {
    std::string text;
    append_lines(text, parameters, "");
    return text;
}

}  // namespace zoo
