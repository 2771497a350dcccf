// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace zoo::apps {

// Whether the program was built with libtorch, and so with the goldens.
[[nodiscard]] bool golden_available();

// Error that names `what` (a command or a flag) when there are no goldens.
void require_golden(std::string_view what);

}  // namespace zoo::apps
