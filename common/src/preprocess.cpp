// SPDX-License-Identifier: Apache-2.0
#include "zoo/preprocess.hpp"

#include <array>
#include <exception>
#include <initializer_list>
#include <utility>
#include <vector>

#include <tt-metalium/mesh_device.hpp>

#include "message.hpp"
#include "zoo/error.hpp"

namespace zoo {
namespace {

using ttnn::DataType;
using ttnn::Layout;

constexpr std::string_view kWhere = "preprocess_model_parameters";

bool is_block_format(DataType dtype) { return dtype == DataType::BFLOAT8_B || dtype == DataType::BFLOAT4_B; }

void check_rank(std::string_view where, const HostTensor& tensor, std::size_t rank, std::string_view meaning) {
    if (tensor.shape.size() != rank) {
        fail(
            where, "shape ", to_string(tensor.shape), " has ", tensor.shape.size(), " dimensions; ", meaning,
            " is needed");
    }
}

void check_format(std::string_view where, const DeviceFormat& format) {
    const bool plain = format.dtype == DataType::FLOAT32 || format.dtype == DataType::BFLOAT16;
    if (!plain && !is_block_format(format.dtype)) {
        fail(where, "parameters are FLOAT32, BFLOAT16, BFLOAT8_B or BFLOAT4_B; an integer type is asked for");
    }
    if (is_block_format(format.dtype) && format.layout != Layout::TILE) {
        fail(where, "BFLOAT8_B and BFLOAT4_B exist in TILE layout only; ROW_MAJOR is asked for");
    }
}

// One row: what ops broadcast over the rows of an activation.
ttnn::Tensor from_row(
    std::string_view where, const HostTensor& values, const DeviceFormat& format, ttnn::MeshDevice* device) {
    check_format(where, format);
    check_rank(where, values, 1, "[n]");
    return from_host(reshape(values, {1, -1}), format, device);
}

// Lists have nothing of their own; hooks see what is in them.
bool is_list(const ModuleTree& module) { return module.type == "ModuleList"; }

// conv2d lays its weights out itself, on the host.
bool stays_on_host(std::size_t rank, Layout layout) { return rank == 4 && layout == Layout::ROW_MAJOR; }

// The rules by type, for the parameters that a module owns.
class Steps {
public:
    explicit Steps(const PreprocessOptions& options) : options_(options) {}

    ParameterTree convert(const ModuleTree& module, std::string_view path) const;

private:
    ParameterTree convert_by_default(const ModuleTree& module, std::string_view path) const;
    ttnn::Tensor to_ttnn(const ModuleTree& module, const ModuleParameter& parameter) const;
    ttnn::Tensor to_device(const ttnn::Tensor& tensor) const;

