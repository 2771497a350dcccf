// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <map>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "zoo/host_tensor.hpp"

namespace zoo::conformance {

// Thrown for an op or an argument that this program has no call for. The message is what the row of the case says.
class UnknownCase : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

// The whole number that `text` is, in [lowest, highest]; UnknownCase, naming `what`, if it is none.
int whole_number(const std::string& what, const std::string& text, int lowest, int highest);

// One answer of the real TTNN: a call with its arguments, inputs and output. Arguments are taken by name, so that what is left over
// can be reported instead of ignored.
class GoldenCase {
public:
    // Error for a file that is no safetensors file, or that lacks `args`, `out` or `in0`.
    static GoldenCase load(const std::filesystem::path& file);

    const std::string& name() const { return name_; }
    const std::string& op() const { return op_; }
    const HostTensor& input(std::size_t index) const;  // UnknownCase when there is none
    const HostTensor& image(std::size_t index) const;  // the same, of rank 4 and not empty
    std::size_t input_count() const { return inputs_.size(); }
    const HostTensor& output() const { return output_; }

    bool has(const std::string& argument) const { return args_.contains(argument); }
    // Numbers and booleans may be stored as text. The fallback is for an argument that is absent or null.
    std::string text(const std::string& argument, const std::string& fallback = "") const;
    double number(const std::string& argument, double fallback) const;
    // A whole number in [lowest, highest], else UnknownCase.
    int integer(const std::string& argument, int fallback, int lowest, int highest) const;
    bool flag(const std::string& argument, bool fallback) const;

    // UnknownCase naming every argument that nobody asked for.
    void check_all_used() const;

private:
    const nlohmann::json* find(const std::string& argument) const;

    std::string name_;
    std::string op_;
    nlohmann::json args_;
    std::vector<HostTensor> inputs_;
    HostTensor output_;
    mutable std::set<std::string> used_;
};

}  // namespace zoo::conformance
