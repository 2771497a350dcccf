// SPDX-License-Identifier: Apache-2.0
#include <iostream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "golden.hpp"
#include "models/bert.hpp"
#include "models/bert_rank.hpp"
#include "models/bert_session.hpp"
#include "stopwatch.hpp"
#include "zoo/error.hpp"

namespace zoo::apps::bert_app {

namespace {

struct Options {
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
std::string task_of(const Options& options, const Session& session) {
    if (!options.task.empty()) {
        return options.task;
    }
    if (!options.question.empty() || !options.context.empty()) {
        return session.weights.qa_outputs ? "question-answering" : "rank";
    }
    if (options.texts.size() == 1 && options.texts[0].find("[MASK]") != std::string::npos) {
        return "fill-mask";
    }
    if (options.texts.size() > 1) {
        return "similarity";
    }
    fail("bert", "nothing to do: give --question and --context, a text with [MASK], or two texts to compare");
}

void require(const std::string& value, const char* flag, const std::string& task) {
    if (value.empty()) {
        fail("bert", "task ", task, " needs ", flag);
    }
}

class Run {
public:
    Run(const Options& options, Session session)
        : options_(options),
          session_(std::move(session)),
          device_(options.device.open(2, kTraceRegionBytes)),
          task_(task_of(options, session_)) {
        if (options_.check) {
            require_golden("--check");
        }
        result_ = {
            {"model", "bert"},
            {"preset", session_.preset},
            {"weights", session_.source},
            {"trained", session_.trained},
            {"task", task_}};
    }

    void operator()() {
        if (!options_.json) {
            std::cout << fmt::format(
                "bert {}, weights {}, {} on {}, numerics {}\n", session_.preset, session_.source, options_.plan.plan,
                options_.device.board, options_.device.numerics);
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
            std::cout << result_.dump(2) << '\n';
        }
    }

private:
    bert::Runner runner(bert::Task task, std::int64_t batch, std::int64_t sequence) {
        return bert::Runner(
            *device_, session_.config, session_.weights,
            {.task = task,
             .batch = batch,
             .sequence = sequence,
             .mode = options_.plan.chosen_mode(),
             .plan = options_.plan.chosen_plan()});
    }

