// SPDX-License-Identifier: Apache-2.0
#include "registry.hpp"

namespace zoo::apps {

std::span<const ModelEntry> models() {
    static const std::vector<ModelEntry> entries{};
    return entries;
}

}  // namespace zoo::apps
