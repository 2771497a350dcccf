// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "registry.hpp"

namespace zoo::apps {

ModelEntry bert_entry();

namespace bert_app {

// The commands of BERT, one in a file.
void add_run(CLI::App& command);
void add_check(CLI::App& command);
void add_bench(CLI::App& command, const Measure& measure);
void add_info(CLI::App& command);

}  // namespace bert_app

}  // namespace zoo::apps
