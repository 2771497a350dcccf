// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "models/mobilenetv2/config.hpp"
#include "models/mobilenetv2/placement.hpp"
#include "models/mobilenetv2/preprocess.hpp"
#include "models/mobilenetv2/weights.hpp"
#include "zoo/host_tensor.hpp"
#include "zoo/plan.hpp"

namespace zoo::mobilenetv2 {

// The modules of a TTNN version behind the golden's own shapes, host tensors in and out: for checks against it.
class Modules {
public:
    Modules(Plan plan, const Config& config, const Weights& weights, std::int64_t batch, ttnn::MeshDevice& device);

    [[nodiscard]] HostTensor stem(const HostTensor& images) const;
    [[nodiscard]] HostTensor inverted_residual(std::size_t block, const HostTensor& x) const;
    [[nodiscard]] HostTensor features(const HostTensor& images) const;
    [[nodiscard]] HostTensor classifier(const HostTensor& x) const;
    [[nodiscard]] HostTensor mobilenetv2(const HostTensor& images) const;

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

}  // namespace zoo::mobilenetv2
