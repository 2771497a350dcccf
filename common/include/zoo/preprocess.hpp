// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "ttnn/types.hpp"
#include "zoo/device_tensor.hpp"
#include "zoo/module_tree.hpp"
#include "zoo/parameters.hpp"

// From the modules of a network to TTNN tensors, by the rules of ttnn.model_preprocessing. docs/converting_a_model.md
// walks through an example.
namespace zoo {

// Turns a module and all below it into parameters.
using Preprocessor = std::function<ParameterTree(const ModuleTree& module, std::string_view path)>;

// Whether the parameters that a module owns itself become TTNN tensors.
using ConvertToTtnn = std::function<bool(const ModuleTree& module, std::string_view path)>;

// A module's parameters by other rules than the default ones; nothing for modules that it does not care about. Its
// answer stands for everything below the module. `default_steps` does the module by the default rules, its children with
// all hooks; it also takes a child, or a module made up for the purpose.
using CustomPreprocessor = std::function<std::optional<ParameterTree>(
    const ModuleTree& module, std::string_view path, const Preprocessor& default_steps)>;

struct PreprocessOptions {
    ttnn::MeshDevice* device = nullptr;  // where TTNN tensors go; on the host without one
    ConvertToTtnn convert_to_ttnn;       // when empty: always
    CustomPreprocessor custom_preprocessor;
    ttnn::DataType weight_dtype = ttnn::DataType::BFLOAT16;  // of Linear and convolutions
    ttnn::DataType bias_dtype = ttnn::DataType::BFLOAT16;    // likewise
    ttnn::DataType norm_dtype = ttnn::DataType::BFLOAT16;    // of LayerNorm and RMSNorm
    ttnn::MemoryConfig memory_config = {};                   // of all tensors; interleaved
    std::string prefix;                                      // put in front of all paths, for a part of a larger model
};

// The parameters of a model, in a tree with the structure of its modules. Modules without parameters are left out.
//
// Each module but a ModuleList, which only holds others, is offered to custom_preprocessor, then to convert_to_ttnn. What
// the latter accepts is converted by type:
//   Linear               weight [in, out], bias [1, out]; tiles
//   LayerNorm, RMSNorm   weight [1, n], bias [1, n]; tiles
//   Embedding            weight [rows, width]; bfloat16, row-major
//   Conv2d               weight [out, in, height, width], bias [1, 1, 1, out]; row-major, on the host, float32 where a
//                        block format is asked for: conv2d lays weights out and rounds them itself
//   any other            its own parameters as they are; bfloat16, row-major
// What it turns down stays HostTensor, of a Linear with the weight as [in, out].
//
// TTNN tensors that a custom_preprocessor leaves on the host move to the device, to the memory config of their spec. Only
// row-major tensors of 4 dimensions stay: see Conv2d.
//
// An Error names the parameter's path.
[[nodiscard]] ParameterTree preprocess_model_parameters(const ModuleTree& model, const PreprocessOptions& options = {});
[[nodiscard]] ParameterTree preprocess_model_parameters(
    const Checkpoint& checkpoint, const PreprocessOptions& options = {});

// The steps of the default rules. A tensor without a device stays on the host.

// weight [out, in]: [in, out].
[[nodiscard]] ttnn::Tensor preprocess_linear_weight(
    const HostTensor& weight, const DeviceFormat& format = {}, ttnn::MeshDevice* device = nullptr);
// bias [out]: [1, out].
[[nodiscard]] ttnn::Tensor preprocess_linear_bias(
    const HostTensor& bias, const DeviceFormat& format = {}, ttnn::MeshDevice* device = nullptr);
// parameter [n]: [1, n].
[[nodiscard]] ttnn::Tensor preprocess_layernorm_parameter(
    const HostTensor& parameter, const DeviceFormat& format = {}, ttnn::MeshDevice* device = nullptr);
// weight [rows, width], row-major: the same. ttnn::embedding takes bfloat16 tables only.
[[nodiscard]] ttnn::Tensor preprocess_embedding_weight(
    const HostTensor& weight, ttnn::MeshDevice* device = nullptr, const ttnn::MemoryConfig& memory_config = {});
// weight [out, in, height, width]: the same, on the host. FLOAT32 or BFLOAT16.
[[nodiscard]] ttnn::Tensor preprocess_conv2d_weight(
    const HostTensor& weight, ttnn::DataType dtype = ttnn::DataType::BFLOAT16);
// bias [out]: [1, 1, 1, out], on the host. FLOAT32 or BFLOAT16.
[[nodiscard]] ttnn::Tensor preprocess_conv2d_bias(
    const HostTensor& bias, ttnn::DataType dtype = ttnn::DataType::BFLOAT16);

// How the rows of a fused query, key and value matrix are ordered; its columns, once it is [in, out].
enum class QkvOrder {
    Stacked,  // all queries, all keys, all values: what splitting an interleaved tensor expects
    ByHead,   // query, key and value of head 0, of head 1, ...: what splitting a block-sharded tensor expects
};

// The weights [out, in] or the biases [out] of three Linears as one, in torch's order still: preprocess_linear_weight or
// preprocess_linear_bias comes next. By head, all three are alike; stacked, key and value may have fewer heads.
[[nodiscard]] HostTensor fuse_qkv(
    const HostTensor& query, const HostTensor& key, const HostTensor& value, QkvOrder order, std::int64_t num_heads);

// Columns of a [rows, columns] matrix spread over the device's DRAM banks, whole tiles each: how a matmul that is bound by
// its weights reads them fastest.
[[nodiscard]] ttnn::MemoryConfig dram_width_sharded(
    std::int64_t rows, std::int64_t columns, const ttnn::MeshDevice& device);

}  // namespace zoo
