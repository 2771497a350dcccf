// SPDX-License-Identifier: Apache-2.0
#include "kernels/scratch.hpp"

#include <sys/mman.h>

#include <cstdlib>
#include <new>

namespace ttnn_cpu::kernels {

Scratch::~Scratch() { std::free(data_); }

std::byte* Scratch::bytes(std::size_t wanted) {
    if (wanted > size_) {
        std::free(data_);
        constexpr std::size_t kPage = std::size_t{2} << 20;
        size_ = (wanted + kPage - 1) / kPage * kPage;
        data_ = static_cast<std::byte*>(std::aligned_alloc(kPage, size_));
        if (data_ == nullptr) {
            size_ = 0;
            throw std::bad_alloc();
        }
        // Weights of hundreds of MB are read through once a run.
        madvise(data_, size_, MADV_HUGEPAGE);
    }
    return data_;
}

}  // namespace ttnn_cpu::kernels