    // Runs, and tells the latency and, with --check, the PCC.
    HostTensor run(bert::Task task, const bert::Inputs& inputs) {
        bert::Runner model = runner(task, inputs.batch, inputs.sequence);
        const Stopwatch watch;
        HostTensor output = model.run(inputs);
        report(
            watch.milliseconds(), options_.check
                                      ? std::optional(compare(golden_run(session_, task, inputs).data, output.data))
                                      : std::nullopt);
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
        require(options_.question, "--question", task_);
        require(options_.context, "--context", task_);
        Ranking ranking = prepare_ranking(session_, options_.question, options_.context);
        bert::Runner model = runner(bert::Task::SentenceEmbedding, ranking.batch, ranking.sequence);
        const Stopwatch watch;
        rank_on_device(ranking, model);
        report(
            watch.milliseconds(),
            options_.check ? std::optional(compare_with_golden(ranking, session_)) : std::nullopt);
        for (const bert::RankedSentence& sentence : ranking.ranked) {
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
        require(options_.question, "--question", task_);
        require(options_.context, "--context", task_);
        if (!session_.weights.qa_outputs) {
            fail(
                "bert", "weights ", session_.source,
                " have no question answering head; give a SQuAD checkpoint by --weights");
        }
        const auto limit =
            static_cast<std::size_t>(std::min<std::int64_t>(384, session_.config.max_position_embeddings));
        const text::WordPiece& tokenizer = tokenizer_of(session_);
        std::size_t longest = 0;
        for (const text::Encoding& window :
             tokenizer.encode_pair_windows(options_.question, options_.context, limit, limit / 3)) {
            longest = std::max(longest, window.size());
        }
        const std::size_t length = std::min(bert::padded_length(longest), limit);
        const std::vector<text::Encoding> windows =
            tokenizer.encode_pair_windows(options_.question, options_.context, length, length / 3, length);
        bert::Runner model = runner(bert::Task::QuestionAnswering, 1, static_cast<std::int64_t>(length));
        bert::Answer best;
        std::optional<Comparison> golden;
        const Stopwatch watch;
        double milliseconds = 0;
        for (std::size_t i = 0; i < windows.size(); ++i) {
            const bert::Inputs inputs = bert::to_inputs({&windows[i], 1});
            const HostTensor logits = model.run(inputs);
            milliseconds = watch.milliseconds();
            const bert::Answer found = bert::best_answer(logits.data, windows[i]);
            if (i == 0 || found.score > best.score) {
                best = found;
            }
            if (options_.check && i == 0) {
                golden = compare(golden_run(session_, bert::Task::QuestionAnswering, inputs).data, logits.data);
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
            fail("bert", "task fill-mask takes one text, with [MASK] in it; ", options_.texts.size(), " were given");
        }
        if (!session_.weights.predictions) {
            fail(
                "bert", "weights ", session_.source,
                " have no masked language model head; bert-base has (./tt-zoo fetch bert-base)");
        }
        const text::WordPiece& tokenizer = tokenizer_of(session_);
        const auto limit = static_cast<std::size_t>(session_.config.max_position_embeddings);
        const std::size_t length =
            bert::padded_length(tokenizer.encode(options_.texts[0], {.max_length = limit}).size());
        const text::Encoding encoding = tokenizer.encode(options_.texts[0], {.max_length = limit, .pad_to = length});
        std::vector<std::size_t> masks;
        for (std::size_t i = 0; i < encoding.size(); ++i) {
            if (encoding.ids[i] == tokenizer.mask_id()) {
                masks.push_back(i);
            }
        }
        if (masks.empty()) {
            fail("bert", "the text has no [MASK]: ", options_.texts[0]);
        }
        const HostTensor logits = run(bert::Task::MaskedLm, bert::to_inputs({&encoding, 1}));
        const auto vocabulary = static_cast<std::size_t>(session_.config.vocab_size);
        if (!options_.json) {
            std::cout << options_.texts[0] << '\n';
        }
        for (const std::size_t mask : masks) {
            nlohmann::json words = nlohmann::json::array();
            for (const bert::Word& word :
                 bert::likeliest_words(std::span(logits.data).subspan(mask * vocabulary, vocabulary), options_.top)) {
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

    HostTensor run_texts(bert::Task task) {
        const text::WordPiece& tokenizer = tokenizer_of(session_);
        const auto limit = static_cast<std::size_t>(session_.config.max_position_embeddings);
        std::size_t longest = 0;
        for (const std::string& text : options_.texts) {
            longest = std::max(longest, tokenizer.encode(text, {.max_length = limit}).size());
        }
        const std::size_t length = std::min(bert::padded_length(longest), limit);
        std::vector<text::Encoding> encodings;
        for (const std::string& text : options_.texts) {
            encodings.push_back(tokenizer.encode(text, {.max_length = length, .pad_to = length}));
        }
        return run(task, bert::to_inputs(encodings));
    }

    void similarity() {
        if (options_.texts.size() < 2) {
            fail("bert", "task similarity takes two texts or more; ", options_.texts.size(), " given");
        }
        const HostTensor embeddings = run_texts(bert::Task::SentenceEmbedding);
        const std::size_t width = embeddings.size() / options_.texts.size();
        const std::span<const float> all(embeddings.data);
        for (std::size_t i = 1; i < options_.texts.size(); ++i) {
            const double value = bert::cosine(all.first(width), all.subspan(i * width, width));
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
            fail("bert", "task classify needs a text");
        }
        const HostTensor logits = run_texts(bert::Task::SequenceClassification);
        const std::size_t labels = logits.size() / options_.texts.size();
        for (std::size_t i = 0; i < options_.texts.size(); ++i) {
            const auto best = bert::likeliest_words(std::span(logits.data).subspan(i * labels, labels), 1).front();
            result_["classes"].push_back(
                {{"text", options_.texts[i]}, {"label", best.id}, {"probability", best.probability}});
            if (!options_.json) {
                std::cout << fmt::format(
                    "  label {} ({:.1f} %)  {}\n", best.id, 100 * best.probability, options_.texts[i]);
            }
        }
        if (!options_.json) {
            print_footer();
        }
    }

    const Options& options_;
    Session session_;
    std::shared_ptr<ttnn::MeshDevice> device_;
    std::string task_;
    nlohmann::json result_;
    std::string footer_;
};

}  // namespace

void add_run(CLI::App& command) {
    const auto options = std::make_shared<Options>();
    add_model_flags(command, options->model);
    command.add_option("--task", options->task, "Default: what the other flags and the weights' heads say")
        ->check(CLI::IsMember({"rank", "question-answering", "fill-mask", "similarity", "classify"}));
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
    command.callback([options] { Run(*options, open_session(options->model, "minilm-l6", {}))(); });
}

}  // namespace zoo::apps::bert_app