    const PreprocessOptions& options_;
};

HostTensor to_kept(const ModuleTree& module, const ModuleParameter& parameter) {
    HostTensor values = parameter.read();
    return module.type == "Linear" && parameter.name == "weight" ? transpose(values) : values;
}

// Runs `work` and puts `path` in front of what goes wrong, once: hooks call back into these steps.
template <class Work>
auto naming(const std::string& path, std::string_view type, const Work& work) {
    try {
        return work();
    } catch (const std::exception& error) {
        const std::string_view text = error.what();
        if (text.starts_with("[" + std::string(kWhere) + "]")) {
            throw;
        }
        fail(kWhere, in_quotes(path), " (", type, "): ", text);
    }
}

void check_known(const ModuleTree& module, const ModuleParameter& parameter, std::initializer_list<const char*> names) {
    for (const char* name : names) {
        if (parameter.name == name) {
            return;
        }
    }
    std::vector<std::string> known(names.begin(), names.end());
    fail(
        module.type, "the default rule knows ", listed(known), " and not ", in_quotes(parameter.name),
        "; give a custom_preprocessor");
}

// A bias that does not go with its weight would only show as a broadcast that fails, or worse, works.
void check_bias(const ModuleTree& module, const ModuleParameter& bias) {
    const ModuleParameter* weight = module.find_parameter("weight");
    if (weight != nullptr && !weight->shape.empty() && bias.shape != Shape{weight->shape[0]}) {
        fail(
            module.type, "shape ", to_string(bias.shape), " does not go with the weight's ", to_string(weight->shape),
            "; [", weight->shape[0], "] is needed");
    }
}

ttnn::Tensor Steps::to_ttnn(const ModuleTree& module, const ModuleParameter& parameter) const {
    const std::string& type = module.type;
    const bool is_bias = parameter.name == "bias";
    ttnn::MeshDevice* device = options_.device;
    DeviceFormat format{
        .dtype = is_bias ? options_.bias_dtype : options_.weight_dtype, .memory_config = options_.memory_config};

    if (type == "Linear") {
        check_known(module, parameter, {"weight", "bias"});
        if (is_bias) {
            check_bias(module, parameter);
            return preprocess_linear_bias(parameter.read(), format, device);
        }
        return preprocess_linear_weight(parameter.read(), format, device);
    }
    if (type == "LayerNorm" || type == "RMSNorm") {
        check_known(module, parameter, {"weight", "bias", "gamma", "beta"});
        format.dtype = options_.norm_dtype;
        return preprocess_layernorm_parameter(parameter.read(), format, device);
    }
    if (type == "Embedding") {
        check_known(module, parameter, {"weight"});
        return preprocess_embedding_weight(parameter.read(), device, options_.memory_config);
    }
    if (type == "Conv2d") {
        check_known(module, parameter, {"weight", "bias"});
        const DataType dtype = is_block_format(format.dtype) ? DataType::FLOAT32 : format.dtype;
        if (is_bias) {
            check_bias(module, parameter);
            return preprocess_conv2d_bias(parameter.read(), dtype);
        }
        return preprocess_conv2d_weight(parameter.read(), dtype);
    }
    format.dtype = DataType::BFLOAT16;
    format.layout = Layout::ROW_MAJOR;
    HostTensor values = parameter.read();
    if (values.shape.empty()) {
        values.shape = {1};
    }
    return from_host(values, format, stays_on_host(values.shape.size(), format.layout) ? nullptr : device);
}

ttnn::Tensor Steps::to_device(const ttnn::Tensor& tensor) const {
    const bool stays = options_.device == nullptr || tensor.device() != nullptr ||
                       stays_on_host(tensor.logical_shape().rank(), tensor.layout());
    return stays ? tensor : tensor.to_device(options_.device);
}

ParameterTree Steps::convert_by_default(const ModuleTree& module, std::string_view path) const {
    ParameterTree result;
    const bool to_tensors = is_list(module) || !options_.convert_to_ttnn || options_.convert_to_ttnn(module, path);
    for (const ModuleParameter& parameter : module.parameters) {
        if (!parameter.is_buffer) {
            naming(join_path(path, parameter.name), module.type, [&] {
                result.add(
                    parameter.name, to_tensors ? ParameterValue(to_ttnn(module, parameter))
                                               : ParameterValue(to_kept(module, parameter)));
            });
        }
    }
    for (const ModuleTree::Child& child : module.children) {
        ParameterTree below = convert(child.module, join_path(path, child.name));
        if (!below.empty()) {
            naming(join_path(path, child.name), child.module.type, [&] { result.add(child.name, std::move(below)); });
        }
    }
    result.set_path(std::string(path));
    return result;
}

ParameterTree Steps::convert(const ModuleTree& module, std::string_view path) const {
    if (options_.custom_preprocessor && !is_list(module)) {
        std::optional<ParameterTree> custom = naming(std::string(path), module.type, [&] {
            auto answer = options_.custom_preprocessor(
                module, path,
                [this](const ModuleTree& part, std::string_view at) { return convert_by_default(part, at); });
            if (answer) {
                answer->transform([this](const ttnn::Tensor& tensor) { return to_device(tensor); });
            }
            return answer;
        });
        if (custom) {
            custom->set_path(std::string(path));
            return *std::move(custom);
        }
    }
    return convert_by_default(module, path);
}

}  // namespace

ParameterTree preprocess_model_parameters(const ModuleTree& model, const PreprocessOptions& options) {
    if (options.memory_config.is_sharded()) {
        fail(
            kWhere,
            "memory_config is sharded; one shard shape does not fit all parameters, a custom_preprocessor can give "
            "each "
            "its own");
    }
    return Steps(options).convert(model, options.prefix);
}

ParameterTree preprocess_model_parameters(const Checkpoint& checkpoint, const PreprocessOptions& options) {
    return preprocess_model_parameters(module_tree(checkpoint), options);
}

ttnn::Tensor preprocess_linear_weight(const HostTensor& weight, const DeviceFormat& format, ttnn::MeshDevice* device) {
    constexpr std::string_view where = "preprocess_linear_weight";
    check_format(where, format);
    check_rank(where, weight, 2, "[out, in]");
    return from_host(transpose(weight), format, device);
}

ttnn::Tensor preprocess_linear_bias(const HostTensor& bias, const DeviceFormat& format, ttnn::MeshDevice* device) {
    return from_row("preprocess_linear_bias", bias, format, device);
}

ttnn::Tensor preprocess_layernorm_parameter(
    const HostTensor& parameter, const DeviceFormat& format, ttnn::MeshDevice* device) {
    return from_row("preprocess_layernorm_parameter", parameter, format, device);
}

ttnn::Tensor preprocess_embedding_weight(
    const HostTensor& weight, ttnn::MeshDevice* device, const ttnn::MemoryConfig& memory_config) {
    check_rank("preprocess_embedding_weight", weight, 2, "[rows, width]");
    return from_host(weight, {.layout = Layout::ROW_MAJOR, .memory_config = memory_config}, device);
}

ttnn::Tensor preprocess_conv2d_weight(const HostTensor& weight, ttnn::DataType dtype) {
    constexpr std::string_view where = "preprocess_conv2d_weight";
    const DeviceFormat format{.dtype = dtype, .layout = Layout::ROW_MAJOR};
    check_format(where, format);
    check_rank(where, weight, 4, "[out, in, height, width]");
    return from_host(weight, format);
}

ttnn::Tensor preprocess_conv2d_bias(const HostTensor& bias, ttnn::DataType dtype) {
    constexpr std::string_view where = "preprocess_conv2d_bias";
    const DeviceFormat format{.dtype = dtype, .layout = Layout::ROW_MAJOR};
    check_format(where, format);
    check_rank(where, bias, 1, "[out]");
    return from_host(reshape(bias, {1, 1, 1, -1}), format);
}

HostTensor fuse_qkv(
    const HostTensor& query, const HostTensor& key, const HostTensor& value, QkvOrder order, std::int64_t num_heads) {
    constexpr std::string_view where = "fuse_qkv";
    const std::array<HostTensor, 3> parts{query, key, value};
    for (const HostTensor& part : parts) {
        if (part.shape.empty() || part.shape.size() > 2) {
            fail(where, "shape ", to_string(part.shape), " is neither [out, in] nor [out]");
        }
    }
    if (order == QkvOrder::Stacked) {
        return concat(parts, 0);
    }
    if (key.shape != query.shape || value.shape != query.shape) {
        fail(
            where, "query ", to_string(query.shape), ", key ", to_string(key.shape), " and value ",
            to_string(value.shape), " must be alike to be ordered by head");
    }
    if (num_heads <= 0 || query.shape[0] % num_heads != 0) {
        fail(where, num_heads, " heads do not divide the ", query.shape[0], " rows of ", to_string(query.shape));
    }
    // [out, in] as [heads, out / heads * in]: joined along the second dimension, each head's three parts are neighbours.
    std::vector<HostTensor> by_head;
    for (const HostTensor& part : parts) {
        by_head.push_back(reshape(part, {num_heads, -1}));
    }
    Shape shape = query.shape;
    shape[0] *= 3;
    return reshape(concat(by_head, 1), std::move(shape));
}

ttnn::MemoryConfig dram_width_sharded(std::int64_t rows, std::int64_t columns, const ttnn::MeshDevice& device) {
    if (rows <= 0 || columns <= 0 || rows % ttnn::TILE_SIZE != 0) {
        fail(
            "dram_width_sharded", "a matrix [", rows, ", ", columns, "] cannot be spread; rows are a multiple of ",
            ttnn::TILE_SIZE, ", columns above 0");
    }
    const auto banks = static_cast<std::int64_t>(device.num_dram_channels());
    const std::int64_t tiles = (columns + ttnn::TILE_SIZE - 1) / ttnn::TILE_SIZE;
    const std::int64_t tiles_a_bank = (tiles + banks - 1) / banks;
    // A narrow matrix leaves the last banks without a shard.
    const std::int64_t used = (tiles + tiles_a_bank - 1) / tiles_a_bank;
    const ttnn::CoreRange cores(ttnn::CoreCoord(0, 0), ttnn::CoreCoord(static_cast<std::size_t>(used - 1), 0));
    const tt::tt_metal::ShardSpec shards(
        ttnn::CoreRangeSet(cores),
        {static_cast<std::uint32_t>(rows), static_cast<std::uint32_t>(tiles_a_bank * ttnn::TILE_SIZE)});
    return ttnn::MemoryConfig(ttnn::TensorMemoryLayout::WIDTH_SHARDED, ttnn::BufferType::DRAM, shards);
}

}  // namespace zoo
