// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

namespace ttsl {

// A reference that may be absent.
template <typename T>
class optional_reference {
public:
    constexpr optional_reference() = default;
    constexpr optional_reference(std::nullopt_t) {}
    constexpr optional_reference(T& value) : pointer_(&value) {}
    constexpr optional_reference(T&& value) : pointer_(&value) {}

    constexpr bool has_value() const { return pointer_ != nullptr; }
    constexpr explicit operator bool() const { return has_value(); }
    constexpr T& operator*() const { return *pointer_; }
    constexpr T* operator->() const { return pointer_; }
    constexpr T& value() const { return *pointer_; }

private:
    T* pointer_ = nullptr;
};

}  // namespace ttsl
