// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "encoder/session.hpp"

namespace zoo::apps::bert_app {

// BERT with the weights that the flags ask for.
encoder_app::Session open_session(const ModelFlags& flags, const std::string& default_preset);

// What the commands of encoders need to know of BERT.
const encoder_app::Model& model();

}  // namespace zoo::apps::bert_app
