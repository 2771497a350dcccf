// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <exception>
#include <iostream>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace zoo::test {

// tt-metal's own checks say where they are and then, in other words than the embedded device, what is wrong. Where it has no check
// and takes an option that is not there, only the C++ library's words are left.
inline bool is_of_tt_metal(const std::string& message) {
#ifdef ZOO_TESTS_ON_METAL
    if (message == "bad optional access") {
        return true;
    }
#endif
    return message.starts_with("TT_FATAL @") || message.starts_with("TT_THROW @");
}

}  // namespace zoo::test

// The statement throws, and the message has `text` in it or is tt-metal's own.
#define EXPECT_THROWS_WITH(statement, text)                                      \
    do {                                                                         \
        std::string message_;                                                    \
        bool thrown_ = false;                                                    \
        try {                                                                    \
            statement;                                                           \
        } catch (const std::exception& error_) {                                 \
            thrown_ = true;                                                      \
            message_ = error_.what();                                            \
        }                                                                        \
        EXPECT_TRUE(thrown_) << #statement << " throws nothing";                 \
        if (thrown_ && !::zoo::test::is_of_tt_metal(message_)) {                 \
            EXPECT_THAT(message_, testing::HasSubstr(text)) << "in " #statement; \
        }                                                                        \
    } while (false)

// For what tt-metal answers otherwise: with provider metal the statement is left out, and the reason is printed.
#ifdef ZOO_TESTS_ON_METAL
#define EXPECT_EMBEDDED_THROWS_WITH(statement, text, reason) \
    std::cout << "[ tt-metal ] " #statement " is left out: " reason << std::endl
#else
#define EXPECT_EMBEDDED_THROWS_WITH(statement, text, reason) EXPECT_THROWS_WITH(statement, text)
#endif

// For a test whose sizes are an n150's: on a larger board what it wants refused fits.
#define SKIP_UNLESS_WORMHOLE(device)                                  \
    if ((device).arch() != tt::ARCH::WORMHOLE_B0) {                   \
        GTEST_SKIP() << "the sizes of the test are those of an n150"; \
    }
