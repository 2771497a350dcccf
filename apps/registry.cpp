// SPDX-License-Identifier: Apache-2.0
#include "registry.hpp"

#include "models/albert.hpp"
#include "models/bert.hpp"

namespace zoo::apps {

std::span<const ModelEntry> models() {
    static const std::vector<ModelEntry> entries{albert_entry(), bert_entry()};
    return entries;
}

}  // namespace zoo::apps
