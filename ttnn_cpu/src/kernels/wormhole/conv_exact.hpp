// SPDX-License-Identifier: Apache-2.0
#pragma once
// Convolution as TTNN's conv kernels do it on Wormhole's matrix engine, bit for bit: rows of windows times prepared
// weights.
#include "kernels/conv_fast.hpp"
#include "kernels/wormhole/matrix_engine.hpp"

namespace ttnn_cpu::kernels::wormhole {

struct ExactConvSpec {
    ConvImages images;
    ConvLayout layout;
    StoredFormat in_format = StoredFormat::Bfloat16;
    StoredFormat weight_format = StoredFormat::Bfloat16;
    StoredFormat bias_format = StoredFormat::Bfloat16;
    StoredFormat out_format = StoredFormat::Bfloat16;
    // Fidelity, destination, partials, bias, activation and ReLU; the sizes are filled in here.
    MatmulSpec engine;
    // The activation of a 32-bit destination, which the engine does not apply.
    std::optional<UnaryOp> float32_activation;
};

void exact_conv(
    const ExactConvSpec& spec, const std::byte* in, const std::byte* weights, const std::byte* bias, std::byte* out);

}  // namespace ttnn_cpu::kernels::wormhole
