// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "conformance/golden_case.hpp"
#include "ttnn/operations/core/compute_kernel/compute_kernel_config.hpp"
#include "ttnn/operations/eltwise/unary/common/unary_op_types.hpp"
#include "ttnn/types.hpp"

namespace zoo::conformance {

// `groups` is what the parentheses of the op's pattern matched.
using Call = std::function<std::vector<float>(
    const GoldenCase& golden, const std::vector<std::string>& groups, ttnn::MeshDevice& device)>;

#define ZOO_DECLARE_CALL(name) \
    std::vector<float> name(const GoldenCase& golden, const std::vector<std::string>& groups, ttnn::MeshDevice& device)

ZOO_DECLARE_CALL(call_host_pack);
ZOO_DECLARE_CALL(call_typecast);
ZOO_DECLARE_CALL(call_unary);
ZOO_DECLARE_CALL(call_binary);
ZOO_DECLARE_CALL(call_binary_scalar);
ZOO_DECLARE_CALL(call_matmul);
ZOO_DECLARE_CALL(call_linear);
ZOO_DECLARE_CALL(call_softmax);
ZOO_DECLARE_CALL(call_layer_norm);
ZOO_DECLARE_CALL(call_reduce);
ZOO_DECLARE_CALL(call_argmax);
ZOO_DECLARE_CALL(call_embedding);
ZOO_DECLARE_CALL(call_split_heads);
ZOO_DECLARE_CALL(call_concatenate_heads);
ZOO_DECLARE_CALL(call_attention_softmax);
ZOO_DECLARE_CALL(call_sdpa);
ZOO_DECLARE_CALL(call_conv2d);
ZOO_DECLARE_CALL(call_max_pool2d);
ZOO_DECLARE_CALL(call_avg_pool2d);
ZOO_DECLARE_CALL(call_upsample);

#undef ZOO_DECLARE_CALL

// UnknownCase for a name that is no data type.
ttnn::DataType data_type(const std::string& name);
tt::tt_metal::MathFidelity fidelity(const std::string& name);
ttnn::operations::unary::UnaryOpType unary_type(const std::string& name);
// The data type of an input that the case may name as dtype0, dtype1 ... or once for all as dtype.
ttnn::DataType input_type(const GoldenCase& golden, std::size_t index);
std::vector<float> values(const ttnn::Tensor& tensor);
// Input `index` on the device, packed to `dtype` on the host first.
ttnn::Tensor to_device(
    const GoldenCase& golden, std::size_t index, ttnn::MeshDevice& device,
    ttnn::DataType dtype = ttnn::DataType::BFLOAT16, ttnn::Layout layout = ttnn::Layout::TILE);

}  // namespace zoo::conformance
