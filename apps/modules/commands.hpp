// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "registry.hpp"

namespace zoo::apps {

// `tt-zoo summary MODEL`: the tree of modules with shapes, parameters and ops.
void add_summary(const ModelEntry& model, CLI::App& command);
// `tt-zoo graph MODEL`: the same as a drawing.
void add_graph(const ModelEntry& model, CLI::App& command);

}  // namespace zoo::apps
