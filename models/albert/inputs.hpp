// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/albert/config.hpp"
#include "zoo/encoder/inputs.hpp"

// Token sequences are those of every encoder; a Config says what they must keep to.
namespace zoo::albert {

using encoder::additive_mask;
using encoder::Inputs;
using encoder::pad;
using encoder::random_inputs;
using encoder::validate;

}  // namespace zoo::albert
