// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "kernels/stored_matrix.hpp"

// Larger images from small ones, stored as matrices: pixels by channels.
namespace ttnn_cpu::kernels {

struct UpsampleImages {
    std::size_t batch = 1;
    std::size_t in_h = 1;
    std::size_t in_w = 1;
    std::size_t channels = 1;
    std::size_t out_h = 1;
    std::size_t out_w = 1;
    float scale_h = 1.0F;
    float scale_w = 1.0F;
    StoredMatrix in;
    StoredMatrix out;
};

// Each pixel is the one that it lies in.
void upsample_nearest(const UpsampleImages& images, const std::byte* in, std::byte* out);

// Each pixel is a mean of four, by distance; pixel centres lie at halves, and the edges are repeated. bfloat16.
void upsample_bilinear(const UpsampleImages& images, const std::byte* in, std::byte* out);

}  // namespace ttnn_cpu::kernels
