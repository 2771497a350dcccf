// SPDX-License-Identifier: Apache-2.0
#include "source_dir.hpp"

#include <cstdlib>

namespace zoo::apps {

std::string source_path(const std::string& relative) {
    const char* root = std::getenv("TT_ZOO_SOURCE_DIR");
    return std::string(root != nullptr ? root : ZOO_SOURCE_DIR) + "/" + relative;
}

}  // namespace zoo::apps
