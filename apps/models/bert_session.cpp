// SPDX-License-Identifier: Apache-2.0
#include "models/bert_session.hpp"

#include <fmt/format.h>

#include "golden.hpp"
#include "source_dir.hpp"
#include "zoo/checkpoint.hpp"
#include "zoo/error.hpp"
#include "zoo/fetched_weights.hpp"
#ifdef ZOO_WITH_TORCH
#include "models/bert/torch_bert.hpp"
#endif

namespace zoo::apps::bert_app {

namespace fs = std::filesystem;

void add_model_flags(CLI::App& command, ModelFlags& flags) {
    flags.add_to(command, bert::preset_names(), "A directory with a checkpoint, config.json and vocab.txt");
}

namespace {

void read_directory(Session& session, const fs::path& directory) {
    if (!fs::is_directory(directory)) {
        fail(
            "weights", directory.string(), " is not a directory; it must hold a checkpoint, config.json and vocab.txt");
    }
    if (const fs::path config = directory / "config.json"; fs::exists(config)) {
        session.config = bert::from_json(config);
    }
    session.weights = bert::load(*open_checkpoint(directory, {"*.position_ids", "*position_ids"}), session.config);
    if (const fs::path vocabulary = directory / "vocab.txt"; fs::exists(vocabulary)) {
        session.tokenizer = text::WordPiece::from_vocab_file(vocabulary);
    }
    session.trained = true;
}

}  // namespace

Session open_session(const ModelFlags& flags, const std::string& default_preset, const bert::Heads& heads) {
    Session session;
    session.preset = flags.preset_or(default_preset);
    session.config = bert::preset(session.preset);
    if (!flags.weights.empty() && flags.weights != "random") {
        read_directory(session, flags.weights);
        session.source = flags.weights;
        return session;
    }
    if (const auto fetched = fetched_weights(session.preset); fetched && flags.weights.empty()) {
        read_directory(session, *fetched);
        session.source = session.preset + " (fetched)";
        return session;
    }
    session.weights = bert::random(session.config, flags.seed, heads);
    session.source = fmt::format("random, seed {}", flags.seed);
    // A vocabulary of its own, so that text can be read all the same.
    if (const fs::path vocabulary = source_path("tests/data/text/vocab_small.txt"); fs::exists(vocabulary)) {
        session.tokenizer = text::WordPiece::from_vocab_file(vocabulary);
    }
    return session;
}

const text::WordPiece& tokenizer_of(const Session& session) {
    if (!session.tokenizer) {
        fail("weights", session.source, " has no vocab.txt, which is needed to read text");
    }
    if (static_cast<std::int64_t>(session.tokenizer->vocab_size()) > session.config.vocab_size) {
        fail(
            "weights", "vocab.txt has ", session.tokenizer->vocab_size(), " tokens; the model has embeddings for ",
            session.config.vocab_size);
    }
    return *session.tokenizer;
}

#ifdef ZOO_WITH_TORCH

HostTensor golden_run(const Session& session, bert::Task task, const bert::Inputs& inputs) {
    switch (task) {
        case bert::Task::HiddenState:
            return bert::golden::bert(session.config, session.weights, inputs);
        case bert::Task::QuestionAnswering:
            return bert::golden::for_question_answering(session.config, session.weights, inputs);
        case bert::Task::SentenceEmbedding:
            return bert::golden::sentence_embedding(session.config, session.weights, inputs);
        case bert::Task::MaskedLm:
            return bert::golden::for_masked_lm(session.config, session.weights, inputs);
        case bert::Task::SequenceClassification:
            return bert::golden::for_sequence_classification(session.config, session.weights, inputs);
    }
    return {};
}

#else

HostTensor golden_run(const Session&, bert::Task, const bert::Inputs&) {
    require_golden("golden");
    return {};
}

#endif

}  // namespace zoo::apps::bert_app
