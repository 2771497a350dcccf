// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "encoder/session.hpp"

namespace zoo::apps::albert_app {

// ALBERT with the weights that the flags ask for. albert-imdb-small, which this project trained, needs no --weights.
encoder_app::Session open_session(const ModelFlags& flags, const std::string& default_preset);

// What the commands of encoders need to know of ALBERT.
const encoder_app::Model& model();

}  // namespace zoo::apps::albert_app
