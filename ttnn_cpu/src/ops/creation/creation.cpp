// SPDX-License-Identifier: Apache-2.0
#include <ttnn/operations/creation/creation.hpp>

#include <cstdlib>

#include "core/describe.hpp"
#include "core/fatal.hpp"

namespace ttnn {

using tt::tt_metal::PageConfig;
using tt::tt_metal::TensorLayout;
using tt::tt_metal::TensorSpec;
using ttnn_cpu::to_string;

namespace {

using DeviceReference = std::optional<std::reference_wrapper<MeshDevice>>;

MeshDevice* pointer(const DeviceReference& device) { return device ? &device->get() : nullptr; }

template <typename T>
Tensor filled_host(const TensorSpec& spec, T value) {
    return Tensor::from_vector(
        std::vector<T>(spec.logical_shape().volume(), value), spec, nullptr, std::nullopt, value);
}

Tensor filled(
    const Shape& shape, double value, const std::optional<DataType>& dtype, const std::optional<Layout>& layout,
    MeshDevice* device, const std::optional<MemoryConfig>& memory, const std::optional<Tensor>& output) {
    const DataType type = output ? output->dtype() : dtype.value_or(DataType::BFLOAT16);
    const bool block = is_block_float(type);
    const Layout pages = output ? output->layout() : layout.value_or(block ? Layout::TILE : Layout::ROW_MAJOR);
    const MemoryConfig target = output ? output->memory_config() : memory.value_or(DRAM_MEMORY_CONFIG);
    const TensorSpec spec(output ? output->logical_shape() : shape, TensorLayout(type, PageConfig(pages), target));
    Tensor host;
    switch (type) {
        case DataType::UINT8:
            host = filled_host(spec, static_cast<std::uint8_t>(value));
            break;
        case DataType::UINT16:
            host = filled_host(spec, static_cast<std::uint16_t>(value));
            break;
        case DataType::UINT32:
            host = filled_host(spec, static_cast<std::uint32_t>(value));
            break;
        case DataType::INT32:
            host = filled_host(spec, static_cast<std::int32_t>(value));
            break;
        case DataType::FLOAT32:
        case DataType::BFLOAT16:
            host = filled_host(spec, static_cast<float>(value));
            break;
        default:
            host =
                Tensor::from_vector(std::vector<float>(spec.logical_shape().volume(), static_cast<float>(value)), spec);
            break;
    }
    if (output) {
        Tensor written = *output;
        copy_to_device(host, written);
        return written;
    }
    return device == nullptr ? host : host.to_device(device, target);
}

Tensor filled_like(
    const Tensor& tensor, double value, const std::optional<DataType>& dtype, const std::optional<Layout>& layout,
    const DeviceReference& device, const std::optional<MemoryConfig>& memory, const std::optional<Tensor>& output) {
    const bool on_device = tensor.storage_type() == StorageType::DEVICE;
    return filled(
        tensor.logical_shape(), value, dtype.value_or(tensor.dtype()), layout.value_or(tensor.layout()),
        device ? &device->get() : tensor.device(),
        memory      ? memory
        : on_device ? std::optional(tensor.memory_config())
                    : std::nullopt,
        output);
}

template <typename T>
Tensor counted(
    std::int64_t start, std::int64_t stop, std::int64_t step, DataType dtype, const DeviceReference& device,
    const MemoryConfig& memory, Layout layout) {
    std::vector<T> values;
    for (std::int64_t value = start; step > 0 ? value < stop : value > stop; value += step) {
        values.push_back(static_cast<T>(value));
    }
    const TensorSpec spec(
        Shape{static_cast<std::uint32_t>(values.size())}, TensorLayout(dtype, PageConfig(layout), memory));
    return Tensor::from_vector(values, spec, pointer(device));
}

}  // namespace

Tensor zeros(
    const Shape& shape, const std::optional<DataType>& dtype, const std::optional<Layout>& layout,
    DeviceReference device, const std::optional<MemoryConfig>& memory_config) {
    return filled(shape, 0.0, dtype, layout, pointer(device), memory_config, std::nullopt);
}

Tensor ones(
    const Shape& shape, const std::optional<DataType>& dtype, const std::optional<Layout>& layout,
    DeviceReference device, const std::optional<MemoryConfig>& memory_config) {
    return filled(shape, 1.0, dtype, layout, pointer(device), memory_config, std::nullopt);
}

template <typename FillValueType>
requires std::is_same_v<FillValueType, int> or std::is_same_v<FillValueType, float> Tensor full(
    const Shape& shape, FillValueType fill_value, const std::optional<DataType>& dtype,
    const std::optional<Layout>& layout, DeviceReference device, const std::optional<MemoryConfig>& memory_config,
    const std::optional<Tensor>& optional_output_tensor) {
    return filled(shape, fill_value, dtype, layout, pointer(device), memory_config, optional_output_tensor);
}

Tensor empty(
    const Shape& shape, const DataType& dtype, const Layout& layout, MeshDevice* device,
    const MemoryConfig& memory_config) {
    return create_device_tensor(TensorSpec(shape, TensorLayout(dtype, PageConfig(layout), memory_config)), device);
}

template <typename BufferType>
Tensor from_buffer(
    const std::vector<BufferType>& buffer, const Shape& shape, DataType dtype, MeshDevice* device,
    const std::optional<Layout>& layout, const std::optional<MemoryConfig>& memory_config) {
    TT_FATAL(!is_block_float(dtype), "from_buffer: Unsupported DataType {}", to_string(dtype));
    return Tensor::from_vector(
        buffer,
        TensorSpec(
            shape, TensorLayout(
                       dtype, PageConfig(layout.value_or(Layout::ROW_MAJOR)), memory_config.value_or(MemoryConfig()))),
        device);
}

template <typename BufferType>
Tensor from_buffer(
    std::vector<BufferType>&& buffer, const Shape& shape, DataType dtype, MeshDevice* device,
    const std::optional<Layout>& layout, const std::optional<MemoryConfig>& memory_config) {
    const std::vector<BufferType>& values = buffer;
    return from_buffer(values, shape, dtype, device, layout, memory_config);
}

template <typename FillValueType>
requires std::is_same_v<FillValueType, int> or std::is_same_v<FillValueType, float> Tensor full_like(
    const Tensor& tensor, FillValueType fill_value, const std::optional<DataType>& dtype,
    const std::optional<Layout>& layout, DeviceReference device, const std::optional<MemoryConfig>& memory_config,
    const std::optional<Tensor>& optional_output_tensor) {
    return filled_like(tensor, fill_value, dtype, layout, device, memory_config, optional_output_tensor);
}

#define TTNN_CPU_INSTANTIATE(T)                                                                          \
    template Tensor full<T>(                                                                             \
        const Shape&, T, const std::optional<DataType>&, const std::optional<Layout>&, DeviceReference,  \
        const std::optional<MemoryConfig>&, const std::optional<Tensor>&);                               \
    template Tensor full_like<T>(                                                                        \
        const Tensor&, T, const std::optional<DataType>&, const std::optional<Layout>&, DeviceReference, \
        const std::optional<MemoryConfig>&, const std::optional<Tensor>&);
TTNN_CPU_INSTANTIATE(int)
TTNN_CPU_INSTANTIATE(float)
#undef TTNN_CPU_INSTANTIATE

#define TTNN_CPU_INSTANTIATE(T)                                                                   \
    template Tensor from_buffer<T>(                                                               \
        const std::vector<T>&, const Shape&, DataType, MeshDevice*, const std::optional<Layout>&, \
        const std::optional<MemoryConfig>&);                                                      \
    template Tensor from_buffer<T>(                                                               \
        std::vector<T>&&, const Shape&, DataType, MeshDevice*, const std::optional<Layout>&,      \
        const std::optional<MemoryConfig>&);
TTNN_CPU_INSTANTIATE(float)
TTNN_CPU_INSTANTIATE(::bfloat16)
TTNN_CPU_INSTANTIATE(std::uint32_t)
TTNN_CPU_INSTANTIATE(std::int32_t)
TTNN_CPU_INSTANTIATE(std::uint16_t)
TTNN_CPU_INSTANTIATE(std::uint8_t)
#undef TTNN_CPU_INSTANTIATE

Tensor zeros_like(
    const Tensor& tensor, const std::optional<DataType>& dtype, const std::optional<Layout>& layout,
    DeviceReference device, const std::optional<MemoryConfig>& memory_config,
    const std::optional<Tensor>& optional_output_tensor) {
    return filled_like(tensor, 0.0, dtype, layout, device, memory_config, optional_output_tensor);
}

Tensor ones_like(
    const Tensor& tensor, const std::optional<DataType>& dtype, const std::optional<Layout>& layout,
    DeviceReference device, const std::optional<MemoryConfig>& memory_config,
    const std::optional<Tensor>& optional_output_tensor) {
    return filled_like(tensor, 1.0, dtype, layout, device, memory_config, optional_output_tensor);
}

Tensor empty_like(
    const Tensor& tensor, const std::optional<DataType>& dtype, const std::optional<Layout>& layout,
    DeviceReference device, const std::optional<MemoryConfig>& memory_config) {
    return empty(
        tensor.logical_shape(), dtype.value_or(tensor.dtype()), layout.value_or(tensor.layout()),
        device ? &device->get() : tensor.device(), memory_config.value_or(tensor.memory_config()));
}

Tensor arange(
    int64_t start, int64_t stop, int64_t step, DataType dtype, DeviceReference device,
    const MemoryConfig& memory_config, Layout layout) {
    TT_FATAL(step != 0, "arange: Step must be nonzero");
    TT_FATAL(
        (step > 0 && start <= stop) || (step < 0 && start >= stop),
        "arange: Invalid range: Step direction ({}) does not match range bounds ({}, {})", step, start, stop);
    switch (dtype) {
        case DataType::BFLOAT16:
        case DataType::FLOAT32:
            return counted<float>(start, stop, step, dtype, device, memory_config, layout);
        case DataType::UINT16:
            return counted<std::uint16_t>(start, stop, step, dtype, device, memory_config, layout);
        case DataType::UINT32:
            return counted<std::uint32_t>(start, stop, step, dtype, device, memory_config, layout);
        case DataType::INT32:
            return counted<std::int32_t>(start, stop, step, dtype, device, memory_config, layout);
        default:
            TT_THROW("arange: Unsupported dtype {}", to_string(dtype));
    }
}

Tensor arange(int64_t stop, DataType dtype, DeviceReference device, const MemoryConfig& memory_config, Layout layout) {
    return arange(0, stop, 1, dtype, device, memory_config, layout);
}

}  // namespace ttnn
