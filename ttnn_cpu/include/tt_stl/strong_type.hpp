// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <utility>

namespace ttsl {

// A value with a type of its own, so that a queue id is not taken for a trace id.
template <typename T, typename Tag>
class StrongType {
public:
    constexpr explicit StrongType(T value) : value_(std::move(value)) {}

    constexpr const T& operator*() const { return value_; }
    constexpr const T& get() const { return value_; }

    constexpr auto operator<=>(const StrongType&) const = default;

private:
    T value_;
};

}  // namespace ttsl
