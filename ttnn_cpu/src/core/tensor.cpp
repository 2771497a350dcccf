// SPDX-License-Identifier: Apache-2.0
#include <ttnn/tensor/tensor.hpp>

#include <atomic>
#include <cstring>

#include <ttnn/operations/core/core.hpp>
#include <ttnn/tensor/tensor_ops.hpp>

#include "core/data_type.hpp"
#include "core/device_impl.hpp"
#include "core/fatal.hpp"
#include "core/host_codec.hpp"
#include "core/queue_of.hpp"
#include "core/tensor_impl.hpp"

namespace ttnn_cpu {

using tt::tt_metal::Buffer;
using tt::tt_metal::TensorSpec;
using tt::tt_metal::distributed::MeshDevice;
using ttnn::Tensor;

namespace {

std::uint64_t next_tensor_id() {
    static std::atomic<std::uint64_t> next = 1;
    return next++;
}

}  // namespace

TensorImpl::TensorImpl(TensorSpec spec, std::shared_ptr<HostStorage> host)
    : spec_(std::move(spec)), host_(std::move(host)), id_(next_tensor_id()) {}

TensorImpl::TensorImpl(TensorSpec spec, MeshDevice* device, std::shared_ptr<Buffer> buffer)
    : spec_(std::move(spec)),
      device_(device->weak_from_this()),
      buffer_(std::move(buffer)),
      id_(next_tensor_id()),
      spec_text_(JsonText().field("spec", spec_).str()) {}

Tensor make_device_tensor(const TensorSpec& spec, MeshDevice* device) {
    TT_FATAL(device != nullptr, "A device tensor needs a device; the pointer given is null");
    DeviceImpl& impl = device->impl();
    TT_FATAL(impl.open(), "The device is closed");
    auto buffer = std::make_shared<Buffer>(std::make_unique<BufferImpl>(impl.memory(), spec));
    return Tensor(std::make_shared<TensorImpl>(spec, device, std::move(buffer)));
}

Tensor make_host_tensor(const TensorSpec& spec) {
    return Tensor(
        std::make_shared<TensorImpl>(spec, std::make_shared<HostStorage>(spec.compute_packed_buffer_size_bytes())));
}

Tensor make_view(const Tensor& tensor, const TensorSpec& spec) {
    const TensorImpl& impl = tensor.impl();
    TT_FATAL(impl.buffer() == nullptr || impl.device() != nullptr, "The device of the tensor is gone");
    return impl.buffer() ? Tensor(std::make_shared<TensorImpl>(spec, impl.device(), impl.buffer()))
                         : Tensor(std::make_shared<TensorImpl>(spec, impl.host()));
}

}  // namespace ttnn_cpu

