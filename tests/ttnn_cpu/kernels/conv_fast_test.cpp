// SPDX-License-Identifier: Apache-2.0
// Which kernels the convolutions of the zoo get.
#include "kernels/conv_fast.hpp"

#include <gtest/gtest.h>

namespace ttnn_cpu::kernels {
namespace {

struct Conv {
    std::size_t in;
    std::size_t out;
    std::size_t side;  // of the input
    std::size_t kernel;
    std::size_t stride;
};

FastConv fast_conv(const Conv& conv, std::size_t batch) {
    const std::size_t pad = conv.kernel / 2;
    const std::size_t out_side = (conv.side + 2 * pad - conv.kernel) / conv.stride + 1;
    FastConvSpec spec;
    spec.layout = height_sharded_layout(conv.kernel, conv.kernel, conv.in, false);
    spec.images = {
        .batch = batch,
        .in_h = conv.side,
        .in_w = conv.side,
        .in_channels = conv.in,
        .out_h = out_side,
        .out_w = out_side,
        .out_channels = conv.out,
        .stride = {conv.stride, conv.stride},
        .padding = {pad, pad, pad, pad},
        .in_rows = batch * conv.side * conv.side,
        .in_cols = conv.in,
        .out_rows = batch * out_side * out_side,
        .out_cols = conv.out,
        .weight_cols = conv.out};
    return FastConv(spec);
}

// Chunks of rows that are left over once had none but oneDNN's plain loops: 10 seconds for a strided 1x1 of ResNet-50 at batch 16.
TEST(FastConv, NoChunkRunsInPlainLoops) {
    const Conv convs[] = {{64, 64, 56, 3, 1},   {64, 128, 56, 3, 2},  {128, 128, 56, 3, 2},  {128, 128, 28, 3, 1},
                          {256, 256, 14, 3, 1}, {256, 256, 28, 3, 2}, {512, 512, 7, 3, 1},   {512, 512, 14, 3, 2},
                          {64, 128, 56, 1, 2},  {256, 512, 56, 1, 2}, {512, 1024, 28, 1, 2}, {1024, 2048, 14, 1, 2},
                          {256, 128, 56, 1, 2}, {512, 256, 28, 1, 2}, {16, 64, 112, 3, 1},   {32, 64, 160, 3, 2},
                          {128, 256, 40, 3, 2}, {256, 512, 20, 3, 1}, {8, 32, 320, 3, 1}};
    for (const Conv& conv : convs) {
        for (const std::size_t batch : {1, 4, 10, 16}) {
            EXPECT_FALSE(fast_conv(conv, batch).plain_loops())
                << conv.kernel << "x" << conv.kernel << " from " << conv.in << " to " << conv.out << " on " << conv.side
                << ", stride " << conv.stride << ", batch " << batch;
        }
    }
}

}  // namespace
}  // namespace ttnn_cpu::kernels
