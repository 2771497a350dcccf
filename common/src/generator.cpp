// SPDX-License-Identifier: Apache-2.0
#include "zoo/generator.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "zoo/error.hpp"

namespace zoo {
namespace {

constexpr const char* kWhere = "Generator";

void validate(const GenerateOptions& options) {
    zoo::validate(options.sampling);
    if (options.max_new_tokens <= 0) {
        fail(kWhere, "max_new_tokens is ", options.max_new_tokens, "; it must be positive");
    }
    for (const std::string& stop : options.stop) {
        if (stop.empty()) {
            fail(kWhere, "a stop string is empty; it would stop before the first token");
        }
    }
}

// Text on its way to the caller. What may be the beginning of a stop string waits until it is known not to be.
class Outlet {
public:
    explicit Outlet(const std::vector<std::string>& stops) : stops_(stops) {}

    // The part of the text that is safe to show. Sets stopped() when a stop string is in it.
    std::string take(std::string_view piece) {
        waiting_ += piece;
        std::size_t first = std::string::npos;
        for (const std::string& stop : stops_) {
            first = std::min(first, waiting_.find(stop));
        }
        if (first != std::string::npos) {
            stopped_ = true;
            return release(first, true);
        }
        std::size_t held = 0;
        for (const std::string& stop : stops_) {
            for (std::size_t length = std::min(stop.size() - 1, waiting_.size()); length > held; --length) {
                if (std::string_view(waiting_).ends_with(std::string_view(stop).substr(0, length))) {
                    held = length;
                    break;
                }
            }
        }
        return release(waiting_.size() - held, false);
    }
    std::string rest() { return release(waiting_.size(), true); }
    [[nodiscard]] bool stopped() const { return stopped_; }

private:
    std::string release(std::size_t count, bool all) {
        std::string text = waiting_.substr(0, count);
        all ? waiting_.clear() : static_cast<void>(waiting_.erase(0, count));
        return text;
    }

