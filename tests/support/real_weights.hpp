// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "zoo/fetched_weights.hpp"

// Skips the test, saying how to get the weights. Tests never fetch.
#define ZOO_REQUIRE_WEIGHTS(variable, name)                                             \
    const auto variable = ::zoo::fetched_weights(name);                                 \
    if (!variable) {                                                                    \
        GTEST_SKIP() << "no weights; scripts/fetch_weights " << (name) << " gets them"; \
    }
