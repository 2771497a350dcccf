// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <iostream>

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "encoder/rank.hpp"
#include "encoder/session.hpp"
#include "golden.hpp"
#include "stopwatch.hpp"
#include "table.hpp"
#include "zoo/error.hpp"

namespace zoo::apps::encoder_app {

namespace {

struct RunOptions {
    ModelFlags model;
    DeviceFlags device;
    std::string task;
    std::string question;
    std::string context;
    std::vector<std::string> texts;
    std::size_t top = 5;
    PlanFlags plan;
    bool check = false;
    bool json = false;
};

// What the flags ask for, when --task does not say.
std::string task_of(const RunOptions& options, const Session& session) {
    if (!options.task.empty()) {
        return options.task;
    }
    if (!options.question.empty() || !options.context.empty()) {
        return session.heads.qa_outputs ? "question-answering" : "rank";
    }
    if (options.texts.size() == 1 && options.texts[0].find("[MASK]") != std::string::npos) {
        return "fill-mask";
    }
    // Labels with names are those of a classifier that means something.
    const bool classifies = session.heads.classifier && (options.texts.size() == 1 || !session.labels.empty());
    if (!options.texts.empty() && classifies) {
        return "classify";
    }
    if (options.texts.size() > 1) {
        return "similarity";
    }
    fail(session.model, "nothing to do: give --question and --context, a text with [MASK], or two texts to compare");
}

void require(const Session& session, const std::string& value, const char* flag, const std::string& task) {
    if (value.empty()) {
        fail(session.model, "task ", task, " needs ", flag);
    }
}

class Run {
public:
    Run(const RunOptions& options, Session session)
        : options_(options),
          session_(std::move(session)),
          device_(options.device.open(2, kTraceRegionBytes)),
          task_(task_of(options, session_)) {
        if (options_.check) {
            require_golden("--check");
        }
        (void)tokenizer_of(session_);  // before anything is printed
        result_ = {
            {"model", session_.model},
            {"preset", session_.preset},
            {"weights", session_.source},
            {"trained", session_.trained},
            {"task", task_}};
    }

    void operator()() {
        if (!options_.json) {
            std::cout << fmt::format(
                "{} {}, weights {}, {} on {}, numerics {}\n", session_.model, session_.preset, session_.source,
                options_.plan.plan, options_.device.board, options_.device.numerics);
            if (!session_.trained) {
                std::cout << "The weights are random: what follows shows that the model runs, and means nothing.\n";
            }
            std::cout << '\n';
        }
        if (task_ == "rank") {
            rank();
        } else if (task_ == "question-answering") {
            answer();
        } else if (task_ == "fill-mask") {
            fill_mask();
        } else if (task_ == "similarity") {
            similarity();
        } else {
            classify();
        }
        if (options_.json) {
            std::cout << result_.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) << '\n';
        }
    }

private:
    std::unique_ptr<encoder::Runner> runner(encoder::Task task, std::int64_t batch, std::int64_t sequence) {
        return session_.runner(
            *device_, {.task = task,
                       .batch = batch,
                       .sequence = sequence,
                       .mode = options_.plan.chosen_mode(),
                       .plan = options_.plan.chosen_plan()});
    }

    // Runs batch after batch, the first the largest, and tells the latency and, with --check, the PCC.
    HostTensor run(encoder::Task task, std::span<const encoder::Inputs> batches) {
        const auto model = runner(task, batches.front().batch, batches.front().sequence);
        const Stopwatch watch;
        std::vector<HostTensor> outputs;
        for (const encoder::Inputs& inputs : batches) {
            outputs.push_back(model->run(inputs));
        }
        const double milliseconds = watch.milliseconds();
        HostTensor output = concat(outputs, 0);
        std::optional<Comparison> golden;
        if (options_.check) {
            std::vector<HostTensor> expected;
            for (const encoder::Inputs& inputs : batches) {
                expected.push_back(golden_run(session_, task, inputs));
            }
            golden = compare(concat(expected, 0).data, output.data);
        }
        report(milliseconds, golden);
        return output;
    }

    void report(double milliseconds, const std::optional<Comparison>& golden) {
        result_["latency_ms"] = milliseconds;
        footer_ = fmt::format("\n{:.1f} ms", milliseconds);
        if (golden) {
            result_["pcc"] = golden->pcc;
            result_["relative_error"] = golden->relative_error;
            footer_ += fmt::format(
                ", PCC {:.6f} against libtorch, relative error {:.2e}", golden->pcc, golden->relative_error);
        }
    }

