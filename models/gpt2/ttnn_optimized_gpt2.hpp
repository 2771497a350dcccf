// SPDX-License-Identifier: Apache-2.0
#pragma once

// GPT-2 on TTNN, placed: bfloat8_b weights, activations in L1, program configs for single tokens, fused GELU.
//
// hidden is [1, 1, rows, n_embd], TILE, in L1: the tokens of one sequence, or one token of each user. Functions that take it by value
// consume it.

#include <cstdint>
#include <vector>

#include "models/gpt2/config.hpp"
#include "models/gpt2/placement.hpp"
#include "models/gpt2/preprocess.hpp"
#include "zoo/causal_attention.hpp"

namespace zoo::gpt2::optimized {

// Words and positions, summed: hidden.
[[nodiscard]] ttnn::Tensor embeddings(
    const Config& config, const Parameters& parameters, const Placement& place, const StepInputs& inputs);
// Causal attention of a sequence and its projection. Keys and values go to the user's cache.
[[nodiscard]] ttnn::Tensor attention(
    const Config& config, const AttentionParameters& parameters, const Placement& place, ttnn::Tensor hidden,
    const KeyValueCache& cache, std::int64_t user);
// The same of one token a user.
[[nodiscard]] ttnn::Tensor attention_step(
    const Config& config, const AttentionParameters& parameters, const Placement& place, ttnn::Tensor hidden,
    const KeyValueCache& cache, const ttnn::Tensor& cur_pos);
[[nodiscard]] ttnn::Tensor mlp(
    const Config& config, const MlpParameters& parameters, const Placement& place, ttnn::Tensor hidden);
[[nodiscard]] ttnn::Tensor block(
    const Config& config, const LayerParameters& parameters, const Placement& place, ttnn::Tensor hidden,
    const KeyValueCache& cache, std::int64_t user);
[[nodiscard]] ttnn::Tensor block_step(
    const Config& config, const LayerParameters& parameters, const Placement& place, ttnn::Tensor hidden,
    const KeyValueCache& cache, const ttnn::Tensor& cur_pos);
// After the last layer norm.
[[nodiscard]] ttnn::Tensor gpt2(
    const Config& config, const Parameters& parameters, const Placement& place,
    const std::vector<KeyValueCache>& caches, const StepInputs& inputs, std::int64_t user);
[[nodiscard]] ttnn::Tensor gpt2_step(
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

}  // namespace zoo::gpt2::optimized
