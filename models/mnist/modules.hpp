// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "models/mnist/config.hpp"
#include "models/mnist/placement.hpp"
#include "models/mnist/preprocess.hpp"
#include "models/mnist/weights.hpp"
#include "zoo/host_tensor.hpp"
#include "zoo/plan.hpp"

namespace zoo::mnist {

// The modules of a TTNN version behind the golden's own shapes, host tensors in and out: for checks against it.
class Modules {
public:
    Modules(Plan plan, const Config& config, const Weights& weights, std::int64_t batch, ttnn::MeshDevice& device);

    // x of block 0 is the images.
    [[nodiscard]] HostTensor block(std::size_t index, const HostTensor& x) const;
    [[nodiscard]] HostTensor features(const HostTensor& images) const;
    [[nodiscard]] HostTensor classifier(const HostTensor& x) const;
    [[nodiscard]] HostTensor mnist(const HostTensor& images) const;

private:
    [[nodiscard]] FeatureMap input(const HostTensor& images) const;
    [[nodiscard]] bool optimized() const { return plan_ == Plan::Optimized; }

    Plan plan_;
    Config config_;
    ttnn::MeshDevice& device_;
    Placement place_;
    ParameterFormat format_;
    Parameters parameters_;
};

}  // namespace zoo::mnist
