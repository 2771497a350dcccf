// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace ttnn_cpu::kernels {

// memmove, in parallel where it is far enough.
void move_bytes(std::size_t bytes, const std::byte* in, std::byte* out);

}  // namespace ttnn_cpu::kernels
