// SPDX-License-Identifier: Apache-2.0
#include "kernels/wormhole/matrix_sdpa.hpp"
#include "kernels/formats.hpp"
#include "support/golden_file.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
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

}  // namespace
}  // namespace ttnn_cpu::kernels::wormhole
