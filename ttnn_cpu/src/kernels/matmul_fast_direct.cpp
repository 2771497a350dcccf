// SPDX-License-Identifier: Apache-2.0
#include "kernels/matmul_fast_impl.hpp"

// The parts of FastMatmul that multiply without a library.
namespace ttnn_cpu::kernels {

// Rows row to end of all rows with values, in blocks, times panels first to last.
template <typename T>
void FastMatmul::Impl::multiply_rows(
    const std::byte* in0, std::size_t row, std::size_t end, std::size_t first, std::size_t last, const float* bias,
    std::byte* out, const std::byte* packed) const {
    thread_local Scratch scratch;
    const OperandMatrix matrix{out, spec.out_format, spec.batch * spec.out_m_padded, spec.n};
    const std::size_t most = std::clamp<std::size_t>(kDirectBytes / operand_bytes(spec.k), kDirectTile, kDirectRows);
    // bfloat16 that keep all their bits are read where they are: the multiplier takes denormals for zeros.
    const bool in_place = type == OperandType::Bfloat16 && spec.in0_format == StoredFormat::Bfloat16 &&
                          (spec.mask0 & fraction_mask(7)) == fraction_mask(7);
    while (row < end) {
        const std::size_t slice = row / spec.m;
        const std::size_t slice_end = std::min(end, (slice + 1) * spec.m);
        const std::size_t count = blocks(slice_end - row, blocks(slice_end - row, most));
        const T* in = nullptr;
        std::size_t stride = spec.k;
        if (in_place) {
            const std::size_t stored = (spec.one_in0 ? 0 : slice) * spec.m_padded + row % spec.m;
            in = reinterpret_cast<const T*>(in0) + stored * spec.k_padded;
            stride = spec.k_padded;
        } else {
            auto* const decoded = reinterpret_cast<T*>(scratch.bytes(operand_bytes(kDirectRows * spec.k)));
            decode_in0(in0, slice, row % spec.m, count, decoded);
            in = decoded;
        }
        const std::size_t out_row = slice * spec.out_m_padded + row % spec.m;
        for (std::size_t panel = first; panel < last; ++panel) {
            const std::size_t col = panel * panel_cols;
            const float* const bias_here = bias == nullptr ? nullptr : bias + col;
            direct_multiply(
                in, stride, count, spec.k, reinterpret_cast<const T*>(packed + panel * panel_bytes), width(panel),
                [&](float* sums, std::size_t at, std::size_t some) {
                    spec.epilogue.store_rows(
                        sums, some, kDirectColumns, width(panel), bias_here, matrix, out_row + at, col);
                });
        }
        row += count;
    }
}

void FastMatmul::Impl::run_direct(
    const std::byte* in0, const std::byte* in1, const float* bias, std::byte* out, const std::byte* packed) const {
    packed = packed_or_scratch(in1, packed);
    const auto [chunk_rows, panels] = direct_chunk(rows, panel_count());
    const std::size_t column_chunks = blocks(panel_count(), panels);
    parallel_for(blocks(rows, chunk_rows) * column_chunks, [&](std::size_t chunk) {
        const std::size_t first = chunk % column_chunks * panels;
        const std::size_t last = std::min(panel_count(), first + panels);
        const std::size_t row = chunk / column_chunks * chunk_rows;
        const std::size_t end = std::min(rows, row + chunk_rows);
        type == OperandType::Float32 ? multiply_rows<float>(in0, row, end, first, last, bias, out, packed)
                                     : multiply_rows<std::uint16_t>(in0, row, end, first, last, bias, out, packed);
    });
}

}  // namespace ttnn_cpu::kernels
