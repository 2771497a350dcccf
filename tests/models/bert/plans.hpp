// SPDX-License-Identifier: Apache-2.0
#pragma once

// The two TTNN versions behind the golden's own shapes: host tensors in, host tensors out.

#include "models/bert/preprocess.hpp"
#include "models/bert/runner.hpp"
#include "models/bert/weights.hpp"
#include "zoo/host_tensor.hpp"

namespace zoo::bert {

class PlannedModel {
public:
    PlannedModel(
        Plan plan, const Config& config, const Weights& weights, std::int64_t batch, std::int64_t sequence,
        ttnn::MeshDevice& device);

    [[nodiscard]] HostTensor embeddings(const Inputs& inputs) const;
    [[nodiscard]] HostTensor bert(const Inputs& inputs) const;
    [[nodiscard]] HostTensor for_question_answering(const Inputs& inputs) const;
    [[nodiscard]] HostTensor for_masked_lm(const Inputs& inputs) const;
    [[nodiscard]] HostTensor for_sequence_classification(const Inputs& inputs) const;
    [[nodiscard]] HostTensor sentence_embedding(const Inputs& inputs) const;

    [[nodiscard]] const Parameters& parameters() const { return parameters_; }

private:
    [[nodiscard]] bool optimized() const { return plan_ == Plan::Optimized; }

    Plan plan_;
    Config config_;
    ttnn::MeshDevice& device_;
    Placement place_;
    Parameters parameters_;
};

}  // namespace zoo::bert
