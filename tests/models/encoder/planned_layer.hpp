// SPDX-License-Identifier: Apache-2.0
#pragma once

// One layer and the pooler in one of the TTNN versions, behind the golden's own shapes: host tensors in and out.

#include <cstdint>

#include "zoo/encoder/parameters.hpp"
#include "zoo/encoder/placement.hpp"
#include "zoo/host_tensor.hpp"
#include "zoo/plan.hpp"

namespace zoo::encoder {

class PlannedLayer {
public:
    PlannedLayer(
        Plan plan, const LayerSpec& spec, const LayerWeights& layer, const Linear& pooler, std::int64_t batch,
        std::int64_t sequence, ttnn::MeshDevice& device);

    [[nodiscard]] HostTensor self_attention(const HostTensor& hidden, const Inputs& inputs) const;
    [[nodiscard]] HostTensor attention_output(const HostTensor& context, const HostTensor& hidden) const;
    [[nodiscard]] HostTensor intermediate(const HostTensor& hidden) const;
    [[nodiscard]] HostTensor feed_forward(const HostTensor& hidden) const;
    [[nodiscard]] HostTensor encoder_layer(const HostTensor& hidden, const Inputs& inputs) const;
    [[nodiscard]] HostTensor pooler(const HostTensor& hidden) const;

private:
    // Where the plan keeps the hidden state, or a context on its way to the output projection.
    [[nodiscard]] ttnn::Tensor hidden(const HostTensor& tensor) const;
    [[nodiscard]] ttnn::Tensor context(const HostTensor& tensor) const;
    [[nodiscard]] bool optimized() const { return plan_ == Plan::Optimized; }

    Plan plan_;
    LayerSpec spec_;
    ttnn::MeshDevice& device_;
    Placement place_;
    LayerParameters layer_;
    LinearParameters pooler_;
};

}  // namespace zoo::encoder
