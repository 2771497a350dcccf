// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "kernels/conv_layout.hpp"
#include "kernels/conv_primitive.hpp"
#include "kernels/matmul_epilogue.hpp"
#include "kernels/matmul_operand.hpp"

// Convolution of images with float32 sums, for mode fast.
namespace ttnn_cpu::kernels {

struct ConvImages {
    std::size_t batch = 1;
    std::size_t in_h = 1;
    std::size_t in_w = 1;
    std::size_t in_channels = 1;
    std::size_t out_h = 1;
    std::size_t out_w = 1;
    std::size_t out_channels = 1;
    std::array<std::size_t, 2> stride{1, 1};
    std::array<std::size_t, 2> dilation{1, 1};
    std::array<std::size_t, 4> padding{0, 0, 0, 0};  // top, bottom, left, right
    std::size_t groups = 1;
    // Matrices as they are stored, padded: pixels by channels.
    std::size_t in_rows = 0;
    std::size_t in_cols = 0;
    std::size_t out_rows = 0;
    std::size_t out_cols = 0;
    std::size_t weight_cols = 0;
};

struct FastConvSpec {
    ConvImages images;
    ConvLayout layout;  // of the prepared weights
    StoredFormat in_format = StoredFormat::Bfloat16;
    StoredFormat weight_format = StoredFormat::Bfloat16;
    StoredFormat bias_format = StoredFormat::Bfloat16;
    StoredFormat out_format = StoredFormat::Bfloat16;
    // What the fidelity leaves of the operands.
    std::uint32_t mask0 = fraction_mask(10);
    std::uint32_t mask1 = fraction_mask(9);
    // The card packs the activations into the output's block float before it multiplies.
    bool repack_input = false;
    MatmulEpilogue epilogue;
};

class FastConv {
public:
    explicit FastConv(const FastConvSpec& spec);

    [[nodiscard]] const std::string& packed_key() const { return packed_key_; }
    // Weights in the form that run() reads.
    [[nodiscard]] std::shared_ptr<const std::byte> pack(const std::byte* weights) const;

    // Runs on parallel_for.
    void run(const std::byte* in, const std::byte* bias, std::byte* out, const std::byte* packed) const;

    // Whether some chunk runs in oneDNN's plain loops.
    [[nodiscard]] bool plain_loops() const;

private:
    void make_primitives();
    // [channel block][group][tap][channel in group][channel of the block in group]
    template <typename T>
    std::vector<T> plain_weights(const std::byte* weights) const;
    template <typename T>
    void pack_blocks(const std::byte* weights, std::byte* packed) const;
    // Few channels: what is multiplied lies apart, and weights of padding channels are left out.
    bool is_sparse() const;
    std::shared_ptr<const std::byte> pack_sparse(const std::byte* weights) const;
    void run_sparse(
        const std::byte* in, std::size_t image, std::size_t first_row, std::size_t rows, const float* bias,
        std::byte* out, const std::byte* packed) const;
    template <typename T>
    void load_rows(const std::byte* in, std::size_t image, std::ptrdiff_t row, std::size_t count, T* to) const;
    // Whether a depthwise conv needs no float32 in memory.
    bool stays_stored() const;
    // Stored together.
    std::size_t pixels_at_once() const;
    void store(
        float* sums, std::size_t pixel, std::size_t pixels, std::size_t channel, const float* bias,
        std::byte* out) const;

    FastConvSpec spec_;
    OperandType type_ = OperandType::Float32;
    // Strided 1x1 convs read only the pixels they need, as images of stride 1.
    bool gathers_ = false;
    bool depthwise_ = false;
    bool sparse_ = false;
    std::size_t images_ = 1;    // of a chunk
    std::size_t rows_ = 1;      // of a chunk, output
    std::size_t channels_ = 1;  // of a chunk, output
    std::size_t row_chunks_ = 1;
    std::size_t channel_chunks_ = 1;
    std::unique_ptr<ConvPrimitive> primitive_;
    std::unique_ptr<ConvPrimitive> last_;  // for the last rows of an image, when they are fewer
    std::size_t packed_block_ = 0;         // bytes of the weights of a chunk
    std::string packed_key_;
};

}  // namespace ttnn_cpu::kernels
