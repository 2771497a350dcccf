// SPDX-License-Identifier: Apache-2.0
#include "ops/eltwise/binary_kernel.hpp"

#include <algorithm>
#include <array>
#include <memory>
#include <type_traits>

#include "core/data_type.hpp"
#include "kernels/formats.hpp"
#include "kernels/fpu_rows.hpp"
#include "kernels/parallel.hpp"
#include "kernels/wormhole/matrix_engine.hpp"

namespace ttnn_cpu {

namespace {

using kernels::StoredMatrix;

// About this many elements are one piece of work, whatever the number of threads.
constexpr std::size_t kPiece = 16384;
constexpr std::size_t kStripe = 2048;  // of a piece, worked on while it is close to the core

// A row, or one value for all of a row.
template <typename T>
const T* first(const T* values) {
    return values;
}
template <typename T>
const T* first(const T& value) {
    return &value;
}
template <typename T>
std::size_t step(const T&) {
    return std::is_pointer_v<T> ? 1 : 0;
}

// What differs between values that fit bfloat16 and float32.
struct Bf16 {
    using Value = std::uint16_t;
    static void load(const StoredMatrix& matrix, const std::byte* data, std::size_t first, std::size_t n, Value* out) {
        matrix.load_bf16(data, first, n, out);
    }
    static void store(const StoredMatrix& matrix, std::byte* data, std::size_t first, std::size_t n, const Value* in) {
        matrix.store_bf16(data, first, n, in);
    }
    static Value from(float value) { return kernels::bf16_round_even(value); }
    template <typename A, typename B>
    static void compute(const BinarySpec& spec, A a, B b, std::size_t n, Value* out) {
        if (spec.function == kernels::BinaryFunction::Mul && spec.matrix_unit) {
            kernels::fpu_mul_bf16(first(a), step(a), first(b), step(b), n, out);
        } else {
            kernels::binary_bf16(spec.function, a, b, n, out);
        }
    }
    static void apply(const std::vector<kernels::UnaryOp>& chain, Value* values, std::size_t n) {
        if (!chain.empty()) {
            kernels::apply_unary_bf16(kernels::unary_table(chain), values, n, values);
        }
    }
    // What an operand's own activations leave goes through memory in the operand's format.
    static void keep(
        const std::vector<kernels::UnaryOp>& chain, tt::tt_metal::DataType dtype, Value* values, std::size_t n) {
        using kernels::wormhole::PartialsFormat;
        if (!chain.empty() && is_block_float(dtype)) {
            kernels::wormhole::round_trip_partials(
                dtype == tt::tt_metal::DataType::BFLOAT8_B ? PartialsFormat::BFloat8B : PartialsFormat::BFloat4B,
                values, n);
        }
    }
    static void finish(const BinarySpec&, Value*, std::size_t) {}
};

struct Float32 {
    using Value = float;
    static void load(const StoredMatrix& matrix, const std::byte* data, std::size_t first, std::size_t n, Value* out) {
        matrix.load_f32(data, first, n, out);
    }
    static void store(const StoredMatrix& matrix, std::byte* data, std::size_t first, std::size_t n, const Value* in) {
        matrix.store_f32(data, first, n, in);
    }
    static Value from(float value) { return value; }
    template <typename A, typename B>
    static void compute(const BinarySpec& spec, A a, B b, std::size_t n, Value* out) {
        if (spec.matrix_unit) {
            kernels::fpu_binary_f32(spec.function, first(a), step(a), first(b), step(b), n, out);
        } else {
            kernels::binary_f32(spec.function, a, b, n, out);
        }
    }
    static void apply(const std::vector<kernels::UnaryOp>& chain, Value* values, std::size_t n) {
        if (!chain.empty()) {
            kernels::apply_unary_f32(chain, values, n, values);
        }
    }
    static void keep(
        const std::vector<kernels::UnaryOp>& chain, tt::tt_metal::DataType dtype, Value* values, std::size_t n) {
        for (std::size_t i = 0; !chain.empty() && dtype == tt::tt_metal::DataType::BFLOAT16 && i < n; ++i) {
            values[i] = kernels::bf16_to_float(kernels::bf16_round_away(values[i]));
        }
    }
    // From FLOAT32 to BFLOAT16 a typecast comes before the packer: to nearest even.
    static void finish(const BinarySpec& spec, Value* values, std::size_t n) {
        using tt::tt_metal::DataType;
        for (std::size_t i = 0; spec.lhs.dtype == DataType::FLOAT32 && spec.out.dtype == DataType::BFLOAT16 && i < n;
             ++i) {
            values[i] = kernels::bf16_to_float(kernels::bf16_round_even(values[i]));
        }
    }
};

// From element `first` on, where both operands lie as the result does: no rows to look up.
template <typename Format>
void flat_stripe(
    const BinarySpec& spec, const std::byte* lhs, const std::byte* rhs, std::byte* out, std::size_t first) {
    using Value = typename Format::Value;
    alignas(64) thread_local std::array<Value, kStripe> a;
    alignas(64) thread_local std::array<Value, kStripe> b;
    const std::size_t n = std::min(kStripe, spec.out.size() - first);
    Format::load(spec.lhs, lhs, first, n, a.data());
    Format::apply(spec.lhs_chain, a.data(), n);
    Format::keep(spec.lhs_chain, spec.lhs.dtype, a.data(), n);
    if (spec.rhs) {
        Format::load(*spec.rhs, rhs, first, n, b.data());
        Format::apply(spec.rhs_chain, b.data(), n);
        Format::keep(spec.rhs_chain, spec.rhs->dtype, b.data(), n);
        Format::compute(spec, static_cast<const Value*>(a.data()), static_cast<const Value*>(b.data()), n, a.data());
    } else {
        Format::compute(spec, static_cast<const Value*>(a.data()), Format::from(spec.scalar), n, a.data());
    }
    Format::apply(spec.post_chain, a.data(), n);
    Format::finish(spec, a.data(), n);
    Format::store(spec.out, out, first, n, a.data());
}

template <typename Format>
void flat_piece(const BinarySpec& spec, const std::byte* lhs, const std::byte* rhs, std::byte* out, std::size_t piece) {
    const std::size_t end = std::min((piece + 1) * kPiece, spec.out.size());
    for (std::size_t first = piece * kPiece; first < end; first += kStripe) {
        flat_stripe<Format>(spec, lhs, rhs, out, first);
    }
}

template <typename Format>
void row_piece(
    const BinarySpec& spec, const std::byte* lhs, const std::byte* rhs, std::byte* out, std::size_t from,
    std::size_t to) {
    using Value = typename Format::Value;
    const std::size_t width = spec.out.cols;
    thread_local std::vector<Value> a;
    thread_local std::vector<Value> b;
    a.resize(std::max(width, spec.lhs.cols));
    b.resize(std::max(width, spec.rhs ? spec.rhs->cols : 0));
    std::size_t rhs_row = ~std::size_t{0};
    for (std::size_t row = from; row < to; ++row) {
        const std::size_t lhs_row = spec.lhs_rows.row(row);
        Format::load(spec.lhs, lhs, lhs_row * spec.lhs.cols, spec.lhs.cols, a.data());
        Format::apply(spec.lhs_chain, a.data(), spec.lhs.cols);
        Format::keep(spec.lhs_chain, spec.lhs.dtype, a.data(), spec.lhs.cols);
        if (spec.rhs && spec.rhs_rows->row(row) != rhs_row) {
            rhs_row = spec.rhs_rows->row(row);
            Format::load(*spec.rhs, rhs, rhs_row * spec.rhs->cols, spec.rhs->cols, b.data());
            Format::apply(spec.rhs_chain, b.data(), spec.rhs->cols);
            Format::keep(spec.rhs_chain, spec.rhs->dtype, b.data(), spec.rhs->cols);
        }
        const Value* const left = a.data();
        const Value* const right = b.data();
        if (!spec.rhs) {
            Format::compute(spec, left, Format::from(spec.scalar), width, a.data());
        } else if (spec.lhs_rows.one_column() && spec.rhs_rows->one_column()) {
            Format::compute(spec, left, right, 1, a.data());
        } else if (spec.lhs_rows.one_column()) {
            Format::compute(spec, left[0], right, width, a.data());
        } else if (spec.rhs_rows->one_column()) {
            Format::compute(spec, left, right[0], width, a.data());
        } else {
            Format::compute(spec, left, right, width, a.data());
        }
        Format::apply(spec.post_chain, a.data(), width);
        Format::finish(spec, a.data(), width);
        Format::store(spec.out, out, row * width, width, a.data());
    }
}

template <typename Format>
Kernel make_kernel(BinarySpec given) {
    const auto spec = std::make_shared<const BinarySpec>(std::move(given));
    const bool flat = spec->lhs_rows.identity() && (!spec->rhs || spec->rhs_rows->identity());
    const std::size_t rows_a_piece = std::max<std::size_t>(1, kPiece / std::max<std::size_t>(1, spec->out.cols));
    const std::size_t pieces = flat ? divide_up(spec->out.size(), kPiece) : divide_up(spec->out.rows, rows_a_piece);
    return [spec, flat, rows_a_piece, pieces](std::span<const BufferRef> inputs, std::span<const BufferRef> outputs) {
        const std::byte* const lhs = inputs[0].data;
        const std::byte* const rhs = inputs.size() > 1 ? inputs[1].data : nullptr;
        kernels::parallel_for(pieces, [&](std::size_t piece) {
            if (flat) {
                flat_piece<Format>(*spec, lhs, rhs, outputs[0].data, piece);
            } else {
                const std::size_t from = piece * rows_a_piece;
                row_piece<Format>(
                    *spec, lhs, rhs, outputs[0].data, from, std::min(spec->out.rows, from + rows_a_piece));
            }
        });
    };
}

std::uint32_t integer_compute(kernels::BinaryFunction function, std::uint32_t a, std::uint32_t b) {
    switch (function) {
        case kernels::BinaryFunction::Add:
            return a + b;
        case kernels::BinaryFunction::Sub:
            return a - b;
        default:
            return a * b;
    }
}

}  // namespace

Kernel binary_kernel(BinarySpec spec) {
    const bool bf16 = spec.lhs.fits_bf16() && spec.out.fits_bf16() && (!spec.rhs || spec.rhs->fits_bf16());
    return bf16 ? make_kernel<Bf16>(std::move(spec)) : make_kernel<Float32>(std::move(spec));
}

Kernel integer_binary_kernel(BinarySpec given, std::int64_t scalar) {
    const auto spec = std::make_shared<const BinarySpec>(std::move(given));
    return [spec, scalar](std::span<const BufferRef> inputs, std::span<const BufferRef> outputs) {
        const auto* lhs = inputs[0].as<const std::uint32_t>();
        const auto* rhs = spec->rhs ? inputs[1].as<const std::uint32_t>() : nullptr;
        auto* out = outputs[0].as<std::uint32_t>();
        const std::size_t width = spec->out.cols;
        for (std::size_t row = 0; row < spec->out.rows; ++row) {
            const std::uint32_t* left = lhs + spec->lhs_rows.row(row) * spec->lhs.cols;
            const std::uint32_t* right = rhs ? rhs + spec->rhs_rows->row(row) * spec->rhs->cols : nullptr;
            for (std::size_t i = 0; i < width; ++i) {
                const std::uint32_t a = left[spec->lhs_rows.one_column() ? 0 : i];
                const std::uint32_t b =
                    right ? right[spec->rhs_rows->one_column() ? 0 : i] : static_cast<std::uint32_t>(scalar);
                out[row * width + i] = integer_compute(spec->function, a, b);
            }
        }
    };
}

}  // namespace ttnn_cpu
