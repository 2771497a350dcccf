// SPDX-License-Identifier: Apache-2.0
#pragma once

// `tt-zoo check MODEL`: how far each module of a model is from libtorch, functional and optimized.
#include <functional>
#include <string>
#include <vector>

#include "model_flags.hpp"
#include "ttnn/types.hpp"
#include "zoo/host_tensor.hpp"

namespace zoo::apps {

// One module in its three versions, all from the same float32 input. Results are compared element by element, so all three have
// the golden's order of elements.
struct CheckedModule {
    std::string name;
    std::function<HostTensor()> golden;
    std::function<HostTensor()> functional;
    std::function<HostTensor()> optimized;
};

struct CheckFlags {
    DeviceFlags device;                                  // its numerics is not used
    std::vector<std::string> numerics{device.numerics};  // in this order; the device is switched from one to the next
    bool json = false;

    void add_to(CLI::App& command);
};

// Runs golden, functional and optimized of each module for each numerics mode, and prints a table or one JSON object.
void check_modules(
    const Subject& subject, const std::vector<CheckedModule>& modules, ttnn::MeshDevice& device,
    const CheckFlags& flags);

}  // namespace zoo::apps
