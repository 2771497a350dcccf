// SPDX-License-Identifier: Apache-2.0
#include "conformance/golden_case.hpp"

#include <charconv>

#include "zoo/checkpoint.hpp"
#include "zoo/error.hpp"

namespace zoo::conformance {

int whole_number(const std::string& what, const std::string& text, int lowest, int highest) {
    int value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size() || value < lowest || value > highest) {
        throw UnknownCase(
            what + " is '" + text + "'; it must be a whole number from " + std::to_string(lowest) + " to " +
            std::to_string(highest));
    }
    return value;
}

GoldenCase GoldenCase::load(const std::filesystem::path& file) {
    const std::unique_ptr<Checkpoint> checkpoint = open_checkpoint(file);
    GoldenCase golden;
    golden.name_ = file.stem().string();
    const auto& metadata = checkpoint->metadata();
    const auto args = metadata.find("args");
    if (args == metadata.end()) {
        fail("conformance", file.string(), " has no metadata 'args'; it must name the op and its arguments as JSON");
    }
    golden.args_ = nlohmann::json::parse(args->second, nullptr, /*allow_exceptions=*/false);
    if (!golden.args_.is_object() || !golden.args_.contains("op") || !golden.args_["op"].is_string()) {
        fail("conformance", file.string(), ": metadata 'args' is not a JSON object with a text 'op'");
    }
    golden.op_ = golden.args_["op"].get<std::string>();
    golden.used_.insert("op");
    for (std::size_t i = 0; checkpoint->contains("in" + std::to_string(i)); ++i) {
        golden.inputs_.push_back(checkpoint->load("in" + std::to_string(i)));
    }
    if (golden.inputs_.empty() || !checkpoint->contains("out")) {
        fail("conformance", file.string(), " must hold tensors 'in0' and 'out'");
    }
    golden.output_ = checkpoint->load("out");
    return golden;
}

const HostTensor& GoldenCase::input(std::size_t index) const {
    if (index >= inputs_.size()) {
        throw UnknownCase("op '" + op_ + "' needs tensor in" + std::to_string(index) + ", which the file lacks");
    }
    return inputs_[index];
}

const HostTensor& GoldenCase::image(std::size_t index) const {
    const HostTensor& tensor = input(index);
    if (tensor.shape.size() != 4 || tensor.data.empty()) {
        throw UnknownCase(
            "in" + std::to_string(index) + " has shape " + to_string(tensor.shape) + "; op '" + op_ +
            "' needs one of rank 4 that is not empty");
    }
    return tensor;
}

const nlohmann::json* GoldenCase::find(const std::string& argument) const {
    used_.insert(argument);
    const auto found = args_.find(argument);
    return found == args_.end() || found->is_null() ? nullptr : &*found;
}

std::string GoldenCase::text(const std::string& argument, const std::string& fallback) const {
    const nlohmann::json* value = find(argument);
    if (value == nullptr) {
        return fallback;
    }
    return value->is_string() ? value->get<std::string>() : value->dump();
}

double GoldenCase::number(const std::string& argument, double fallback) const {
    const std::string value = text(argument);
    if (value.empty()) {
        return fallback;
    }
    std::size_t read = 0;
    double result = 0;
    try {
        result = std::stod(value, &read);
    } catch (const std::exception&) {
        read = 0;
    }
    if (read != value.size()) {
        throw UnknownCase("argument '" + argument + "' is '" + value + "', which is no number");
    }
    return result;
}

int GoldenCase::integer(const std::string& argument, int fallback, int lowest, int highest) const {
    const std::string value = text(argument);
    return value.empty() ? fallback : whole_number("argument '" + argument + "'", value, lowest, highest);
}

bool GoldenCase::flag(const std::string& argument, bool fallback) const {
    const std::string value = text(argument);
    if (value.empty()) {
        return fallback;
    }
    if (value == "true" || value == "True" || value == "1") {
        return true;
    }
    if (value == "false" || value == "False" || value == "0") {
        return false;
    }
    throw UnknownCase("argument '" + argument + "' is '" + value + "', which is neither true nor false");
}

void GoldenCase::check_all_used() const {
    std::string unknown;
    for (const auto& [argument, value] : args_.items()) {
        if (!used_.contains(argument)) {
            unknown += (unknown.empty() ? "" : ", ") + argument + "=" + value.dump();
        }
    }
    if (!unknown.empty()) {
        throw UnknownCase("op '" + op_ + "': argument not known: " + unknown);
    }
}

}  // namespace zoo::conformance