    void print_footer() const { std::cout << footer_ << '\n'; }

    void rank() {
        require(session_, options_.question, "--question", task_);
        require(session_, options_.context, "--context", task_);
        Ranking ranking = prepare_ranking(session_, options_.question, options_.context);
        const auto model = runner(encoder::Task::SentenceEmbedding, ranking.batch, ranking.sequence);
        const Stopwatch watch;
        rank_on_device(ranking, *model);
        report(
            watch.milliseconds(),
            options_.check ? std::optional(compare_with_golden(ranking, session_)) : std::nullopt);
        for (const encoder::RankedSentence& sentence : ranking.ranked) {
            result_["sentences"].push_back(
                {{"text", text::slice(options_.context, sentence.span)},
                 {"begin", sentence.span.begin},
                 {"end", sentence.span.end},
                 {"score", sentence.score}});
        }
        if (!options_.json) {
            std::cout << "The sentences that answer best: " << options_.question << '\n';
            print_ranking(ranking, options_.context, options_.top);
            print_footer();
        }
    }

    void answer() {
        require(session_, options_.question, "--question", task_);
        require(session_, options_.context, "--context", task_);
        if (!session_.heads.qa_outputs) {
            fail(
                session_.model, "weights ", session_.source,
                " have no question answering head; give a SQuAD checkpoint by --weights");
        }
        const auto limit =
            static_cast<std::size_t>(std::min<std::int64_t>(384, session_.limits.max_position_embeddings));
        const text::Tokenizer& tokenizer = tokenizer_of(session_);
        std::size_t longest = 0;
        for (const text::Encoding& window :
             tokenizer.encode_pair_windows(options_.question, options_.context, limit, limit / 3)) {
            longest = std::max(longest, window.size());
        }
        const std::size_t length = std::min(encoder::padded_length(longest), limit);
        const std::vector<text::Encoding> windows =
            tokenizer.encode_pair_windows(options_.question, options_.context, length, length / 3, length);
        const auto model = runner(encoder::Task::QuestionAnswering, 1, static_cast<std::int64_t>(length));
        encoder::Answer best;
        std::optional<Comparison> golden;
        const Stopwatch watch;
        double milliseconds = 0;
        for (std::size_t i = 0; i < windows.size(); ++i) {
            const encoder::Inputs inputs = encoder::to_inputs({&windows[i], 1});
            const HostTensor logits = model->run(inputs);
            milliseconds = watch.milliseconds();
            const encoder::Answer found = encoder::best_answer(logits.data, windows[i]);
            if (i == 0 || found.score > best.score) {
                best = found;
            }
            if (options_.check && i == 0) {
                golden = compare(golden_run(session_, encoder::Task::QuestionAnswering, inputs).data, logits.data);
            }
        }
        report(milliseconds, golden);
        const std::string_view span = text::slice(options_.context, best.span);
        result_["answer"] = {
            {"text", span},
            {"begin", best.span.begin},
            {"end", best.span.end},
            {"score", best.score},
            {"margin", best.margin}};
        result_["windows"] = windows.size();
        if (!options_.json) {
            std::cout << "Question: " << options_.question << "\nAnswer:   " << span
                      << fmt::format("   (score {:.2f}, {:+.2f} against no answer)\n", best.score, best.margin);
            print_footer();
        }
    }

    void fill_mask() {
        if (options_.texts.size() != 1) {
            fail(
                session_.model, "task fill-mask takes one text, with [MASK] in it; ", options_.texts.size(),
                " were given");
        }
        if (!session_.heads.predictions) {
            fail(
                session_.model, "weights ", session_.source,
                " have no masked language model head; give a checkpoint that has one by --weights");
        }
        const text::Tokenizer& tokenizer = tokenizer_of(session_);
        const auto limit = static_cast<std::size_t>(session_.limits.max_position_embeddings);
        const std::size_t length =
            encoder::padded_length(tokenizer.encode(options_.texts[0], {.max_length = limit}).size());
        const text::Encoding encoding = tokenizer.encode(options_.texts[0], {.max_length = limit, .pad_to = length});
        std::vector<std::size_t> masks;
        for (std::size_t i = 0; i < encoding.size(); ++i) {
            if (encoding.ids[i] == tokenizer.mask_id()) {
                masks.push_back(i);
            }
        }
        if (masks.empty()) {
            fail(session_.model, "the text has no [MASK]: ", options_.texts[0]);
        }
        const HostTensor logits = run(encoder::Task::MaskedLm, std::vector{encoder::to_inputs({&encoding, 1})});
        const auto vocabulary = static_cast<std::size_t>(session_.limits.vocab_size);
        if (!options_.json) {
            std::cout << options_.texts[0] << '\n';
        }
        for (const std::size_t mask : masks) {
            if (!options_.json && masks.size() > 1) {
                std::cout << fmt::format("[MASK] {} of {}\n", result_["masks"].size() + 1, masks.size());
            }
            nlohmann::json words = nlohmann::json::array();
            for (const encoder::Word& word : encoder::likeliest_words(
                     std::span(logits.data).subspan(mask * vocabulary, vocabulary), options_.top)) {
                const bool named = word.id < static_cast<std::int32_t>(tokenizer.vocab_size());
                const std::string name = named ? tokenizer.token(word.id) : fmt::format("#{}", word.id);
                words.push_back({{"word", name}, {"probability", word.probability}});
                if (!options_.json) {
                    std::cout << fmt::format("  {:6.2f} %  {}\n", 100 * word.probability, name);
                }
            }
            result_["masks"].push_back(words);
        }
        if (!options_.json) {
            print_footer();
        }
    }

