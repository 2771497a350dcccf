// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "registry.hpp"

namespace zoo::apps {

// `tt-zoo trace MODEL`: every aten op of the libtorch golden, and reports of them.
void add_trace(const ModelEntry& model, CLI::App& command);

}  // namespace zoo::apps
