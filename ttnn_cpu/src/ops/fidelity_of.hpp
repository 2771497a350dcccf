// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tt-metalium/base_types.hpp>

#include "kernels/wormhole/matrix_fpu.hpp"

namespace ttnn_cpu {

inline kernels::wormhole::Fidelity fidelity_of(tt::tt_metal::MathFidelity fidelity) {
    using kernels::wormhole::Fidelity;
    switch (fidelity) {
        case tt::tt_metal::MathFidelity::LoFi:
            return Fidelity::LoFi;
        case tt::tt_metal::MathFidelity::HiFi2:
            return Fidelity::HiFi2;
        case tt::tt_metal::MathFidelity::HiFi3:
            return Fidelity::HiFi3;
        default:
            return Fidelity::HiFi4;
    }
}

}  // namespace ttnn_cpu
