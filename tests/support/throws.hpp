// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <exception>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

// The statement throws, and the message has `text` in it.
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
        if (thrown_) {                                                           \
            EXPECT_THAT(message_, testing::HasSubstr(text)) << "in " #statement; \
        }                                                                        \
    } while (false)
