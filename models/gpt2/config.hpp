// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace zoo {
class JsonConfig;
}

namespace zoo::gpt2 {

// The field names of a Hugging Face config.json; the defaults are gpt2's, the small one.
struct Config {
    std::int64_t vocab_size = 50257;
    std::int64_t n_positions = 1024;
    std::int64_t n_embd = 768;
    std::int64_t n_layer = 12;
    std::int64_t n_head = 12;
    std::int64_t n_inner = 0;  // 0: four times n_embd
    double layer_norm_epsilon = 1e-5;
    std::string activation_function = "gelu_new";  // by tanh
    bool tie_word_embeddings = true;

    [[nodiscard]] std::int64_t head_size() const { return n_embd / n_head; }
    [[nodiscard]] std::int64_t inner() const { return n_inner > 0 ? n_inner : 4 * n_embd; }

    bool operator==(const Config&) const = default;
};

// "gpt2-tiny" (for tests), "gpt2-scripture" (trained by this project), "gpt2", "gpt2-medium". Error for any other name, listing these.
[[nodiscard]] Config preset(std::string_view name);
[[nodiscard]] const std::vector<std::string_view>& preset_names();

// Reads and validates a config.json: a path to it, or a parsed one.
[[nodiscard]] Config from_json(const std::filesystem::path& file);
[[nodiscard]] Config from_json(const JsonConfig& json);

// Error naming the first field that no code here can run, its value and the rule.
void validate(const Config& config);

}  // namespace zoo::gpt2
