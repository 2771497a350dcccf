// SPDX-License-Identifier: Apache-2.0
#pragma once

// GPT-2 in float32 by libtorch: what the TTNN versions are measured against. Torch stays inside the source file.
//
// hidden is [1, sequence, n_embd]; positions are 0, 1, 2 ... Weights are used where they lie, nothing is converted.

#include <cstdint>
#include <span>

#include "models/gpt2/config.hpp"
#include "models/gpt2/weights.hpp"
#include "zoo/causal/decoder.hpp"
#include "zoo/host_tensor.hpp"

namespace zoo::gpt2::golden {

// Words and positions, summed.
[[nodiscard]] HostTensor embeddings(const Config& config, const Weights& weights, std::span<const std::int32_t> ids);
// Causal attention and its projection.
[[nodiscard]] HostTensor attention(const Config& config, const AttentionWeights& weights, const HostTensor& hidden);
[[nodiscard]] HostTensor mlp(const Config& config, const MlpWeights& weights, const HostTensor& hidden);
[[nodiscard]] HostTensor block(const Config& config, const LayerWeights& weights, const HostTensor& hidden);
// After the last layer norm.
[[nodiscard]] HostTensor gpt2(const Config& config, const Weights& weights, std::span<const std::int32_t> ids);
// [1, sequence, vocab_size]
[[nodiscard]] HostTensor logits(const Config& config, const Weights& weights, std::span<const std::int32_t> ids);

// The same with a key/value cache, one token at a time: libtorch at its best. Config and weights must outlive it.
class Decoder : public causal::Decoder {
public:
    Decoder(const Config& config, const Weights& weights, std::int64_t batch = 1);
};

}  // namespace zoo::gpt2::golden
