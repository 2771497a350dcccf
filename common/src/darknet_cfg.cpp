// SPDX-License-Identifier: Apache-2.0
#include <charconv>
#include <cmath>
#include <cstring>

#include "mapped_file.hpp"
#include "zoo/darknet.hpp"
#include "zoo/error.hpp"

namespace zoo {
namespace {

constexpr const char* kWhere = "zoo::DarknetCfg";

std::string_view trimmed(std::string_view text) {
    const auto first = text.find_first_not_of(" \t\r");
    if (first == std::string_view::npos) {
        return {};
    }
    return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

template <class Number>
std::optional<Number> to_number(std::string_view text) {
    text = trimmed(text);
    if (text.starts_with('+')) {
        text.remove_prefix(1);
    }
    Number value{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size()) {
        return std::nullopt;
    }
    if constexpr (std::is_floating_point_v<Number>) {
        if (!std::isfinite(value)) {
            return std::nullopt;
        }
    }
    return value;
}

// Empty where one of the parts is no number.
template <class Number>
std::vector<Number> to_numbers(std::string_view text) {
    std::vector<Number> values;
    while (true) {
        const auto comma = text.find(',');
        const auto value = to_number<Number>(text.substr(0, comma));
        if (!value) {
            return {};
        }
        values.push_back(*value);
        if (comma == std::string_view::npos) {
            return values;
        }
        text.remove_prefix(comma + 1);
    }
}

}  // namespace

const DarknetSection::Option* DarknetSection::find(std::string_view key) const {
    for (const Option& option : options_) {
        if (option.key == key) {
            return &option;
        }
    }
    return nullptr;
}

void DarknetSection::refuse(std::string_view text) const { fail(kWhere, file_, ":", line_, ": [", name_, "] ", text); }

void DarknetSection::refuse(const Option& option, std::string_view rule) const {
    fail(
        kWhere, file_, ":", option.line, ": [", name_, "] ", option.key, " is '", option.value, "'; it must be ", rule);
}

const DarknetSection::Option& DarknetSection::require(std::string_view key) const {
    const Option* option = find(key);
    if (option == nullptr) {
        refuse("has no " + std::string(key));
    }
    return *option;
}

std::string DarknetSection::text(std::string_view key, std::optional<std::string_view> fallback) const {
    if (fallback && !contains(key)) {
        return std::string(*fallback);
    }
    return require(key).value;
}

std::int64_t DarknetSection::integer(std::string_view key, std::optional<std::int64_t> fallback) const {
    if (fallback && !contains(key)) {
        return *fallback;
    }
    const Option& option = require(key);
    const auto value = to_number<std::int64_t>(option.value);
    if (!value) {
        refuse(option, "an integer");
    }
    return *value;
}

double DarknetSection::number(std::string_view key, std::optional<double> fallback) const {
    if (fallback && !contains(key)) {
        return *fallback;
    }
    const Option& option = require(key);
    const auto value = to_number<double>(option.value);
    if (!value) {
        refuse(option, "a number");
    }
    return *value;
}

std::vector<std::int64_t> DarknetSection::integers(std::string_view key) const {
    const Option& option = require(key);
    auto values = to_numbers<std::int64_t>(option.value);
    if (values.empty()) {
        refuse(option, "integers with commas between them");
    }
    return values;
}

std::vector<double> DarknetSection::numbers(std::string_view key) const {
    const Option& option = require(key);
    auto values = to_numbers<double>(option.value);
    if (values.empty()) {
        refuse(option, "numbers with commas between them");
    }
    return values;
}

DarknetCfg DarknetCfg::load(const std::filesystem::path& file) {
    const MappedFile mapped(kWhere, file);
    const auto bytes = mapped.bytes();
    return parse({reinterpret_cast<const char*>(bytes.data()), bytes.size()}, file.string());
}

DarknetCfg DarknetCfg::parse(std::string_view text, const std::string& name) {
    DarknetCfg cfg;
    cfg.source_ = name;
    for (std::size_t number = 1; !text.empty(); ++number) {
        const auto end = text.find('\n');
        const std::string_view line = trimmed(text.substr(0, end));
        text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
        if (line.empty() || line.front() == '#' || line.front() == ';') {
            continue;
        }
        if (line.front() == '[') {
            if (line.back() != ']' || line.size() < 3) {
                fail(kWhere, name, ":", number, ": '", line, "' is no [section]");
            }
            cfg.sections_.emplace_back(name, std::string(trimmed(line.substr(1, line.size() - 2))), number);
            continue;
        }
        const auto equals = line.find('=');
        const std::string_view key = trimmed(line.substr(0, equals));
        if (equals == std::string_view::npos || key.empty()) {
            fail(kWhere, name, ":", number, ": '", line, "' is neither a [section] nor key=value");
        }
        if (cfg.sections_.empty()) {
            fail(kWhere, name, ":", number, ": '", line, "' comes before the first [section]");
        }
        DarknetSection& section = cfg.sections_.back();
        if (const auto* earlier = section.find(key); earlier != nullptr) {
            fail(
                kWhere, name, ":", number, ": [", section.name(), "] has ", key, " twice, first in line ",
                earlier->line);
        }
        section.options_.push_back({std::string(key), std::string(trimmed(line.substr(equals + 1))), number});
    }
    if (cfg.sections_.empty()) {
        fail(kWhere, name, ": there is no [section] in it");
    }
    return cfg;
}

}  // namespace zoo
