// SPDX-License-Identifier: Apache-2.0
#pragma once

// How an op reaches the device.
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include <ttnn/tensor/tensor.hpp>
#include <ttnn_cpu/device_options.hpp>

#include "core/program.hpp"

namespace ttnn_cpu {

struct LaunchRequest {
    std::string_view name;   // TTNN's name of the device operation, "MatmulDeviceOperation"
    std::string attributes;  // a JSON object: with the tensor specs, all that the program depends on
    std::vector<ttnn::Tensor> inputs;
    std::vector<tt::tt_metal::TensorSpec> output_specs;
    // Tensors to write into, in place of new ones made from output_specs. May be inputs.
    std::vector<ttnn::Tensor> outputs;
    // Called when no such program is cached.
    std::function<Program(Numerics)> create_program;
};

// Allocates the outputs, finds or makes the program, checks its circular buffers against L1 and enqueues it on the calling
// thread's current queue. The caller has checked the op's own rules.
std::vector<ttnn::Tensor> launch(const LaunchRequest& request);

// Every input is an allocated device tensor, all on one device; throws what TTNN says otherwise. `op` is for the message.
void check_device_tensors(std::string_view op, std::initializer_list<const ttnn::Tensor*> tensors);

}  // namespace ttnn_cpu
