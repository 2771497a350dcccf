// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "zoo/error.hpp"

namespace zoo::bert {

// The head, or an Error that `function` needs one of that name.
template <class Head>
const Head& require_head(const std::optional<Head>& head, const char* function, const char* name) {
    if (!head) {
        fail(function, "the weights have no ", name, "; this task needs one");
    }
    return *head;
}

}  // namespace zoo::bert
