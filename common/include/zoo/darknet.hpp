// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "zoo/host_tensor.hpp"

namespace zoo {

// One [section] of a Darknet cfg. Every message names the file, the line and the section.
class DarknetSection {
public:
    DarknetSection(std::string file, std::string name, std::size_t line)
        : file_(std::move(file)), name_(std::move(name)), line_(line) {}

    [[nodiscard]] const std::string& name() const { return name_; }
    [[nodiscard]] std::size_t line() const { return line_; }
    [[nodiscard]] bool contains(std::string_view key) const { return find(key) != nullptr; }

    // Error when the value is no such thing, or is absent and there is no fallback.
    [[nodiscard]] std::string text(std::string_view key, std::optional<std::string_view> fallback = {}) const;
    [[nodiscard]] std::int64_t integer(std::string_view key, std::optional<std::int64_t> fallback = {}) const;
    [[nodiscard]] double number(std::string_view key, std::optional<double> fallback = {}) const;
    // Separated by commas.
    [[nodiscard]] std::vector<std::int64_t> integers(std::string_view key) const;
    [[nodiscard]] std::vector<double> numbers(std::string_view key) const;

    // Throws Error: "[zoo::DarknetCfg] file:line: [section] " and the text.
    [[noreturn]] void refuse(std::string_view text) const;

private:
    friend class DarknetCfg;
    struct Option {
        std::string key;
        std::string value;
        std::size_t line;
    };
    [[nodiscard]] const Option* find(std::string_view key) const;
    [[noreturn]] void refuse(const Option& option, std::string_view rule) const;
    [[nodiscard]] const Option& require(std::string_view key) const;

    std::string file_;
    std::string name_;
    std::size_t line_;
    std::vector<Option> options_;
};

// A network description of Darknet: sections of key=value lines, with # and ; for comments.
class DarknetCfg {
public:
    // Error for a file that is missing, has no section, or a line that is neither a section nor an option.
    [[nodiscard]] static DarknetCfg load(const std::filesystem::path& file);
    [[nodiscard]] static DarknetCfg parse(std::string_view text, const std::string& name);

    [[nodiscard]] const std::vector<DarknetSection>& sections() const { return sections_; }
    [[nodiscard]] const std::string& source() const { return source_; }

private:
    std::string source_;
    std::vector<DarknetSection> sections_;
};

// One convolution of a Darknet weights file: where its values go. The file holds the bias, then with batch norm the scale, mean and
// variance, then the kernel.
struct DarknetConv {
    std::string name;  // for messages
    Shape shape;       // of the kernel: [out, in, height, width]
    HostTensor* weight = nullptr;
    HostTensor* bias = nullptr;   // with batch norm: what it adds
    HostTensor* scale = nullptr;  // this and the next: null without batch norm
    HostTensor* mean = nullptr;
    HostTensor* variance = nullptr;
};

// Fills all targets from a file that holds exactly these convolutions in this order. Error for a file that ends early (naming the
// convolution), or that holds more. No target changes unless everything loads.
void load_darknet_weights(const std::filesystem::path& file, std::span<const DarknetConv> convolutions);

}  // namespace zoo
