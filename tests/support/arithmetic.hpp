// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ttnn_cpu/device_options.hpp>

#include "support/matchers.hpp"
#include "ttnn/types.hpp"

namespace zoo::test {

// How close an op comes depends on who computes. Mode `fast` adds in float32; a card, and mode `wormhole` as it does, in 16 bits
// unless the call asks for 32, and with its own exponentials and reciprocals.
struct Bounds {
    Bound fast;
    double card;  // the relative error measured with the card's arithmetic; a fifth more is allowed
};

inline Bound bound_on(const ttnn::MeshDevice& device, const Bounds& bounds) {
    if (ttnn_cpu::numerics(device) == ttnn_cpu::Numerics::Fast) {
        return bounds.fast;
    }
    const double error = 1.2 * bounds.card;
    return {
        .pcc = 1.0 - error * error / 2,
        .relative_error = error};  // the PCC of an error that does not follow the values
}

}  // namespace zoo::test