    const std::vector<std::string>& stops_;
    std::string waiting_;
    bool stopped_ = false;
};

// One text while it grows.
struct Growing {
    Generation result;
    Random random;
    text::StreamDecoder decoder;
    Outlet outlet;
    bool done = false;
};

}  // namespace

std::string_view to_string(StopReason reason) {
    static constexpr std::array<std::string_view, 5> kNames{
        "length", "end-of-text", "stop-string", "callback", "context"};
    return kNames.at(static_cast<std::size_t>(reason));
}

Generator::Generator(CausalLm& model, const text::BytePair& tokenizer) : model_(model), tokenizer_(tokenizer) {
    if (static_cast<std::int64_t>(tokenizer.vocab_size()) > model.vocab_size()) {
        fail(kWhere, "the tokenizer has ", tokenizer.vocab_size(), " tokens; the model knows ", model.vocab_size());
    }
}

Generation Generator::generate(std::string_view prompt, const GenerateOptions& options, const OnText& on_text) {
    const std::array<std::string, 1> prompts{std::string(prompt)};
    const OnTextOf of =
        on_text ? OnTextOf([&](std::size_t, std::string_view piece) { return on_text(piece); }) : OnTextOf();
    return std::move(generate(prompts, options, of).front());
}

std::vector<std::vector<std::int32_t>> Generator::encode(
    std::span<const std::string> prompts, const GenerateOptions& options) const {
    validate(options);
    if (prompts.empty() || std::ssize(prompts) > model_.batch()) {
        fail(kWhere, prompts.size(), " prompts were given; the model takes 1 to ", model_.batch());
    }
    std::vector<std::vector<std::int32_t>> encoded;
    for (std::size_t i = 0; i < prompts.size(); ++i) {
        const std::vector<std::int32_t>& tokens = encoded.emplace_back(tokenizer_.encode(prompts[i]));
        if (tokens.empty()) {
            fail(kWhere, "prompt ", i, " is empty; a text needs a token to start from");
        }
        if (std::ssize(tokens) > model_.context()) {
            fail(kWhere, "prompt ", i, " has ", tokens.size(), " tokens; the context has room for ", model_.context());
        }
    }
    return encoded;
}

void Generator::check(std::span<const std::string> prompts, const GenerateOptions& options) const {
    (void)encode(prompts, options);
}

std::vector<Generation> Generator::generate(
    std::span<const std::string> prompts, const GenerateOptions& options, const OnTextOf& on_text) {
    const bool logits = options.sampling.needs_logits();
    std::vector<Growing> texts;
    for (std::vector<std::int32_t>& tokens : encode(prompts, options)) {
        Generation result;
        result.prompt = std::move(tokens);
        texts.push_back(
            {.result = std::move(result),
             .random = Random(options.seed).stream("text " + std::to_string(texts.size())),
             .decoder = text::StreamDecoder(tokenizer_),
             .outlet = Outlet(options.stop)});
    }

    const auto end = [&](std::size_t i, StopReason reason) {
        texts[i].done = true;
        texts[i].result.reason = reason;
    };
    const auto show = [&](std::size_t i, const std::string& piece) {
        texts[i].result.text += piece;
        if (!piece.empty() && on_text && !on_text(i, piece)) {
            end(i, StopReason::Callback);
        }
    };
    // Takes the next token of a text, shows it and decides whether the text goes on.
    const auto grow = [&](std::size_t i, const NextToken& next) {
        Growing& text = texts[i];
        Generation& result = text.result;
        std::int32_t token = next.best;
        if (logits) {
            std::vector<std::int32_t> history = result.prompt;
            history.insert(history.end(), result.tokens.begin(), result.tokens.end());
            token = sample(next.logits, history, options.sampling, text.random);
        }
        if (options.stop_at_end_of_text && token == tokenizer_.end_of_text()) {
            end(i, StopReason::EndOfText);
            return;
        }
        result.tokens.push_back(token);
        // A model may know more ids than its tokenizer has text for.
        const bool spelt = token < static_cast<std::int32_t>(tokenizer_.vocab_size());
        show(i, text.outlet.take(spelt ? text.decoder.next(token) : std::string()));
        if (text.done) {
            return;
        }
        if (text.outlet.stopped()) {
            end(i, StopReason::StopString);
        } else if (std::ssize(result.tokens) == options.max_new_tokens) {
            end(i, StopReason::Length);
        } else if (std::ssize(result.prompt) + std::ssize(result.tokens) > model_.context()) {
            end(i, StopReason::Context);
        }
    };

    for (std::size_t i = 0; i < texts.size(); ++i) {
        grow(i, model_.prefill(static_cast<std::int64_t>(i), texts[i].result.prompt, logits));
    }
    std::vector<std::int32_t> tokens(static_cast<std::size_t>(model_.batch()), 0);
    std::vector<std::int32_t> positions(tokens.size(), -1);
    while (!std::ranges::all_of(texts, &Growing::done)) {
        for (std::size_t i = 0; i < texts.size(); ++i) {
            const Generation& result = texts[i].result;
            tokens[i] = texts[i].done ? 0 : result.tokens.back();
            positions[i] =
                texts[i].done ? -1 : static_cast<std::int32_t>(result.prompt.size() + result.tokens.size()) - 1;
        }
        const std::vector<NextToken> next = model_.decode(tokens, positions, logits);
        for (std::size_t i = 0; i < texts.size(); ++i) {
            if (!texts[i].done) {
                grow(i, next[i]);
            }
        }
    }
    std::vector<Generation> results;
    for (std::size_t i = 0; i < texts.size(); ++i) {
        if (texts[i].result.reason != StopReason::StopString && texts[i].result.reason != StopReason::Callback) {
            const StopReason reason = texts[i].result.reason;
            show(i, texts[i].outlet.take(texts[i].decoder.finish()) + texts[i].outlet.rest());
            texts[i].result.reason = reason;
        }
        results.push_back(std::move(texts[i].result));
    }
    return results;
}

}  // namespace zoo
