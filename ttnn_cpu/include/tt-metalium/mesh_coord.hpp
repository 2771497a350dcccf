// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <compare>
#include <cstdint>

namespace tt::tt_metal::distributed {

// A device of a mesh. The embedded device is a mesh of one.
class MeshCoordinate {
public:
    MeshCoordinate(std::uint32_t c0, std::uint32_t c1) : value_{c0, c1} {}

    friend auto operator<=>(const MeshCoordinate&, const MeshCoordinate&) = default;

private:
    std::array<std::uint32_t, 2> value_;
};

}  // namespace tt::tt_metal::distributed
