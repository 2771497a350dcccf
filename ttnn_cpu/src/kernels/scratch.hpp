// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace ttnn_cpu::kernels {

// Memory that only grows; content is not kept. Aligned to a cache line and more.
class Scratch {
public:
    Scratch() = default;
    ~Scratch();
    Scratch(const Scratch&) = delete;
    Scratch& operator=(const Scratch&) = delete;

    std::byte* bytes(std::size_t wanted);
    float* floats(std::size_t count) { return reinterpret_cast<float*>(bytes(count * sizeof(float))); }

private:
    std::byte* data_ = nullptr;
    std::size_t size_ = 0;
};

}  // namespace ttnn_cpu::kernels
