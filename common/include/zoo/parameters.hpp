// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "ttnn/types.hpp"
#include "zoo/host_tensor.hpp"

namespace zoo {

// A TTNN tensor, on a device or not, or one that was kept as it is.
using ParameterValue = std::variant<ttnn::Tensor, HostTensor>;

struct ParameterTotals {
    std::size_t tensors = 0;                        // TTNN tensors
    std::size_t host_tensors = 0;                   // those kept as HostTensor
    std::map<ttnn::DataType, std::uint64_t> bytes;  // of TTNN tensors, padding included
    std::uint64_t host_bytes = 0;
};

// The parameters of a model, nested as its modules are:
//   parameters["encoder"]["layer"][0]["dense"].tensor("weight")
// Every access checks. An Error names the whole path and what there is at that place.
class ParameterTree {
public:
    struct Child;
    struct Value;

    // The module of that name. A number is a name too: [3] is ["3"].
    [[nodiscard]] const ParameterTree& operator[](std::string_view name) const;
    [[nodiscard]] const ParameterTree& operator[](std::size_t index) const;

    // The TTNN tensor of that name; Error for one that was kept as HostTensor.
    [[nodiscard]] const ttnn::Tensor& tensor(std::string_view name) const;
    // The tensor of that name that was kept as it is; Error for a TTNN tensor.
    [[nodiscard]] const HostTensor& host_tensor(std::string_view name) const;

    // Whether there is a module or a tensor of that name.
    [[nodiscard]] bool contains(std::string_view name) const;
    [[nodiscard]] bool empty() const;

    // In the order in which they were added.
    [[nodiscard]] const std::vector<Child>& children() const { return children_; }
    [[nodiscard]] const std::vector<Value>& values() const { return values_; }

    // Visits all tensors, a module's own before those of its children, each with its full path.
    void for_each(const std::function<void(const std::string& path, const ParameterValue& value)>& visit) const;

    [[nodiscard]] ParameterTotals totals() const;

    // From the root that the tree was last a part of: "encoder.layer.0". Empty for the root.
    [[nodiscard]] const std::string& path() const { return path_; }

    // Error when the name is taken, empty, or has a dot.
    void add(std::string name, ParameterValue value);
    void add(std::string name, ParameterTree child);

    // Says that the tree is a part of something larger, for paths and messages.
    void set_path(std::string path);

    // Replaces every TTNN tensor by what `change` makes of it.
    void transform(const std::function<ttnn::Tensor(const ttnn::Tensor&)>& change);

private:
    void check_name(std::string_view name) const;
    [[nodiscard]] const Value& value_at(std::string_view name) const;
    [[nodiscard]] std::string place() const;
    [[nodiscard]] std::string contents() const;

    std::string path_;
    std::vector<Value> values_;
    std::vector<Child> children_;
};

struct ParameterTree::Child {
    std::string name;
    ParameterTree tree;
};

struct ParameterTree::Value {
    std::string name;
    ParameterValue value;
};

// The tree as indented text, a line a tensor: name, shape, data type, layout, where it is.
[[nodiscard]] std::string describe(const ParameterTree& parameters);

}  // namespace zoo
