// SPDX-License-Identifier: Apache-2.0
#pragma once

// CodeGen on TTNN, placed: bfloat8_b weights, activations in L1, program configs for single tokens, fused GELU.
//
// hidden is [1, 1, rows, n_embd], TILE, in L1: the tokens of one sequence, or one token of each user. Functions that take
// it by value consume it.

#include <cstdint>
#include <vector>

#include "models/codegen/config.hpp"
#include "models/codegen/placement.hpp"
#include "models/codegen/preprocess.hpp"
#include "models/codegen/rotary.hpp"
#include "zoo/causal_attention.hpp"

namespace zoo::codegen::optimized {

// Words: hidden.
[[nodiscard]] ttnn::Tensor embeddings(
    const Config& config, const Parameters& parameters, const Placement& place, const StepInputs& inputs);
// Causal attention of a sequence and its projection. Keys and values go to the user's cache.
[[nodiscard]] ttnn::Tensor attention(
    const Config& config, const AttentionParameters& parameters, const Placement& place, const RotaryParameters& rotary,
    const StepAngles& angles, ttnn::Tensor hidden, const KeyValueCache& cache, std::int64_t user);
// The same of one token a user.
[[nodiscard]] ttnn::Tensor attention_step(
    const Config& config, const AttentionParameters& parameters, const Placement& place, const RotaryParameters& rotary,
    const StepAngles& angles, ttnn::Tensor hidden, const KeyValueCache& cache, const ttnn::Tensor& cur_pos);
[[nodiscard]] ttnn::Tensor mlp(
    const Config& config, const MlpParameters& parameters, const Placement& place, ttnn::Tensor hidden);
// Attention and MLP side by side over the same norm.
[[nodiscard]] ttnn::Tensor block(
    const Config& config, const LayerParameters& parameters, const Placement& place, const RotaryParameters& rotary,
    const StepAngles& angles, ttnn::Tensor hidden, const KeyValueCache& cache, std::int64_t user);
[[nodiscard]] ttnn::Tensor block_step(
    const Config& config, const LayerParameters& parameters, const Placement& place, const RotaryParameters& rotary,
    const StepAngles& angles, ttnn::Tensor hidden, const KeyValueCache& cache, const ttnn::Tensor& cur_pos);
// After the last layer norm.
[[nodiscard]] ttnn::Tensor codegen(
    const Config& config, const Parameters& parameters, const Placement& place,
    const std::vector<KeyValueCache>& caches, const StepInputs& inputs, std::int64_t user);
[[nodiscard]] ttnn::Tensor codegen_step(
    const Config& config, const Parameters& parameters, const Placement& place,
    const std::vector<KeyValueCache>& caches, const StepInputs& inputs);
// [1, 1, rows, vocab_size]
[[nodiscard]] ttnn::Tensor logits(
    const Config& config, const Parameters& parameters, const Placement& place, ttnn::Tensor hidden);

// The two paths of a CausalBody.
[[nodiscard]] StepOutputs prefill(
    const Config& config, const Parameters& parameters, const Placement& place,
    const std::vector<KeyValueCache>& caches, const StepInputs& inputs, std::int64_t user, std::int64_t length);
[[nodiscard]] StepOutputs decode(
    const Config& config, const Parameters& parameters, const Placement& place,
    const std::vector<KeyValueCache>& caches, const StepInputs& inputs);

}  // namespace zoo::codegen::optimized
