// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace zoo::apps {

// A file or directory of the source tree: below TT_ZOO_SOURCE_DIR of the environment, which the launcher sets, else below the tree that
// the program was built from.
std::string source_path(const std::string& relative);

}  // namespace zoo::apps
