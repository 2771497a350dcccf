// SPDX-License-Identifier: Apache-2.0
#include "kernels/wormhole/matrix_sdpa.hpp"
#include "kernels/formats.hpp"
#include "kernels/parallel.hpp"
#include "support/golden_file.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <random>
#include <vector>

namespace ttnn_cpu::kernels::wormhole {
namespace {

using Bits = std::vector<std::uint16_t>;

Bits to_bf16(const std::vector<float>& values) {
    Bits out(values.size());
    host_pack_bf16(values.data(), values.size(), out.data());
    return out;
}

TEST(Sdpa, CausalGoldenIsExact) {
    const auto golden = zoo::testing::read_golden("transformer.sdpa.causal");
    const auto& shape = golden.at("in0").shape;
    SdpaSpec spec;
    spec.heads = shape[0] * shape[1];
    spec.q_rows = spec.k_rows = spec.k_length = shape[2];
    spec.head_dim = spec.v_dim = shape[3];
    spec.scale = 1.0F / std::sqrt(static_cast<float>(shape[3]));
    spec.causal = true;
    const Bits q = to_bf16(golden.at("in0").values);
    const Bits k = to_bf16(golden.at("in1").values);
    const Bits v = to_bf16(golden.at("in2").values);
    const auto& expected = golden.at("out").values;
    Bits out(expected.size());
    sdpa(spec, q.data(), k.data(), v.data(), out.data());
    const Bits bits = to_bf16(expected);
    std::size_t exact = 0;
    int worst = 0;
    for (std::size_t i = 0; i < out.size(); ++i) {
        exact += out[i] == bits[i] ? 1 : 0;
        worst = std::max(worst, std::abs(static_cast<std::int16_t>(out[i]) - static_cast<std::int16_t>(bits[i])));
    }
    EXPECT_EQ(exact, out.size()) << "worst difference in ULP " << worst;
}

// Attention in float64 on the same bfloat16 inputs.
std::vector<double> attention(const SdpaSpec& spec, const Bits& q, const Bits& k, const Bits& v) {
    std::vector<double> out(spec.heads * spec.q_rows * spec.v_dim);
    for (std::size_t head = 0; head < spec.heads; ++head) {
        const std::size_t kv = head / spec.heads_per_kv * spec.k_rows;
        for (std::size_t row = 0; row < spec.q_rows; ++row) {
            std::vector<double> weights(spec.k_length);
            double sum = 0.0;
            for (std::size_t j = 0; j < spec.k_length; ++j) {
                double score = 0.0;
                for (std::size_t d = 0; d < spec.head_dim; ++d) {
                    score += static_cast<double>(bf16_to_float(q[(head * spec.q_rows + row) * spec.head_dim + d])) *
                             bf16_to_float(k[(kv + j) * spec.head_dim + d]);
                }
                score += spec.mask != nullptr ? bf16_to_float(spec.mask[row * spec.k_rows + j]) : 0.0;
                weights[j] = spec.causal && j > row ? 0.0 : std::exp(score * spec.scale);
                sum += weights[j];
            }
            for (std::size_t d = 0; d < spec.v_dim; ++d) {
                double value = 0.0;
                for (std::size_t j = 0; j < spec.k_length; ++j) {
                    value += weights[j] * bf16_to_float(v[(kv + j) * spec.v_dim + d]);
                }
                out[(head * spec.q_rows + row) * spec.v_dim + d] = value / sum;
            }
        }
    }
    return out;
}

struct Shape {
    const char* name;
    bool causal;
    bool mask;
    std::size_t q_rows;
    std::size_t k_length;
    std::size_t q_chunk;
    std::size_t k_chunk;
};

class SdpaShapes : public ::testing::TestWithParam<Shape> {};

// No golden has these shapes, so the check is only that the masks, chunks and corrections are the right ones. The kernel's
// exp is good to 3 %, which is most of the 0.06 allowed (measured: 0.026 to 0.050 of the largest value).
TEST_P(SdpaShapes, IsAttention) {
    const Shape& shape = GetParam();
    SdpaSpec spec;
    spec.heads = 4;
    spec.heads_per_kv = 2;
    spec.q_rows = shape.q_rows;
    spec.k_length = shape.k_length;
    spec.k_rows = (shape.k_length + 31) / 32 * 32;
    spec.head_dim = 64;
    spec.v_dim = 96;
    spec.scale = 0.125F;
    spec.causal = shape.causal;
    spec.q_chunk_tiles = shape.q_chunk;
    spec.k_chunk_tiles = shape.k_chunk;
    std::mt19937 random(3);
    std::normal_distribution<float> normal;
    const auto make = [&](std::size_t count) {
        Bits out(count);
        std::generate(out.begin(), out.end(), [&] { return bf16_round_even(normal(random)); });
        return out;
    };
    const Bits q = make(spec.heads * spec.q_rows * spec.head_dim);
    const Bits k = make(2 * spec.k_rows * spec.head_dim);
    const Bits v = make(2 * spec.k_rows * spec.v_dim);
    const Bits mask = make(spec.q_rows * spec.k_rows);
    spec.mask = shape.mask ? mask.data() : nullptr;
    Bits out(spec.heads * spec.q_rows * spec.v_dim);
    sdpa(spec, q.data(), k.data(), v.data(), out.data());
    const std::vector<double> expected = attention(spec, q, k, v);
    double worst = 0.0;
    double largest = 0.0;
    for (std::size_t i = 0; i < out.size(); ++i) {
        worst = std::max(worst, std::abs(bf16_to_float(out[i]) - expected[i]));
        largest = std::max(largest, std::abs(expected[i]));
    }
    EXPECT_LT(worst / largest, 0.06);

    Bits one_thread(out.size());
    set_num_threads(1);
    sdpa(spec, q.data(), k.data(), v.data(), one_thread.data());
    set_num_threads(0);
    EXPECT_EQ(one_thread, out);
}

INSTANTIATE_TEST_SUITE_P(
    Shapes, SdpaShapes,
    ::testing::Values(
        Shape{"causal_small_chunks", true, false, 96, 96, 1, 1},
        Shape{"causal_wide_chunks", true, false, 256, 256, 4, 8},
        Shape{"causal_uneven_chunks", true, false, 160, 160, 2, 4}, Shape{"plain", false, false, 64, 128, 2, 2},
        Shape{"padded_k", false, false, 64, 77, 1, 2}, Shape{"mask", false, true, 64, 128, 2, 4}),
    [](const auto& shape) { return shape.param.name; });

}  // namespace
}  // namespace ttnn_cpu::kernels::wormhole
