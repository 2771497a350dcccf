// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "model_flags.hpp"
#include "models/bert/config.hpp"
#include "models/bert/runner.hpp"
#include "models/bert/weights.hpp"
#include "zoo/text/wordpiece.hpp"

namespace zoo::apps::bert_app {

// The flags that all its commands share.
void add_model_flags(CLI::App& command, ModelFlags& flags);

struct Session {
    bert::Config config;
    bert::Weights weights;
    std::optional<text::WordPiece> tokenizer;
    std::string preset;
    std::string source;    // where the weights come from, for people
    bool trained = false;  // false for seeded random weights
};

// Weights from --weights, else what was fetched for the preset, else seeded random ones. `heads` are those that random weights get.
Session open_session(const ModelFlags& flags, const std::string& default_preset, const bert::Heads& heads);

// Error when there is no vocabulary to read text with.
const text::WordPiece& tokenizer_of(const Session& session);

// The same computation by libtorch in float32. Error when the program was built without it.
HostTensor golden_run(const Session& session, bert::Task task, const bert::Inputs& inputs);

}  // namespace zoo::apps::bert_app