namespace ttnn {

using namespace tt::tt_metal;
using ttnn_cpu::DeviceImpl;
using ttnn_cpu::TensorImpl;
using ttnn_cpu::to_string;

template <typename T>
Tensor Tensor::from_span(
    ttsl::Span<const T> buffer, const TensorSpec& spec, distributed::MeshDevice* device, std::optional<QueueId> cq_id,
    T pad_value) {
    Tensor tensor = ttnn_cpu::make_host_tensor(spec);
    ttnn_cpu::encode(std::span<const T>(buffer), spec, pad_value, tensor.impl().host()->data());
    return device == nullptr ? tensor : tensor.to_device(device, spec.memory_config(), cq_id);
}

template <typename T>
std::vector<T> Tensor::to_vector(std::optional<QueueId> cq_id) const {
    const Tensor host = storage_type() == StorageType::HOST ? *this : cpu(true, cq_id);
    return ttnn_cpu::decode<T>(host.impl().host()->data(), host.tensor_spec());
}

#define TTNN_CPU_INSTANTIATE(T)                                                                       \
    template Tensor Tensor::from_span<T>(                                                             \
        ttsl::Span<const T>, const TensorSpec&, distributed::MeshDevice*, std::optional<QueueId>, T); \
    template std::vector<T> Tensor::to_vector<T>(std::optional<QueueId>) const;
TTNN_CPU_INSTANTIATE(float)
TTNN_CPU_INSTANTIATE(::bfloat16)
TTNN_CPU_INSTANTIATE(std::uint32_t)
TTNN_CPU_INSTANTIATE(std::int32_t)
TTNN_CPU_INSTANTIATE(std::uint16_t)
TTNN_CPU_INSTANTIATE(std::uint8_t)
#undef TTNN_CPU_INSTANTIATE

Tensor Tensor::to_device(
    distributed::MeshDevice* mesh_device, ttsl::optional_reference<const MemoryConfig> mem_config,
    std::optional<QueueId> cq_id) const {
    if (storage_type() == StorageType::DEVICE) {
        TT_FATAL(device() == mesh_device, "to_device: the tensor is already on another device");
        TT_FATAL(
            !mem_config || *mem_config == memory_config(),
            "to_device: the tensor is already on the device with another memory config ({}); use to_memory_config",
            to_string(memory_config()));
        return *this;
    }
    const MemoryConfig memory = mem_config ? *mem_config : memory_config();
    const TensorLayout layout = tensor_spec().tensor_layout();
    // A sharded row-major tensor is padded to its shards, so the rows may have to be laid out anew.
    const TensorSpec spec(logical_shape(), layout.with_memory_config(memory));
    TT_FATAL(
        spec.physical_shape() == tensor_spec().physical_shape(),
        "to_device: memory config {} gives a physical shape of {}x{}, but the host tensor has {}x{}", to_string(memory),
        spec.physical_shape().height(), spec.physical_shape().width(), tensor_spec().physical_shape().height(),
        tensor_spec().physical_shape().width());
    Tensor tensor = ttnn_cpu::make_device_tensor(spec, mesh_device);
    copy_to_device(*this, tensor, cq_id);
    return tensor;
}

Tensor Tensor::cpu(bool blocking, std::optional<QueueId> cq_id) const { return ttnn::cpu(*this, blocking, cq_id); }

Tensor Tensor::to_layout(Layout target_layout) const {
    TT_FATAL(
        storage_type() == StorageType::HOST,
        "Tensor::to_layout works on host tensors; use ttnn::to_layout on the device");
    if (layout() == target_layout) {
        return *this;
    }
    const bool to_rows = target_layout == Layout::ROW_MAJOR;
    Alignment alignment = tensor_spec().tensor_layout().get_alignment();
    if (to_rows) {
        alignment = Alignment(padded_shape().begin(), padded_shape().end());
    }
    const TensorSpec spec(
        logical_shape(),
        TensorLayout(dtype(), PageConfig(target_layout), to_rows ? MemoryConfig{} : memory_config(), alignment));
    TT_FATAL(
        spec.physical_shape() == tensor_spec().physical_shape(),
        "to_layout: Converting layout to {} implicitly changed physical shape from {}x{} to {}x{} due to alignment "
        "constraints; pad the tensor first, or use ttnn::to_layout",
        to_string(target_layout), tensor_spec().physical_shape().height(), tensor_spec().physical_shape().width(),
        spec.physical_shape().height(), spec.physical_shape().width());
    Tensor result = ttnn_cpu::make_host_tensor(spec);
    *result.impl().host() = *impl().host();
    return result;
}

void Tensor::deallocate(bool force) {
    if (impl_ == nullptr || impl_->buffer() == nullptr) {
        return;
    }
    const bool shared = impl_.use_count() > 1 || impl_->buffer().use_count() > 1;
    if (force || !shared) {
        impl_->buffer()->impl().free();
    }
}

Tensor Tensor::reshape(const Shape& new_shape) const {
    TT_FATAL(
        new_shape.volume() == logical_volume(),
        "Tensor::reshape: new shape {} has {} elements, the tensor of shape {} has {}", to_string(new_shape),
        new_shape.volume(), to_string(logical_shape()), logical_volume());
    const TensorSpec spec(new_shape, tensor_spec().tensor_layout());
    TT_FATAL(
        spec.physical_shape() == tensor_spec().physical_shape(),
        "Tensor::reshape: a view from {} to {} would change the physical shape from {}x{} to {}x{}; use ttnn::reshape",
        to_string(logical_shape()), to_string(new_shape), tensor_spec().physical_shape().height(),
        tensor_spec().physical_shape().width(), spec.physical_shape().height(), spec.physical_shape().width());
    return ttnn_cpu::make_view(*this, spec);
}

DataType Tensor::dtype() const { return tensor_spec().data_type(); }
Layout Tensor::layout() const { return tensor_spec().layout(); }
const Shape& Tensor::logical_shape() const { return tensor_spec().logical_shape(); }
const Shape& Tensor::padded_shape() const { return tensor_spec().padded_shape(); }
const TensorSpec& Tensor::tensor_spec() const { return impl_->spec(); }
std::uint64_t Tensor::logical_volume() const { return logical_shape().volume(); }
std::uint64_t Tensor::physical_volume() const {
    return tensor_spec().physical_shape().height() * tensor_spec().physical_shape().width();
}
const MemoryConfig& Tensor::memory_config() const { return tensor_spec().memory_config(); }
const std::optional<ShardSpec>& Tensor::shard_spec() const { return memory_config().shard_spec(); }
StorageType Tensor::storage_type() const { return impl_->buffer() ? StorageType::DEVICE : StorageType::HOST; }
bool Tensor::is_allocated() const {
    return impl_ != nullptr && (impl_->buffer() == nullptr || impl_->buffer()->is_allocated());
}
bool Tensor::is_sharded() const { return storage_type() == StorageType::DEVICE && memory_config().is_sharded(); }
std::uint32_t Tensor::element_size() const { return ttnn_cpu::element_size(dtype()); }
Buffer* Tensor::buffer() const {
    TT_FATAL(impl_->buffer() != nullptr, "Tensor::buffer: the tensor is on the host");
    return impl_->buffer().get();
}
distributed::MeshDevice* Tensor::device() const { return impl_ == nullptr ? nullptr : impl_->device(); }

Tensor allocate_tensor_on_host(const TensorSpec& tensor_spec, distributed::MeshDevice*) {
    return ttnn_cpu::make_host_tensor(tensor_spec);
}

Tensor create_device_tensor(const TensorSpec& tensor_spec, distributed::MeshDevice* mesh_device) {
    return ttnn_cpu::make_device_tensor(tensor_spec, mesh_device);
}

namespace {

void check_transfer(const Tensor& host, const Tensor& on_device, const char* what) {
    TT_FATAL(host.storage_type() == StorageType::HOST, "{}: the host tensor given is on a device", what);
    TT_FATAL(on_device.storage_type() == StorageType::DEVICE, "{}: the device tensor given is on the host", what);
    TT_FATAL(on_device.is_allocated(), "{}: the device tensor is not allocated", what);
    TT_FATAL(on_device.device() != nullptr, "{}: the device of the tensor is gone", what);
    TT_FATAL(
        host.logical_shape() == on_device.logical_shape(),
        "{}: host tensor has different shape {} than the device tensor {}", what, to_string(host.logical_shape()),
        to_string(on_device.logical_shape()));
    TT_FATAL(
        host.dtype() == on_device.dtype(), "{}: host tensor has different dtype {} than the device tensor {}", what,
        to_string(host.dtype()), to_string(on_device.dtype()));
    TT_FATAL(
        host.layout() == on_device.layout(), "{}: host tensor has different page config {} than the device tensor {}",
        what, to_string(host.layout()), to_string(on_device.layout()));
    TT_FATAL(
        host.tensor_spec().physical_shape() == on_device.tensor_spec().physical_shape(),
        "{}: host and device tensor of shape {} are padded differently", what, to_string(host.logical_shape()));
}

}  // namespace

void copy_to_device(const Tensor& host_tensor, Tensor& device_tensor, std::optional<QueueId> cq_id) {
    check_transfer(host_tensor, device_tensor, "copy_to_device");
    DeviceImpl& device = device_tensor.device()->impl();
    const std::uint32_t queue_id = ttnn_cpu::queue_of(cq_id);
    device.refuse_during_capture(queue_id, "Writes are not supported during trace capture.");
    const auto& buffer = device_tensor.impl().buffer()->impl();
    const auto& host = host_tensor.impl().host();
    device.enqueue(
        queue_id, {.what = ttnn_cpu::CommandRecord::What::Write, .bytes = host->size()},
        [host, data = buffer.data(), packed = buffer.packed()] {
            std::memcpy(data, host->data(), host->size());
            packed->host_wrote();
        });
}

void copy_to_host(const Tensor& device_tensor, Tensor& host_tensor, bool blocking, std::optional<QueueId> cq_id) {
    check_transfer(host_tensor, device_tensor, "copy_to_host");
    DeviceImpl& device = device_tensor.device()->impl();
    const std::uint32_t queue_id = ttnn_cpu::queue_of(cq_id);
    device.refuse_during_capture(queue_id, "Reads are not supported during trace capture.");
    const auto& host = host_tensor.impl().host();
    device.enqueue(
        queue_id, {.what = ttnn_cpu::CommandRecord::What::Read, .bytes = host->size()},
        [host, data = device_tensor.impl().buffer()->impl().data()] { std::memcpy(host->data(), data, host->size()); });
    if (blocking) {
        device.queue(queue_id).finish();
    }
}

Tensor cpu(const Tensor& input_tensor, bool blocking, std::optional<QueueId> cq_id) {
    if (input_tensor.storage_type() == StorageType::HOST) {
        return input_tensor;
    }
    TT_FATAL(input_tensor.is_allocated(), "Tensor::cpu: the device tensor is not allocated");
    Tensor host = ttnn_cpu::make_host_tensor(input_tensor.tensor_spec());
    copy_to_host(input_tensor, host, blocking, cq_id);
    return host;
}

Tensor to_dtype(const Tensor& tensor, DataType dtype) {
    TT_FATAL(
        tensor.storage_type() == StorageType::HOST,
        "to_dtype(...) function only supports host tensors! Use ttnn::typecast on the device");
    TT_FATAL(
        is_floating_point(tensor.dtype()) && is_floating_point(dtype),
        "to_dtype: from {} to {}; both must be floating-point types", to_string(tensor.dtype()), to_string(dtype));
    if (tensor.dtype() == dtype) {
        return tensor;
    }
    return Tensor::from_vector(
        tensor.to_vector<float>(),
        TensorSpec(tensor.logical_shape(), TensorLayout(dtype, PageConfig(tensor.layout()), tensor.memory_config())));
}

namespace operations::core {

Tensor unsqueeze_to_4D(const Tensor& tensor) {
    return tensor.logical_shape().rank() == 4 ? tensor : tensor.reshape(tensor.logical_shape().to_rank(4));
}

Tensor squeeze_from_4D(const Tensor& tensor, int rank) {
    return tensor.reshape(tensor.logical_shape().to_rank(static_cast<std::size_t>(rank)));
}

Tensor to_device(
    const Tensor& tensor, MeshDevice* mesh_device, const std::optional<MemoryConfig>& memory_config,
    std::optional<QueueId> queue_id) {
    return tensor.to_device(mesh_device, memory_config.value_or(DRAM_MEMORY_CONFIG), queue_id);
}

Tensor from_device(const Tensor& tensor, bool blocking, std::optional<QueueId> queue_id) {
    return tensor.cpu(blocking, queue_id);
}

void deallocate(Tensor& tensor, bool force) { tensor.deallocate(force); }

}  // namespace operations::core

}  // namespace ttnn
