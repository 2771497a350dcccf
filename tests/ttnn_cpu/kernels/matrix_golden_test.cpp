// SPDX-License-Identifier: Apache-2.0
// The matrix engine against results of the real TTNN: every value, every bit.
#include "kernels/formats.hpp"
#include "kernels/sfpu.hpp"
#include "kernels/wormhole/matrix_engine.hpp"
#include "support/golden_file.hpp"

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

namespace ttnn_cpu::kernels::wormhole {
namespace {

using Bits = std::vector<std::uint16_t>;

// Golden inputs hold bfloat16 values already, but for those packed to block floats on the host: those hold what came
// out of the packing.
Bits to_bf16(const std::vector<float>& values) {
    Bits out(values.size());
    host_pack_bf16(values.data(), values.size(), out.data());
    return out;
}

Bits through_host_bfp8(const std::vector<float>& values) {
    std::vector<std::uint8_t> magnitudes(values.size());
    std::vector<std::uint8_t> exponents(values.size() / 16);
    host_pack_bfp8(values.data(), values.size(), magnitudes.data(), exponents.data());
    Bits out(values.size());
    unpack_bfp8_to_bf16(magnitudes.data(), exponents.data(), values.size(), out.data());
    return out;
}

Fidelity fidelity_of(const nlohmann::json& args) {
    static const std::map<std::string, Fidelity> names{
        {"LoFi", Fidelity::LoFi}, {"HiFi2", Fidelity::HiFi2}, {"HiFi3", Fidelity::HiFi3}, {"HiFi4", Fidelity::HiFi4}};
    // Without a compute config: HiFi2, and LoFi where a core grid is given, as the linear cases do.
    return names.at(args.value("fidelity", args.at("op") == "linear" ? "LoFi" : "HiFi2"));
}

// What TTNN's program configs for these shapes mean for K. ops/matmul chooses them; here they are written out.
void set_k_blocks(const nlohmann::json& args, bool bfp8_output, MatmulSpec& spec) {
    spec.partials = Partials::PackerL1Acc;
    if (args.at("op") == "linear") {
        // A given grid: 2D multicast with up to 4 K tiles a block, here all there are, so the packer does not add. Sums go
        // to the bias through memory in the output's format.
        spec.k_block_tiles = 4;
        spec.partials = Partials::SpillReload;
        spec.partials_format = bfp8_output ? PartialsFormat::BFloat8B : PartialsFormat::BFloat16;
    } else if (spec.m <= 32) {
        spec.k_block_tiles = 2;  // 1D multicast with an even number of K tiles
    } else {
        spec.k_block_tiles = 1;  // 2D multicast: 8 K tiles over 8 columns of cores; batched: one K tile
    }
}

std::size_t count_exact(const Bits& out, const std::vector<float>& expected) {
    std::size_t exact = 0;
    for (std::size_t i = 0; i < out.size(); ++i) {
        exact += bf16_to_float(out[i]) == expected[i] ? 1 : 0;
    }
    return exact;
}

class MatrixGolden : public ::testing::TestWithParam<std::string> {};

TEST_P(MatrixGolden, EveryValueIsExact) {
    const auto golden = zoo::testing::read_golden(GetParam());
    const auto& in0 = golden.at("in0");
    const auto& in1 = golden.at("in1");
    const auto& expected = golden.at("out");
    const std::size_t rank = in0.shape.size();

    MatmulSpec spec;
    spec.m = in0.shape[rank - 2];
    spec.k = in0.shape[rank - 1];
    spec.n = in1.shape[rank - 1];
    spec.batch = in0.values.size() / (spec.m * spec.k);
    spec.in0_batch_stride = spec.m * spec.k;
    spec.in1_batch_stride = spec.k * spec.n;
    spec.out_batch_stride = spec.m * spec.n;
    spec.fidelity = fidelity_of(golden.args);
    spec.has_bias = golden.tensors.contains("in2");
    const bool all_bfp8 = golden.args.value("dtype", "") == "BFLOAT8_B";
    set_k_blocks(golden.args, all_bfp8, spec);
    const auto activation = golden.args.value("activation", nlohmann::json());
    spec.packer_relu = activation == "relu";
    if (activation == "gelu" || activation == "silu") {
        const UnaryFunction function = activation == "silu" ? UnaryFunction::Silu : UnaryFunction::Gelu;
        spec.activation_table = unary_table(UnaryOp{function}).data();
    }

    const Bits a = all_bfp8 ? through_host_bfp8(in0.values) : to_bf16(in0.values);
    const Bits b = all_bfp8 || golden.args.value("dtype1", "") == "BFLOAT8_B" ? through_host_bfp8(in1.values)
                                                                              : to_bf16(in1.values);
    const auto bias_of = [&](const std::vector<float>& values) {
        return all_bfp8 ? through_host_bfp8(values) : to_bf16(values);
    };
    const Bits bias = spec.has_bias ? bias_of(golden.at("in2").values) : Bits();
    const MatmulOperands operands{{a.data(), nullptr, spec.k}, {b.data(), nullptr, spec.n}, {bias.data(), nullptr, 0}};
    Bits out(expected.values.size());
    matmul(spec, operands, out.data(), spec.n);
    if (all_bfp8) {
        round_trip_partials(PartialsFormat::BFloat8B, out.data(), out.size());
    }
    EXPECT_EQ(count_exact(out, expected.values), expected.values.size());
    matmul_ref(spec, operands, out.data(), spec.n);
    if (all_bfp8) {
        round_trip_partials(PartialsFormat::BFloat8B, out.data(), out.size());
    }
    EXPECT_EQ(count_exact(out, expected.values), expected.values.size()) << "reference";
}

std::vector<std::string> cases() {
    std::vector<std::string> names = zoo::testing::golden_names("matmul.");
    const std::vector<std::string> linear = zoo::testing::golden_names("linear.");
    names.insert(names.end(), linear.begin(), linear.end());
    return names;
}

INSTANTIATE_TEST_SUITE_P(Golden, MatrixGolden, ::testing::ValuesIn(cases()), [](const auto& golden) {
    std::string name = golden.param;
    for (char& c : name) {
        c = c == '.' ? '_' : c;
    }
    return name;
});

}  // namespace
}  // namespace ttnn_cpu::kernels::wormhole
