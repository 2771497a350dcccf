// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "ttnn/types.hpp"
#include "zoo/causal_lm.hpp"
#include "zoo/pipeline.hpp"

namespace zoo {

// What a step of a causal model reads. For a sequence, `users` are its tokens.
struct StepInputs {
    ttnn::Tensor ids;        // UINT32 [1, users]
    ttnn::Tensor positions;  // UINT32 [1, users], for tables
    ttnn::Tensor cur_pos;    // INT32 [users], for caches; empty for a sequence
};

struct StepOutputs {
    ttnn::Tensor logits;  // ROW_MAJOR [1, 1, users, vocab_size]; one row for a sequence
    ttnn::Tensor best;    // UINT32, one a row
};

// A causal model's two paths over caches that it owns.
struct CausalBody {
    // A sequence padded to whole tiles; logits of its token length - 1. Keys and values go to the user's caches.
    std::function<StepOutputs(const StepInputs& inputs, std::int64_t user, std::int64_t length)> prefill;
    // One token a user. Runs the same ops every time, so that it can be a trace.
    std::function<StepOutputs(const StepInputs& inputs)> decode;
};

// Runs such a model: sequences op by op, single tokens as a captured trace that reads token and position from device tensors; with
// two queues the second one writes inputs and reads results. All modes give the same bits.
class CausalPipeline : public CausalLm {
public:
    struct Sizes {
        std::int64_t batch = 1;  // users, 1 to 32
        std::int64_t context = 1024;
        std::int64_t vocab_size = 0;
    };

    // Runs the decode body once to warm the program cache and, where the mode asks for it, captures it. Error for sizes out of
    // range, or for a mode that the device was not opened for.
    CausalPipeline(ttnn::MeshDevice& device, Mode mode, const Sizes& sizes, CausalBody body);
    ~CausalPipeline() override;

    [[nodiscard]] std::int64_t batch() const override { return sizes_.batch; }
    [[nodiscard]] std::int64_t context() const override { return sizes_.context; }
    [[nodiscard]] std::int64_t vocab_size() const override { return sizes_.vocab_size; }

    [[nodiscard]] NextToken prefill(std::int64_t user, std::span<const std::int32_t> tokens, bool logits) override;
    [[nodiscard]] std::vector<NextToken> decode(
        std::span<const std::int32_t> tokens, std::span<const std::int32_t> positions, bool logits) override;

private:
    void write(const std::vector<ttnn::Tensor>& host);
    [[nodiscard]] std::vector<NextToken> read(const StepOutputs& outputs, bool logits) const;
    void require_token(std::int32_t token) const;

    ttnn::MeshDevice& device_;
    Mode mode_;
    Sizes sizes_;
    CausalBody body_;
    StepInputs inputs_;
    std::unique_ptr<Trace> trace_;
};

}  // namespace zoo
