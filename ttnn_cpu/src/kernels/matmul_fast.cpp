// SPDX-License-Identifier: Apache-2.0
#include "kernels/matmul_fast_impl.hpp"

namespace ttnn_cpu::kernels {
namespace {

constexpr std::size_t kDecodeRows = 16;
// A chunk of rows meets all panels, if these stay in L2 and there are chunks enough.
constexpr std::size_t kResidentBytes = 512 << 10;
constexpr std::size_t kManyBlocks = 8;
// Weights that every block of a few rows may read anew.
constexpr std::size_t kDirectWeights = 448 << 10;

}  // namespace

FastMatmul::Impl::Impl(const FastMatmulSpec& given) : spec(given) {
    spec.epilogue.prepare();
    if (spec.one_in1) {
        rows = (spec.one_in0 ? 1 : spec.batch) * spec.m;
        height = std::min(rows, block_rows(rows));
        few_rows = rows <= kFewRows && !spec.transpose1 && few_rows_supported(spec.in1_format);
        if (few_rows) {
            panel_cols = kFewRowsColumns;
            panel_bytes = few_rows_panel_bytes(spec.in1_format, spec.k);
            key = "matmul_few_rows " + std::to_string(spec.k) + " " + std::to_string(spec.mask1);
            return;
        }
    } else {
        rows = spec.m;
        height = std::min(rows, block_rows(rows));
    }
    if (isa() >= Isa::Avx512Bf16 && fits_bf16(spec.in0_format, spec.mask0) && fits_bf16(spec.in1_format, spec.mask1)) {
        type = OperandType::Bfloat16;
    }
    direct = spec.one_in1 && !spec.transpose0 && !spec.transpose1 && !spec.bias_is_block &&
             spec.k * spec.n <= kDirectWeights && direct_supported(spec.k, type == OperandType::Bfloat16);
    if (direct) {
        panel_cols = kDirectColumns;
        panel_bytes = operand_bytes(direct_panel_values(spec.k));
        key = std::string("matmul_direct ") + (type == OperandType::Float32 ? "f32 " : "bf16 ") +
              std::to_string(spec.k) + " " + std::to_string(spec.mask1);
        return;
    }
    if (spec.one_in1) {
        key = "matmul_fast " + std::to_string(spec.k) + "x" + std::to_string(spec.n) + (spec.transpose1 ? "t " : " ") +
              std::to_string(spec.mask1);
        panel_cols = panel_width(spec.n, height == rows);
        for (const std::size_t n : {panel_cols, (spec.n - 1) % panel_cols + 1}) {
            make_primitive(height, n, WeightsLayout::Packed);
            make_primitive((rows - 1) % height + 1, n, WeightsLayout::Packed);
            key.append(" ").append(primitive(height, n).packing());
        }
        panel_bytes = round_up(primitive(height, panel_cols).packed_bytes(), 64);
    } else {
        const WeightsLayout layout = spec.transpose1 ? WeightsLayout::Columns : WeightsLayout::Rows;
        make_primitive(height, spec.n, layout);
        make_primitive((rows - 1) % height + 1, spec.n, layout);
    }
}

void FastMatmul::Impl::make_primitive(std::size_t m, std::size_t n, WeightsLayout layout) {
    auto& slot = primitives[{m, n}];
    if (!slot) {
        const auto found = primitives.find({height, n});
        const MatmulPrimitive* const like = found == primitives.end() ? nullptr : found->second.get();
        slot = std::make_unique<MatmulPrimitive>(m, spec.k, n, type, layout, like);
    }
}

template <typename T>
void FastMatmul::Impl::decode_in0_as(
    const std::byte* in0, std::size_t slice, std::size_t row, std::size_t count, T* out) const {
    const std::size_t slices = spec.one_in0 ? 1 : spec.batch;
    const OperandMatrix matrix{
        const_cast<std::byte*>(in0), spec.in0_format, slices * slice_rows0(),
        spec.transpose0 ? spec.m_padded : spec.k_padded};
    const std::size_t base = (spec.one_in0 ? 0 : slice) * slice_rows0();
    if (!spec.transpose0) {
        decode_rows(matrix, base + row, 1, count, spec.k, spec.k, spec.mask0, out);
        return;
    }
    thread_local Scratch scratch;
    auto* const columns = reinterpret_cast<T*>(scratch.bytes(spec.k * spec.m_padded * sizeof(T)));
    for (std::size_t k = 0; k < spec.k; ++k) {
        decode_row(matrix, base + k, 0, spec.m_padded, spec.mask0, columns + k * spec.m_padded);
    }
    for (std::size_t r = 0; r < count; ++r) {
        for (std::size_t k = 0; k < spec.k; ++k) {
            out[r * spec.k + k] = columns[k * spec.m_padded + row + r];
        }
    }
}

template void FastMatmul::Impl::decode_in0_as(const std::byte*, std::size_t, std::size_t, std::size_t, float*) const;
template void FastMatmul::Impl::decode_in0_as(
    const std::byte*, std::size_t, std::size_t, std::size_t, std::uint16_t*) const;

template <typename T>
void FastMatmul::Impl::decode_in1_as(
    const std::byte* in1, std::size_t slice, std::size_t col, std::size_t count, T* out) const {
    const std::size_t slices = spec.one_in1 ? 1 : spec.batch;
    const std::size_t slice_rows = spec.transpose1 ? spec.n : spec.k_padded;
    const OperandMatrix matrix{
        const_cast<std::byte*>(in1), spec.in1_format, slices * slice_rows, spec.transpose1 ? spec.k_padded : spec.n};
    const std::size_t base = slice * slice_rows;
    if (spec.transpose1) {
        for (std::size_t c = 0; c < count; ++c) {
            decode_row(matrix, base + col + c, 0, spec.k, spec.mask1, out + c * spec.k);
        }
        return;
    }
    for (std::size_t k = 0; k < spec.k; ++k) {
        decode_row(matrix, base + k, col, count, spec.mask1, out + k * count);
    }
}

void FastMatmul::Impl::pack_panels(const std::byte* in1, std::byte* packed) const {
    parallel_for(panel_count(), [&](std::size_t panel) {
        if (few_rows) {
            const OperandMatrix weights{const_cast<std::byte*>(in1), spec.in1_format, spec.k_padded, spec.n};
            few_rows_pack(
                weights, spec.k, panel * kFewRowsColumns, spec.mask1,
                reinterpret_cast<std::uint8_t*>(packed + panel * panel_bytes));
            return;
        }
        thread_local Scratch scratch;
        std::byte* const plain = scratch.bytes(operand_bytes(spec.k * width(panel)));
        decode_in1(in1, 0, panel * panel_cols, width(panel), plain);
        std::byte* const to = packed + panel * panel_bytes;
        if (!direct) {
            primitive(height, width(panel)).pack(plain, spec.transpose1, to);
        } else if (type == OperandType::Float32) {
            direct_pack(reinterpret_cast<float*>(plain), spec.k, width(panel), reinterpret_cast<float*>(to));
        } else {
            direct_pack(
                reinterpret_cast<std::uint16_t*>(plain), spec.k, width(panel), reinterpret_cast<std::uint16_t*>(to));
        }
    });
}

// What was packed before, or a packing in scratch memory of the calling thread.
const std::byte* FastMatmul::Impl::packed_or_scratch(const std::byte* in1, const std::byte* packed) const {
    if (packed != nullptr) {
        return packed;
    }
    thread_local Scratch scratch;
    std::byte* const panels = scratch.bytes(panel_bytes * panel_count());
    pack_panels(in1, panels);
    return panels;
}

const float* FastMatmul::Impl::decode_bias(const std::byte* bias, Scratch& scratch) const {
    if (!spec.epilogue.has_bias) {
        return nullptr;
    }
    const OperandMatrix matrix{const_cast<std::byte*>(bias), spec.bias_format, spec.bias_rows_padded, spec.n};
    const std::size_t count = spec.bias_is_block ? spec.m : stored_together();
    float* const values = scratch.floats(count * spec.n);
    for (std::size_t row = 0; row < count; ++row) {
        decode_row(matrix, spec.bias_is_block ? row : 0, 0, spec.n, fraction_mask(10), values + row * spec.n);
    }
    return values;
}

// sums: count of the rows with values from first_row on, n of the columns from col on; stride floats from row to row.
void FastMatmul::Impl::store(
    float* sums, std::size_t stride, std::size_t n, std::size_t first_row, std::size_t count, std::size_t col,
    const float* bias, std::byte* out) const {
    if (n == spec.n && stride == n && !spec.bias_is_block) {
        const OperandMatrix flat{out, spec.out_format, 1, spec.batch * spec.out_m_padded * n};
        for (std::size_t r = 0; r < count;) {
            const std::size_t row = (first_row + r) % spec.m;
            const std::size_t some = std::min({stored_together(), count - r, spec.m - row});
            spec.epilogue.store_row(
                sums + r * n, some * n, bias, flat, 0, ((first_row + r) / spec.m * spec.out_m_padded + row) * n);
            r += some;
        }
        return;
    }
    const OperandMatrix matrix{out, spec.out_format, spec.batch * spec.out_m_padded, spec.n};
    for (std::size_t r = 0; r < count; ++r) {
        const std::size_t slice = (first_row + r) / spec.m;
        const std::size_t row = (first_row + r) % spec.m;
        const float* const bias_row = bias == nullptr ? nullptr : bias + (spec.bias_is_block ? row * spec.n : 0) + col;
        spec.epilogue.store_row(sums + r * stride, n, bias_row, matrix, slice * spec.out_m_padded + row, col);
    }
}

// Of the rows with values, counted over the batch.
void FastMatmul::Impl::decode_some_rows(const std::byte* in0, std::size_t row, std::size_t count, std::byte* to) const {
    for (std::size_t done = 0; done < count;) {
        const std::size_t first = (row + done) % spec.m;
        const std::size_t some = std::min(count - done, spec.m - first);
        decode_in0(in0, (row + done) / spec.m, first, some, to + operand_bytes(done * spec.k));
        done += some;
    }
}

// All rows with values as [rows, k], in scratch memory of the calling thread.
const std::byte* FastMatmul::Impl::decode_all_rows(const std::byte* in0) const {
    thread_local Scratch scratch;
    std::byte* const in = scratch.bytes(operand_bytes(rows * spec.k));
    if (spec.transpose0) {
        const std::size_t slices = rows / spec.m;
        parallel_for(slices, [&](std::size_t slice) {
            decode_in0(in0, slice, 0, spec.m, in + operand_bytes(slice * spec.m * spec.k));
        });
    } else {
        parallel_for(blocks(rows, kDecodeRows), [&](std::size_t chunk) {
            const std::size_t row = chunk * kDecodeRows;
            decode_some_rows(in0, row, std::min(kDecodeRows, rows - row), in + operand_bytes(row * spec.k));
        });
    }
    return in;
}

void FastMatmul::Impl::run_weights(
    const std::byte* in0, const std::byte* in1, const float* bias, std::byte* out, const std::byte* packed) const {
    packed = packed_or_scratch(in1, packed);
    const std::size_t row_blocks = blocks(rows, height);
    const auto multiply = [&](const std::byte* in, std::size_t row, std::size_t panel) {
        thread_local Scratch scratch;
        const std::size_t count = std::min(height, rows - row);
        float* const sums = scratch.floats(height * panel_cols);
        primitive(count, width(panel)).run(in, packed + panel * panel_bytes, sums);
        store(sums, width(panel), width(panel), row, count, panel * panel_cols, bias, out);
    };
    if (row_blocks >= kManyBlocks && !spec.transpose0 && panel_bytes * panel_count() <= kResidentBytes) {
        parallel_for(row_blocks, [&](std::size_t chunk) {
            thread_local Scratch scratch;
            const std::size_t row = chunk * height;
            std::byte* const in = scratch.bytes(operand_bytes(height * spec.k));
            decode_some_rows(in0, row, std::min(height, rows - row), in);
            for (std::size_t panel = 0; panel < panel_count(); ++panel) {
                multiply(in, row, panel);
            }
        });
        return;
    }
    const std::byte* const in = decode_all_rows(in0);
    parallel_for(row_blocks * panel_count(), [&](std::size_t chunk) {
        const std::size_t row = chunk % row_blocks * height;
        multiply(in + operand_bytes(row * spec.k), row, chunk / row_blocks);
    });
}

void FastMatmul::Impl::run_few_rows(
    const std::byte* in0, const std::byte* in1, const float* bias, std::byte* out, const std::byte* packed) const {
    packed = packed_or_scratch(in1, packed);
    const auto* const in = reinterpret_cast<const float*>(decode_all_rows(in0));
    constexpr std::size_t kPanels = kPanel / kFewRowsColumns;
    parallel_for(blocks(spec.n, kPanel), [&](std::size_t chunk) {
        alignas(64) float sums[kFewRows * kFewRowsColumns];
        const std::size_t end = std::min(panel_count(), (chunk + 1) * kPanels);
        for (std::size_t panel = chunk * kPanels; panel < end; ++panel) {
            const auto* const bytes = reinterpret_cast<const std::uint8_t*>(packed + panel * panel_bytes);
            few_rows_multiply(in, rows, spec.k, spec.in1_format, bytes, sums);
            const std::size_t col = panel * kFewRowsColumns;
            store(sums, kFewRowsColumns, std::min(kFewRowsColumns, spec.n - col), 0, rows, col, bias, out);
        }
    });
}

void FastMatmul::Impl::run_batched(
    const std::byte* in0, const std::byte* in1, const float* bias, std::byte* out) const {
    const std::size_t row_blocks = blocks(rows, height);
    parallel_for(spec.batch * row_blocks, [&](std::size_t chunk) {
        thread_local Scratch in0_scratch;
        thread_local Scratch in1_scratch;
        thread_local Scratch sums_scratch;
        const std::size_t slice = chunk / row_blocks;
        const std::size_t row = chunk % row_blocks * height;
        const std::size_t count = std::min(height, rows - row);
        std::byte* const a = in0_scratch.bytes(operand_bytes(height * spec.k));
        std::byte* const b = in1_scratch.bytes(operand_bytes(spec.k * spec.n));
        float* const sums = sums_scratch.floats(height * spec.n);
        decode_in0(in0, slice, row, count, a);
        decode_in1(in1, slice, 0, spec.n, b);
        primitive(count, spec.n).run(a, b, sums);
        store(sums, spec.n, spec.n, slice * spec.m + row, count, 0, bias, out);
    });
}

FastMatmul::FastMatmul(const FastMatmulSpec& spec) : impl_(std::make_unique<Impl>(spec)) {}
FastMatmul::~FastMatmul() = default;

bool FastMatmul::packs() const { return impl_->spec.one_in1; }
const std::string& FastMatmul::packed_key() const { return impl_->key; }

std::shared_ptr<const void> FastMatmul::pack(const std::byte* in1) const {
    assert(packs());
    const auto panels = std::make_shared<Scratch>();
    std::byte* const data = panels->bytes(impl_->panel_bytes * impl_->panel_count());
    impl_->pack_panels(in1, data);
    return {panels, data};
}

void FastMatmul::run(
    const std::byte* in0, const std::byte* in1, const std::byte* bias, std::byte* out, const void* packed) const {
    thread_local Scratch bias_scratch;
    const FastMatmulSpec& spec = impl_->spec;
    const float* const bias_values = impl_->decode_bias(bias, bias_scratch);
    if (impl_->few_rows) {
        impl_->run_few_rows(in0, in1, bias_values, out, static_cast<const std::byte*>(packed));
    } else if (impl_->direct) {
        impl_->run_direct(in0, in1, bias_values, out, static_cast<const std::byte*>(packed));
    } else if (spec.one_in1) {
        impl_->run_weights(in0, in1, bias_values, out, static_cast<const std::byte*>(packed));
    } else {
        impl_->run_batched(in0, in1, bias_values, out);
    }
    if (spec.m < spec.out_m_padded) {
        const OperandMatrix matrix{out, spec.out_format, spec.batch * spec.out_m_padded, spec.n};
        for (std::size_t slice = 0; slice < spec.batch; ++slice) {
            clear_rows(matrix, slice * spec.out_m_padded + spec.m, spec.out_m_padded - spec.m);
        }
    }
}

}  // namespace ttnn_cpu::kernels
