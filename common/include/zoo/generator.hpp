// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "zoo/causal_lm.hpp"
#include "zoo/sampling.hpp"
#include "zoo/text/byte_pair.hpp"

namespace zoo {

struct GenerateOptions {
    std::int64_t max_new_tokens = 64;
    SamplingOptions sampling;
    std::uint64_t seed = 0;         // the same seed gives the same text
    std::vector<std::string> stop;  // a text ends before the first of these; they are not part of it
    bool stop_at_end_of_text = true;
};

enum class StopReason {
    Length,     // max_new_tokens
    EndOfText,  // the model's own end
    StopString,
    Callback,  // the caller asked for it
    Context,   // no position is left
};
[[nodiscard]] std::string_view to_string(StopReason reason);  // length, end-of-text, stop-string, callback, context

struct Generation {
    std::vector<std::int32_t> prompt;
    std::vector<std::int32_t> tokens;  // new ones, without the end of text
    std::string text;                  // of the new tokens
    StopReason reason = StopReason::Length;
};

// Continues texts with any causal model.
//
//     Generator generator(runner, tokenizer);
//     generator.generate("Once upon a time", {.max_new_tokens = 40}, [](std::string_view piece) { ...; return true; });
class Generator {
public:
    // A piece of new text, never part of a character; false stops the generation.
    using OnText = std::function<bool(std::string_view piece)>;
    // The same for one of several texts.
    using OnTextOf = std::function<bool(std::size_t index, std::string_view piece)>;

    // Both must outlive the generator. Error when the tokenizer has ids that the model has no row for.
    Generator(CausalLm& model, const text::BytePair& tokenizer);

    // What generate() would say before its first token: Error for no prompts or too many, an empty one, one that the context has no
    // room for, or an option out of range.
    void check(std::span<const std::string> prompts, const GenerateOptions& options) const;

    // Errors as check().
    [[nodiscard]] Generation generate(
        std::string_view prompt, const GenerateOptions& options = {}, const OnText& on_text = {});

    // Up to the model's batch of prompts side by side. Each has a stream of random numbers of its own, so a text does not depend on
    // its neighbours.
    [[nodiscard]] std::vector<Generation> generate(
        std::span<const std::string> prompts, const GenerateOptions& options = {}, const OnTextOf& on_text = {});

private:
    // Of prompts that pass check().
    [[nodiscard]] std::vector<std::vector<std::int32_t>> encode(
        std::span<const std::string> prompts, const GenerateOptions& options) const;

    CausalLm& model_;
    const text::BytePair& tokenizer_;
};

}  // namespace zoo
