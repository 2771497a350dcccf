// SPDX-License-Identifier: Apache-2.0
// Every kernel with more than one implementation gives the bits of its plain one: on each instruction set of this CPU, for
// ordinary and hostile values, odd sizes and any number of threads.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <ostream>
#include <string>

#include "hostile_values.hpp"
#include "kernels/conv_depthwise.hpp"
#include "kernels/conv_fast.hpp"
#include "kernels/eltwise.hpp"
#include "kernels/formats.hpp"
#include "kernels/fpu_rows.hpp"
#include "kernels/layer_norm.hpp"
#include "kernels/matmul_epilogue.hpp"
#include "kernels/movement_convert.hpp"
#include "kernels/parallel.hpp"
#include "kernels/pool_window.hpp"
#include "kernels/reduce.hpp"
#include "kernels/simd.hpp"
#include "kernels/softmax.hpp"
#include "kernels/wormhole/conv_exact.hpp"
#include "kernels/wormhole/matrix_engine.hpp"
#include "kernels/wormhole/matrix_sdpa.hpp"
#include "kernels/wormhole/reduce_sums.hpp"

namespace ttnn_cpu::kernels {
namespace {

using kernels_test::kAllValues;
using kernels_test::make_values;
using kernels_test::upper_halves;
using kernels_test::Values;
using tt::tt_metal::DataType;

using Bytes = std::vector<std::byte>;
using Floats = std::vector<float>;
using Halves = std::vector<std::uint16_t>;

// What a run may draw from.
class Source {
public:
    explicit Source(Values kind) : kind_(kind) {}

