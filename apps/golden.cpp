// SPDX-License-Identifier: Apache-2.0
#include "golden.hpp"

#include "zoo/error.hpp"

namespace zoo::apps {

bool golden_available() {
#ifdef ZOO_WITH_TORCH
    return true;
#else
    return false;
#endif
}

void require_golden(std::string_view what) {
    if (!golden_available()) {
        fail(what, "it compares with libtorch, and this program was built without it (ZOO_WITH_TORCH=OFF)");
    }
}

}  // namespace zoo::apps
