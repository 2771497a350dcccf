// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace zoo {

// Bounds, both included.
struct IntRange {
    std::int64_t min = 0;
    std::int64_t max = std::numeric_limits<std::int32_t>::max();
};
struct NumberRange {
    double min = std::numeric_limits<double>::lowest();
    double max = std::numeric_limits<double>::max();
};

// Typed access to a JSON object such as a Hugging Face config.json. A key that is absent or null takes the fallback, or
// is an Error where there is none. Every Error names the file, the key, the value and the rule.
class JsonConfig {
public:
    [[nodiscard]] static JsonConfig load(const std::filesystem::path& file);
    // `source` stands for the file name in messages.
    [[nodiscard]] static JsonConfig parse(std::string_view text, std::string source);

    // Present and not null.
    [[nodiscard]] bool contains(std::string_view key) const;
    [[nodiscard]] std::vector<std::string> keys() const;
    [[nodiscard]] const std::string& source() const;

    [[nodiscard]] std::int64_t int64(
        std::string_view key, std::optional<std::int64_t> fallback = std::nullopt, IntRange range = {}) const;
    [[nodiscard]] double number(
        std::string_view key, std::optional<double> fallback = std::nullopt, NumberRange range = {}) const;
    [[nodiscard]] std::string string(std::string_view key, std::optional<std::string> fallback = std::nullopt) const;
    [[nodiscard]] bool boolean(std::string_view key, std::optional<bool> fallback = std::nullopt) const;

    [[nodiscard]] std::vector<std::int64_t> int64_list(std::string_view key, IntRange range = {}) const;
    [[nodiscard]] std::vector<std::string> string_list(std::string_view key) const;
    // Such as id2label.
    [[nodiscard]] std::map<std::string, std::string> string_map(std::string_view key) const;
    [[nodiscard]] JsonConfig object(std::string_view key) const;

private:
    struct Impl;
    explicit JsonConfig(std::shared_ptr<const Impl> impl);
    std::shared_ptr<const Impl> impl_;
};

}  // namespace zoo
