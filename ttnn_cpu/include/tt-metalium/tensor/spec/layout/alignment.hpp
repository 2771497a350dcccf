// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include <tt_stl/small_vector.hpp>

namespace tt::tt_metal {

// What each of the last dimensions of a tensor is padded to, innermost last.
class Alignment final : public ttsl::SmallVector<std::uint32_t> {
public:
    using ttsl::SmallVector<std::uint32_t>::SmallVector;
};

}  // namespace tt::tt_metal
