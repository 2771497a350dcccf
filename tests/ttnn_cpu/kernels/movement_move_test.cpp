// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cstring>
#include <vector>

#include "kernels/movement_move.hpp"
#include "kernels/parallel.hpp"

namespace ttnn_cpu::kernels {
namespace {

// Near and far, up and down, with and without an overlap, whole waves and parts.
TEST(MoveBytes, IsMemmove) {
    constexpr std::size_t kRoom = 5 << 20;
    std::vector<std::byte> before(kRoom);
    for (std::size_t i = 0; i < kRoom; ++i) {
        before[i] = static_cast<std::byte>(i * 2654435761U >> 13);
    }
    struct Case {
        std::size_t bytes;
        std::size_t from;
        std::size_t to;
    };
    for (const std::size_t threads : {1, 3}) {
        set_num_threads(threads);
        for (const Case& c :
             {Case{0, 5, 9}, Case{100, 0, 50}, Case{2000000, 1000, 0}, Case{2000000, 0, 1000}, Case{2000000, 300001, 0},
              Case{2000000, 0, 300001}, Case{2400000, 600000, 0}, Case{2400000, 0, 600000}, Case{1000000, 3000000, 17},
              Case{1000000, 17, 3000000}}) {
            std::vector<std::byte> moved = before;
            std::vector<std::byte> expected = before;
            move_bytes(c.bytes, moved.data() + c.from, moved.data() + c.to);
            std::memmove(expected.data() + c.to, expected.data() + c.from, c.bytes);
            EXPECT_TRUE(moved == expected) << c.bytes << " bytes from " << c.from << " to " << c.to;
        }
    }
    set_num_threads(0);
}

}  // namespace
}  // namespace ttnn_cpu::kernels
