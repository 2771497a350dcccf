// SPDX-License-Identifier: Apache-2.0
#include "kernels/movement_move.hpp"

#include <algorithm>
#include <cstring>

#include "kernels/movement_copy.hpp"

namespace ttnn_cpu::kernels {

void move_bytes(std::size_t bytes, const std::byte* in, std::byte* out) {
    constexpr std::size_t kFar = 256 << 10;
    const auto distance = static_cast<std::size_t>(in < out ? out - in : in - out);
    if (distance < kFar) {
        std::memmove(out, in, bytes);
        return;
    }
    // A wave no longer than the distance reads nothing that it writes; each begins where nothing was written yet.
    for (std::size_t done = 0; done < bytes; done += distance) {
        const std::size_t count = std::min(distance, bytes - done);
        const std::size_t first = in < out ? bytes - done - count : done;
        copy_bytes(count, in + first, out + first);
    }
}

}  // namespace ttnn_cpu::kernels
