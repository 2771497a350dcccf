// SPDX-License-Identifier: Apache-2.0
#pragma once

// The two TTNN versions behind the golden's own shapes: host tensors in, host tensors out.

#include "models/resnet/preprocess.hpp"
#include "models/resnet/weights.hpp"
#include "zoo/host_tensor.hpp"
#include "zoo/plan.hpp"

namespace zoo::resnet {

class Modules {
public:
    Modules(Plan plan, const Config& config, const Weights& weights, std::int64_t batch, ttnn::MeshDevice& device);

    [[nodiscard]] HostTensor stem(const HostTensor& images) const;
    // Block `index` of a stage: basic or bottleneck, as the config says.
    [[nodiscard]] HostTensor block(std::size_t stage, std::size_t index, const HostTensor& x) const;
    [[nodiscard]] HostTensor layer(std::size_t stage, const HostTensor& x) const;
    [[nodiscard]] HostTensor head(const HostTensor& x) const;
    [[nodiscard]] HostTensor resnet(const HostTensor& images) const;

private:
    // [batch, channels, side, side] where the plan keeps what enters a stage.
    [[nodiscard]] FeatureMap on_device(const HostTensor& x) const;
    [[nodiscard]] FeatureMap images_on_device(const HostTensor& images) const;
    [[nodiscard]] bool optimized() const { return plan_ == Plan::Optimized; }

    Plan plan_;
    Config config_;
    ttnn::MeshDevice& device_;
    Placement place_;
    ParameterFormat format_;
    Parameters parameters_;
};

}  // namespace zoo::resnet
