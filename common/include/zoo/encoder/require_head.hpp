// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string_view>

#include "zoo/error.hpp"

namespace zoo::encoder {

// The head, or an Error that `function` needs one of that name.
template <class Head>
const Head& require_head(const std::optional<Head>& head, std::string_view function, std::string_view name) {
    if (!head) {
        fail(function, "the weights have no ", name, "; this task needs one");
    }
    return *head;
}

}  // namespace zoo::encoder
