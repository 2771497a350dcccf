// SPDX-License-Identifier: Apache-2.0
#pragma once

// A golden with a key/value cache, one token at a time: libtorch at its best. Torch stays inside the source files.

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "zoo/causal_lm.hpp"
#include "zoo/host_tensor.hpp"

namespace zoo::causal {

struct Cache;  // of one layer; torch_network.hpp has it

class Decoder : public CausalLm {
public:
    struct Sizes {
        std::int64_t batch = 1;
        std::int64_t layers = 0;
        std::int64_t heads = 0;
        std::int64_t head_size = 0;
        std::int64_t positions = 0;
        std::int64_t vocab_size = 0;
    };
    // Logits of the last of the tokens, which go to the place that the caches say.
    using LastLogits =
        std::function<HostTensor(std::span<const std::int32_t> tokens, const std::vector<Cache>& caches)>;

    // Errors name `where`.
    Decoder(const Sizes& sizes, LastLogits last_logits, std::string where);
    ~Decoder() override;

    [[nodiscard]] std::int64_t batch() const override { return sizes_.batch; }
    [[nodiscard]] std::int64_t context() const override { return sizes_.positions; }
    [[nodiscard]] std::int64_t vocab_size() const override { return sizes_.vocab_size; }
    [[nodiscard]] NextToken prefill(std::int64_t user, std::span<const std::int32_t> tokens, bool logits) override;
    [[nodiscard]] std::vector<NextToken> decode(
        std::span<const std::int32_t> tokens, std::span<const std::int32_t> positions, bool logits) override;

private:
    NextToken next(std::int64_t user, std::int64_t position, std::span<const std::int32_t> tokens, bool logits);

    Sizes sizes_;
    LastLogits last_logits_;
    std::string where_;
    std::vector<Cache> caches_;
};

}  // namespace zoo::causal
