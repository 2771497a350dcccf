// SPDX-License-Identifier: Apache-2.0
#pragma once

// Single modules of a TTNN version on host tensors, with the golden's functions and shapes: for `tt-zoo check` and for tests.

#include <array>
#include <cstdint>
#include <vector>

#include "models/yolov4/boxes.hpp"
#include "models/yolov4/placement.hpp"
#include "models/yolov4/preprocess.hpp"
#include "models/yolov4/weights.hpp"
#include "zoo/plan.hpp"

namespace zoo::yolov4 {

class Modules {
public:
    // The device must outlive this.
    Modules(Plan plan, const Config& config, const Weights& weights, ttnn::MeshDevice& device);

    [[nodiscard]] HostTensor resblock(const ResblockParameters& parameters, const HostTensor& x) const;
    [[nodiscard]] HostTensor ds1(const HostTensor& picture) const;
    [[nodiscard]] HostTensor ds2(const HostTensor& x) const;
    [[nodiscard]] HostTensor ds3(const HostTensor& x) const;
    [[nodiscard]] HostTensor ds4(const HostTensor& x) const;
    [[nodiscard]] HostTensor ds5(const HostTensor& x) const;
    [[nodiscard]] std::array<HostTensor, 3> neck(
        const HostTensor& down5, const HostTensor& down4, const HostTensor& down3) const;
    [[nodiscard]] std::array<HostTensor, 3> head(const std::array<HostTensor, 3>& maps) const;
    [[nodiscard]] Predictions yolov4(const HostTensor& picture) const;

    // The inner map and the pooled one.
    [[nodiscard]] std::array<HostTensor, 2> tiny_block(
        const TinyBlockParameters& parameters, const HostTensor& x) const;
    [[nodiscard]] std::array<HostTensor, 2> tiny_head(const HostTensor& pooled, const HostTensor& inner) const;

    [[nodiscard]] const Parameters& parameters() const { return parameters_; }

private:
    [[nodiscard]] bool optimized() const { return plan_ == Plan::Optimized; }
    [[nodiscard]] FeatureMap to_device(const HostTensor& x) const;
    [[nodiscard]] HostTensor head_map(const FeatureMap& map) const;

    Plan plan_;
    Config config_;
    Placement place_;
    Parameters parameters_;
    ttnn::MeshDevice& device_;
};

}  // namespace zoo::yolov4
