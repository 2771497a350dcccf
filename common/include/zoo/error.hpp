// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sstream>
#include <stdexcept>
#include <string_view>
#include <utility>

namespace zoo {

// What every part of the zoo throws. The text reads "[where] fact with values; rule".
class Error : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

// Throws Error with the text "[where] " followed by the parts, each printed with operator<<.
template <class... Parts>
[[noreturn]] void fail(std::string_view where, Parts&&... parts) {
    std::ostringstream text;
    text << '[' << where << "] ";
    (text << ... << std::forward<Parts>(parts));
    throw Error(text.str());
}

}  // namespace zoo
