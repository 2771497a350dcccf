// SPDX-License-Identifier: Apache-2.0
#pragma once

// The real library's check macros: what they throw is std::runtime_error with the message.
#include <stdexcept>

#include <fmt/format.h>

#define TT_THROW(...) throw std::runtime_error(fmt::format(__VA_ARGS__))

#define TT_FATAL(condition, ...)   \
    do {                           \
        if (!(condition)) {        \
            TT_THROW(__VA_ARGS__); \
        }                          \
    } while (false)