    Floats floats(std::size_t n) {
        const auto bits = make_values(kind_, n, ++seed_);
        Floats values(n);
        std::memcpy(values.data(), bits.data(), n * sizeof(float));
        return values;
    }
    Halves halves(std::size_t n) { return upper_halves(make_values(kind_, n, ++seed_)); }
    // Without NaN, infinities and minus signs.
    Halves magnitudes(std::size_t n) {
        Halves values = halves(n);
        for (auto& value : values) {
            value = static_cast<std::uint16_t>(std::min<unsigned>(value & 0x7FFFU, 0x7F7FU));
        }
        return values;
    }

private:
    Values kind_;
    std::uint32_t seed_ = 0;
};

template <typename T>
void append(Bytes& to, const std::vector<T>& values) {
    const auto* const bytes = reinterpret_cast<const std::byte*>(values.data());
    to.insert(to.end(), bytes, bytes + values.size() * sizeof(T));
}

Bytes formats(Source& source) {
    constexpr std::size_t kCount = 16 * 37;
    Bytes result;
    const Floats wide = source.floats(kCount);
    const Halves narrow = source.halves(kCount);
    Halves halves(kCount);
    for (const std::size_t n : {kCount, kCount - 3}) {
        pack_bf16(wide.data(), n, halves.data());
        append(result, halves);
        host_pack_bf16(wide.data(), n, halves.data());
        append(result, halves);
    }
    std::vector<std::uint8_t> codes(kCount);
    std::vector<std::uint8_t> exponents(kCount / 16);
    Floats floats(kCount);
    unpack_bf16(narrow.data(), kCount - 5, floats.data());
    append(result, floats);
    const auto bfp8 = [&](auto pack, const auto& in) {
        pack(in.data(), kCount, codes.data(), exponents.data());
        append(result, codes);
        append(result, exponents);
        unpack_bfp8(codes.data(), exponents.data(), kCount, floats.data());
        append(result, floats);
        unpack_bfp8_to_bf16(codes.data(), exponents.data(), kCount, halves.data());
        append(result, halves);
    };
    const auto bfp4 = [&](auto pack, const auto& in) {
        pack(in.data(), kCount, codes.data(), exponents.data());
        append(result, codes);
        append(result, exponents);
        unpack_bfp4(codes.data(), exponents.data(), kCount, floats.data());
        append(result, floats);
        unpack_bfp4_to_bf16(codes.data(), exponents.data(), kCount, halves.data());
        append(result, halves);
    };
    bfp8([](auto... args) { pack_bfp8(args...); }, wide);
    bfp8([](auto... args) { pack_bfp8(args...); }, narrow);
    bfp8([](auto... args) { pack_bfp8_precise(args...); }, wide);
    bfp8([](auto... args) { pack_bfp8_precise(args...); }, narrow);
    bfp8([](auto... args) { host_pack_bfp8(args...); }, wide);
    bfp4([](auto... args) { pack_bfp4(args...); }, wide);
    bfp4([](auto... args) { pack_bfp4(args...); }, narrow);
    bfp4([](auto... args) { host_pack_bfp4(args...); }, wide);
    return result;
}

Bytes typecast(Source& source) {
    constexpr std::size_t kCount = 1040;
    const Floats in = source.floats(kCount);
    Bytes out(2 * kCount);
    convert(
        DataType::FLOAT32, DataType::BFLOAT16, ConvertRule::Typecast, kCount,
        reinterpret_cast<const std::byte*>(in.data()), out.data());
    return out;
}

Bytes eltwise(Source& source) {
    constexpr std::size_t kCount = 997;
    Bytes result;
    const Halves a = source.halves(kCount);
    const Halves b = source.halves(kCount);
    const Floats x = source.floats(kCount);
    const Floats y = source.floats(kCount);
    Halves halves(kCount);
    Floats floats(kCount);
    for (const auto function : {BinaryFunction::Add, BinaryFunction::Sub, BinaryFunction::Mul, BinaryFunction::Div}) {
        binary_bf16(function, a.data(), b.data(), kCount, halves.data());
        append(result, halves);
        binary_bf16(function, a.data(), b[3], kCount, halves.data());
        append(result, halves);
        binary_bf16(function, a[5], b.data(), kCount, halves.data());
        append(result, halves);
        binary_f32(function, x.data(), y.data(), kCount, floats.data());
        append(result, floats);
    }
    return result;
}

Bytes fpu_rows(Source& source) {
    constexpr std::size_t kColumns = 96;
    Bytes result;
    const Halves a = source.halves(kColumns * 7);
    const Halves b = source.halves(kColumns * 7);
    Halves out(a.size());
    for (std::size_t i = 0; i < 9; ++i) {
        fpu_scale_bf16(a.data(), b[i], a.size() - i, out.data());
        append(result, out);
    }
    Halves plain(a.size());
    fpu_mul_bf16(a.data(), 1, b.data(), 1, a.size(), out.data());
    for (std::size_t i = 0; i < a.size(); ++i) {
        plain[i] = fpu_mul_bf16(a[i], b[i]);
    }
    EXPECT_EQ(out, plain);
    const Halves rows = source.magnitudes(kColumns * 7);
    Halves sums(7);
    fpu_row_sums_bf16(rows.data(), kColumns, 7, kColumns, sums.data());
    append(result, sums);
    return result;
}

Bytes reductions(Source& source) {
    Bytes result;
    for (const auto function : {ReduceFunction::Sum, ReduceFunction::Max, ReduceFunction::Min}) {
        for (const auto fidelity : {wormhole::Fidelity::HiFi2, wormhole::Fidelity::HiFi4}) {
            const ReduceSpec spec{.function = function, .scalar = 0.3F, .fidelity = fidelity};
            const Halves in = source.halves(41 * 96);
            Floats rows(41);
            Floats columns(96);
            reduce_over_columns_bf16(spec, in.data(), 96, 41, 75, rows.data());
            reduce_over_rows_bf16(spec, in.data(), 96, 41, 96, columns.data());
            append(result, rows);
            append(result, columns);
            const Floats wide = source.floats(41 * 96);
            for (const bool vector_unit : {false, true}) {
                const ReduceSpec f32{
                    .function = function, .scalar = 0.3F, .fidelity = fidelity, .vector_unit = vector_unit};
                reduce_over_columns_f32(f32, wide.data(), 96, 41, 75, rows.data());
                reduce_over_rows_f32(f32, wide.data(), 96, 41, 96, columns.data());
                append(result, rows);
                append(result, columns);
            }
            wormhole::accumulate_tiles(wide.data(), columns.size(), wormhole::DestWidth::Bits32, columns.data());
            append(result, columns);
        }
    }
    return result;
}

Bytes softmax(Source& source) {
    Bytes result;
    const Halves in = source.halves(5 * 96);
    Halves out(in.size());
    for (const bool stable : {true, false}) {
        for (const bool approx : {true, false}) {
            const SoftmaxSpec spec{.columns = 77, .numeric_stable = stable, .exp_approx = approx};
            softmax_rows(spec, {.in = in.data(), .in_stride = 96, .out = out.data(), .out_stride = 96, .rows = 5});
            append(result, out);
        }
    }
    return result;
}

Bytes layer_norm(Source& source) {
    const Halves in = source.halves(6 * 128);
    const Halves residual = source.halves(6 * 128);
    const Halves gamma = source.halves(128);
    const Halves beta = source.halves(128);
    Floats out(in.size());
    wormhole::layer_norm_rows(
        {.columns = 113}, {.in = in.data(),
                           .in_stride = 128,
                           .residual = residual.data(),
                           .residual_stride = 128,
                           .gamma = gamma.data(),
                           .beta = beta.data(),
                           .out = out.data(),
                           .out_stride = 128,
                           .rows = 6});
    Bytes result;
    append(result, out);
    return result;
}

Bytes matrix_engine(Source& source) {
    constexpr std::size_t kM = 160;
    constexpr std::size_t kK = 96;
    constexpr std::size_t kN = 96;
    Bytes result;
    const Halves a = source.halves(kM * kK);
    const Halves b = source.halves(kK * kN);
    const Halves bias = source.halves(kN);
    for (const auto fidelity : {wormhole::Fidelity::LoFi, wormhole::Fidelity::HiFi3}) {
        wormhole::MatmulSpec spec{.m = kM, .k = kK, .n = kN, .fidelity = fidelity, .has_bias = true};
        const wormhole::MatmulOperands operands{{a.data(), nullptr, kK}, {b.data(), nullptr, kN}, {bias.data()}};
        Halves narrow(kM * kN);
        wormhole::matmul(spec, operands, narrow.data(), kN);
        append(result, narrow);
        spec.fp32_dest = true;
        spec.partials_format = wormhole::PartialsFormat::Float32;
        Floats wide(kM * kN);
        wormhole::matmul(spec, operands, wide.data(), kN);
        append(result, wide);
    }
    return result;
}

Bytes sdpa(Source& source) {
    const wormhole::SdpaSpec spec{
        .heads = 2, .q_rows = 64, .k_rows = 64, .k_length = 50, .head_dim = 32, .v_dim = 32, .scale = 0.2F};
    const Halves q = source.halves(2 * 64 * 32);
    const Halves k = source.halves(2 * 64 * 32);
    const Halves v = source.halves(2 * 64 * 32);
    Halves out(q.size());
    wormhole::sdpa(spec, q.data(), k.data(), v.data(), out.data());
    Bytes result;
    append(result, out);
    return result;
}

Bytes convolution(Source& source) {
    ConvImages images{.in_h = 7, .in_w = 9, .in_channels = 20, .out_h = 4, .out_w = 5, .out_channels = 40};
    images.stride = {2, 2};
    images.padding = {1, 1, 1, 1};
    images.in_rows = 64;
    images.in_cols = 32;
    images.out_rows = 32;
    images.out_cols = 64;
    images.weight_cols = 64;
    wormhole::ExactConvSpec spec{
        .images = images, .layout = height_sharded_layout(3, 3, 32, false), .out_format = StoredFormat::Bfloat8B};
    spec.engine.has_bias = true;
    const Halves in = source.halves(64 * 32);
    const Halves weights = source.halves(spec.layout.rows * 64);
    const Halves bias = source.halves(32 * 64);
    Bytes out(32 * 64 + 32 * 4);
    const auto bytes = [](const Halves& values) { return reinterpret_cast<const std::byte*>(values.data()); };
    wormhole::exact_conv(spec, bytes(in), bytes(weights), bytes(bias), out.data());
    return out;
}

Bytes depthwise(Source& source) {
    Bytes result;
    for (const std::size_t kernel : {3, 5}) {
        for (const std::size_t stride : {1, 2}) {
            const ConvPrimitiveSpec spec{
                .batch = 2,
                .in_channels = 37,
                .in_h = 9,
                .in_w = 11,
                .out_channels = 37,
                .kernel_h = kernel,
                .kernel_w = kernel,
                .stride_h = stride,
                .stride_w = stride,
                .pad_left = kernel / 2,
                .pad_right = kernel / 2,
                .groups = 37};
            const Floats in = source.floats(spec.in_size());
            const Floats weights = source.floats(kernel * kernel * 37);
            Floats out(spec.out_size());
            depthwise_conv(spec, in.data(), weights.data(), out.data());
            // Which NaN it is does not matter.
            std::replace_if(
                out.begin(), out.end(), [](float value) { return std::isnan(value); }, 1.0F);
            append(result, out);
        }
    }
    return result;
}

// By the op's own choice: with AVX-512 from stored values to stored values in registers.
Bytes depthwise_stored_values(Source& source) {
    Bytes result;
    for (const std::size_t stride : {1, 2}) {
        for (const std::size_t width : {7, 12}) {
            FastConvSpec spec;
            const std::size_t out = (width + 2 - 3) / stride + 1;
            spec.images = {
                .batch = 2,
                .in_h = 5,
                .in_w = width,
                .in_channels = 48,
                .out_h = (5 + 2 - 3) / stride + 1,
                .out_w = out};
            spec.images.out_channels = 48;
            spec.images.stride = {stride, stride};
            spec.images.padding = {1, 1, 1, 1};
            spec.images.groups = 48;
            spec.images.in_rows = 2 * 5 * width;
            spec.images.in_cols = 64;
            spec.images.out_rows = 2 * spec.images.out_h * out;
            spec.images.out_cols = 64;
            spec.images.weight_cols = 64;
            spec.layout = height_sharded_layout(3, 3, 48, false);
            spec.epilogue.has_bias = true;
            spec.epilogue.relu = stride == 2;
            const FastConv conv(spec);
            // Which of two NaNs a sum becomes does not matter.
            const auto numbers = [&](std::size_t count) {
                Halves values = source.halves(count);
                std::ranges::replace_if(
                    values, [](std::uint16_t value) { return (value & 0x7FFFU) > 0x7F80U; }, 0x3F80);
                return values;
            };
            const Halves in = numbers(spec.images.in_rows * 64);
            const Halves weights = numbers(spec.layout.rows * 64);
            const Halves bias = numbers(32 * 64);
            const auto bytes = [](const Halves& values) { return reinterpret_cast<const std::byte*>(values.data()); };
            Bytes values(spec.images.out_rows * 64 * 2);
            conv.run(bytes(in), bytes(bias), values.data(), conv.pack(bytes(weights)).get());
            result.insert(result.end(), values.begin(), values.end());
        }
    }
    return result;
}

Bytes epilogue(Source& source) {
    constexpr std::size_t kCount = 16 * 21;
    Bytes result;
    const Floats bias = source.floats(kCount);
    for (const bool relu : {false, true}) {
        for (const auto format : {StoredFormat::Bfloat16, StoredFormat::Bfloat8B, StoredFormat::Bfloat4B}) {
            for (const bool table : {false, true}) {
                MatmulEpilogue steps{.has_bias = !relu, .relu = relu};
                if (table) {
                    steps.activation = UnaryOp{UnaryFunction::Silu};
                }
                steps.prepare();
                Floats sums = source.floats(kCount);
                Bytes out(2 * kCount);
                steps.store_row(sums.data(), kCount, bias.data(), {out.data(), format, 1, kCount}, 0, 0);
                result.insert(result.end(), out.begin(), out.end());
            }
        }
    }
    return result;
}

Bytes pools(Source& source) {
    PoolImages images{.in_h = 9, .in_w = 10, .channels = 48, .out_h = 5, .out_w = 5};
    images.kernel = {3, 3};
    images.stride = {2, 2};
    images.padding = {1, 1, 1, 1};
    images.in = {DataType::BFLOAT16, 96, 64};
    images.out = {DataType::BFLOAT8_B, 32, 64};
    const Halves in = source.halves(96 * 64);
    Bytes result(32 * 64 + 32 * 4);
    const auto* const bytes = reinterpret_cast<const std::byte*>(in.data());
    max_pool(images, bytes, result.data());
    Bytes average(result.size());
    average_pool(images, {.exact = true}, bytes, average.data());
    result.insert(result.end(), average.begin(), average.end());
    return result;
}

struct Case {
    const char* name;
    std::function<Bytes(Source&)> run;
};

void PrintTo(const Case& c, std::ostream* os) { *os << c.name; }

class IsaProperty : public ::testing::TestWithParam<Case> {
protected:
    void TearDown() override {
        limit_isa(Isa::Avx512Bf16);
        set_num_threads(0);
    }
};

TEST_P(IsaProperty, EveryInstructionSetAndAnyThreadsGiveThePlainBits) {
    const Isa best = isa();
    for (const Values kind : kAllValues) {
        const auto run = [&](Isa level, std::size_t threads) {
            limit_isa(level);
            set_num_threads(threads);
            Source source(kind);
            return GetParam().run(source);
        };
        const Bytes plain = run(Isa::Plain, 1);
        for (const Isa level : {Isa::Plain, Isa::Avx2, Isa::Avx512, Isa::Avx512Bf16}) {
            if (level > best) {
                break;
            }
            const Bytes other = run(level, level == Isa::Avx512 ? 3 : 2);
            ASSERT_EQ(plain.size(), other.size());
            const auto [at, unused] = std::mismatch(plain.begin(), plain.end(), other.begin());
            EXPECT_TRUE(at == plain.end())
                << "values of kind " << static_cast<int>(kind) << ", instruction set " << static_cast<int>(level)
                << ": byte " << at - plain.begin() << " of " << plain.size() << " differs";
        }
    }
}

INSTANTIATE_TEST_SUITE_P(
    Kernels, IsaProperty,
    ::testing::Values(
        Case{"Formats", formats}, Case{"Typecast", typecast}, Case{"Eltwise", eltwise}, Case{"FpuRows", fpu_rows},
        Case{"Reductions", reductions}, Case{"Softmax", softmax}, Case{"LayerNorm", layer_norm},
        Case{"MatrixEngine", matrix_engine}, Case{"Sdpa", sdpa}, Case{"Convolution", convolution},
        Case{"Depthwise", depthwise}, Case{"DepthwiseStored", depthwise_stored_values}, Case{"Epilogue", epilogue},
        Case{"Pools", pools}),
    [](const auto& c) { return c.param.name; });

TEST(Isa, TheLimitHolds) {
    const Isa best = isa();
    limit_isa(Isa::Plain);
    EXPECT_EQ(isa(), Isa::Plain);
    limit_isa(Isa::Avx512Bf16);
    EXPECT_GE(isa(), best);
}

}  // namespace
}  // namespace ttnn_cpu::kernels
