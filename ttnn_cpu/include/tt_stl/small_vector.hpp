// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

namespace ttsl {

// A sequence that is short as a rule. The inline capacity of the real type is not observable and not kept here.
template <typename T, std::size_t InlineCapacity = 8>
class SmallVector : public std::vector<T> {
public:
    using std::vector<T>::vector;
};

}  // namespace ttsl