    HostTensor run_texts(encoder::Task task) {
        const std::vector<std::string_view> texts(options_.texts.begin(), options_.texts.end());
        return run(task, in_batches(session_, texts, session_.truncation));
    }

    void similarity() {
        if (options_.texts.size() < 2) {
            fail(session_.model, "task similarity takes two texts or more; ", options_.texts.size(), " given");
        }
        const HostTensor embeddings = run_texts(encoder::Task::SentenceEmbedding);
        const std::size_t width = embeddings.size() / options_.texts.size();
        const std::span<const float> all(embeddings.data);
        for (std::size_t i = 1; i < options_.texts.size(); ++i) {
            const double value = encoder::cosine(all.first(width), all.subspan(i * width, width));
            result_["similarities"].push_back({{"text", options_.texts[i]}, {"cosine", value}});
            if (!options_.json) {
                std::cout << (i == 1 ? options_.texts[0] + "\n" : "")
                          << fmt::format("  {:7.4f}  {}\n", value, options_.texts[i]);
            }
        }
        if (!options_.json) {
            print_footer();
        }
    }

    void classify() {
        if (options_.texts.empty()) {
            fail(session_.model, "task classify needs a text");
        }
        if (!session_.heads.classifier || !session_.heads.pooler) {
            fail(
                session_.model, "weights ", session_.source,
                " have no classification head; give a checkpoint that has one by --weights");
        }
        const HostTensor logits = run_texts(encoder::Task::SequenceClassification);
        const std::size_t labels = logits.size() / options_.texts.size();
        for (std::size_t i = 0; i < options_.texts.size(); ++i) {
            const auto best = encoder::likeliest_words(std::span(logits.data).subspan(i * labels, labels), 1).front();
            const auto id = static_cast<std::size_t>(best.id);
            const std::string name = id < session_.labels.size() ? session_.labels[id] : fmt::format("label {}", id);
            result_["classes"].push_back(
                {{"text", options_.texts[i]}, {"label", best.id}, {"name", name}, {"probability", best.probability}});
            if (!options_.json) {
                std::cout << fmt::format(
                    "  {} {} {:5.1f} %  {}\n", name, bar(best.probability), 100 * best.probability, options_.texts[i]);
            }
        }
        if (!options_.json) {
            print_footer();
        }
    }

    const RunOptions& options_;
    Session session_;
    std::shared_ptr<ttnn::MeshDevice> device_;
    std::string task_;
    nlohmann::json result_;
    std::string footer_;
};

}  // namespace

void add_run(CLI::App& command, const Model& model) {
    const auto options = std::make_shared<RunOptions>();
    options->model.add_to(command, model.presets, model.weights_are);
    command.add_option("--task", options->task, "Default: what the other flags and the weights' heads say")
        ->check(CLI::IsMember(model.tasks));
    command.add_option("--question", options->question, "A question, for rank and question-answering");
    command.add_option("--context", options->context, "The text that answers it");
    command.add_option(
        "text", options->texts, "Texts for fill-mask (one, with [MASK]), similarity (two or more) and classify");
    command.add_option("--top", options->top, "How many sentences or words to print")
        ->check(CLI::Range(1, 100))
        ->capture_default_str();
    options->plan.add_to(command);
    command.add_flag("--check", options->check, "Compare with libtorch");
    add_json(command, options->json);
    options->device.add_to(command);
    command.callback([options, model] { Run(*options, model.open(options->model, model.run_preset))(); });
}

}  // namespace zoo::apps::encoder_app
