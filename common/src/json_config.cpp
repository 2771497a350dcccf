// SPDX-License-Identifier: Apache-2.0
#include "zoo/json_config.hpp"

#include <cmath>
#include <utility>

#include "json_file.hpp"
#include "message.hpp"
#include "zoo/error.hpp"

namespace zoo {

using nlohmann::json;

struct JsonConfig::Impl {
    std::string source;
    json document;

    // Null where the key is absent or null.
    [[nodiscard]] const json* find(std::string_view key) const {
        const auto found = document.find(key);
        return found == document.end() || found->is_null() ? nullptr : &*found;
    }

    [[nodiscard]] const json& require(std::string_view key) const {
        const json* value = find(key);
        if (value == nullptr) {
            fail("JsonConfig", source, ": key ", in_quotes(key), " is missing; it has no default");
        }
        return *value;
    }

    [[noreturn]] void refuse(std::string_view key, const json& value, std::string_view rule) const {
        const std::string shown = value.dump(-1, ' ', true, json::error_handler_t::replace);
        fail("JsonConfig", source, ": key ", in_quotes(key), " is ", in_quotes(shown, 60), "; ", rule);
    }

    [[nodiscard]] std::int64_t to_int64(std::string_view key, const json& value, const IntRange& range) const {
        const std::string rule =
            "it must be an integer from " + std::to_string(range.min) + " to " + std::to_string(range.max);
        std::int64_t result = 0;
        if (value.is_number_unsigned()) {
            if (value.get<std::uint64_t>() > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) {
                refuse(key, value, rule);
            }
            result = value.get<std::int64_t>();
        } else if (value.is_number_integer()) {
            result = value.get<std::int64_t>();
        } else if (
            value.is_number_float() && std::abs(value.get<double>()) <= 0x1p53 &&
            std::trunc(value.get<double>()) == value.get<double>()) {
            // Some tools write every number as a float: 12.0.
            result = static_cast<std::int64_t>(value.get<double>());
        } else {
            refuse(key, value, rule);
        }
        if (result < range.min || result > range.max) {
            refuse(key, value, rule);
        }
        return result;
    }

    [[nodiscard]] const json& require_list(std::string_view key) const {
        const json& value = require(key);
        if (!value.is_array()) {
            refuse(key, value, "it must be a list");
        }
        return value;
    }
};

JsonConfig::JsonConfig(std::shared_ptr<const Impl> impl) : impl_(std::move(impl)) {}

JsonConfig JsonConfig::load(const std::filesystem::path& file) {
    return JsonConfig(
        std::make_shared<const Impl>(Impl{.source = file.string(), .document = read_json_object("JsonConfig", file)}));
}

JsonConfig JsonConfig::parse(std::string_view text, std::string source) {
    json document = parse_json_object("JsonConfig", source, text);
    return JsonConfig(std::make_shared<const Impl>(Impl{.source = std::move(source), .document = std::move(document)}));
}

bool JsonConfig::contains(std::string_view key) const { return impl_->find(key) != nullptr; }

std::vector<std::string> JsonConfig::keys() const {
    std::vector<std::string> names;
    for (const auto& item : impl_->document.items()) {
        names.push_back(item.key());
    }
    return names;
}

const std::string& JsonConfig::source() const { return impl_->source; }

std::int64_t JsonConfig::int64(std::string_view key, std::optional<std::int64_t> fallback, IntRange range) const {
    if (fallback && !contains(key)) {
        return *fallback;
    }
    return impl_->to_int64(key, impl_->require(key), range);
}

double JsonConfig::number(std::string_view key, std::optional<double> fallback, NumberRange range) const {
    if (fallback && !contains(key)) {
        return *fallback;
    }
    const json& value = impl_->require(key);
    if (!value.is_number()) {
        impl_->refuse(key, value, "it must be a number");
    }
    const double result = value.get<double>();
    if (!(result >= range.min && result <= range.max)) {
        impl_->refuse(
            key, value, "it must be a number from " + json(range.min).dump() + " to " + json(range.max).dump());
    }
    return result;
}

std::string JsonConfig::string(std::string_view key, std::optional<std::string> fallback) const {
    if (fallback && !contains(key)) {
        return *std::move(fallback);
    }
    const json& value = impl_->require(key);
    if (!value.is_string()) {
        impl_->refuse(key, value, "it must be a string");
    }
    return value.get<std::string>();
}

bool JsonConfig::boolean(std::string_view key, std::optional<bool> fallback) const {
    if (fallback && !contains(key)) {
        return *fallback;
    }
    const json& value = impl_->require(key);
    if (!value.is_boolean()) {
        impl_->refuse(key, value, "it must be true or false");
    }
    return value.get<bool>();
}

std::vector<std::int64_t> JsonConfig::int64_list(std::string_view key, IntRange range) const {
    std::vector<std::int64_t> result;
    for (const json& item : impl_->require_list(key)) {
        result.push_back(impl_->to_int64(key, item, range));
    }
    return result;
}

std::vector<std::string> JsonConfig::string_list(std::string_view key) const {
    std::vector<std::string> result;
    for (const json& item : impl_->require_list(key)) {
        if (!item.is_string()) {
            impl_->refuse(key, item, "every item of the list must be a string");
        }
        result.push_back(item.get<std::string>());
    }
    return result;
}

std::map<std::string, std::string> JsonConfig::string_map(std::string_view key) const {
    const json& value = impl_->require(key);
    if (!value.is_object()) {
        impl_->refuse(key, value, "it must be an object");
    }
    std::map<std::string, std::string> result;
    for (const auto& [name, item] : value.items()) {
        if (!item.is_string()) {
            impl_->refuse(key, item, "every value of the object must be a string");
        }
        result.emplace(name, item.get<std::string>());
    }
    return result;
}

JsonConfig JsonConfig::object(std::string_view key) const {
    const json& value = impl_->require(key);
    if (!value.is_object()) {
        impl_->refuse(key, value, "it must be an object");
    }
    return JsonConfig(
        std::make_shared<const Impl>(Impl{.source = impl_->source + " (" + std::string(key) + ")", .document = value}));
}

}  // namespace zoo
