// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <iosfwd>
#include <memory>
#include <optional>
#include <vector>

#include <tt-metalium/bfloat16.hpp>
#include <tt-metalium/buffer.hpp>
#include <tt-metalium/tile.hpp>
#include <tt_stl/optional_reference.hpp>
#include <tt_stl/span.hpp>

#include "ttnn/common/queue_id.hpp"
#include "ttnn/tensor/tensor_spec.hpp"
#include "ttnn/tensor/types.hpp"

namespace tt::tt_metal::distributed {
class MeshDevice;
}

namespace ttnn_cpu {
class TensorImpl;
}

namespace ttnn {

// A shared handle to a tensor on the host or on a device. Copies share storage; device memory goes back to the allocator
// with the last of them, or earlier by deallocate. A default-constructed handle is empty and only good to be assigned.
class Tensor {
public:
    [[nodiscard]] explicit Tensor() = default;
    [[nodiscard]] explicit Tensor(std::shared_ptr<ttnn_cpu::TensorImpl> impl) : impl_(std::move(impl)) {}

    // `buffer` holds the logical elements in row-major order, as many as the shape has. T is float for FLOAT32, BFLOAT16,
    // BFLOAT8_B and BFLOAT4_B; bfloat16 for BFLOAT16; else the integer of the data type. Padding is filled with pad_value.
    template <typename T>
    [[nodiscard]] static Tensor from_span(
        ttsl::Span<const T> buffer, const tt::tt_metal::TensorSpec& spec,
        tt::tt_metal::distributed::MeshDevice* device = nullptr, std::optional<QueueId> cq_id = std::nullopt,
        T pad_value = 0);

    template <typename T>
    [[nodiscard]] static Tensor from_vector(
        const std::vector<T>& buffer, const tt::tt_metal::TensorSpec& spec,
        tt::tt_metal::distributed::MeshDevice* device = nullptr, std::optional<QueueId> cq_id = std::nullopt,
        T pad_value = 0) {
        return from_span(ttsl::Span<const T>(buffer), spec, device, cq_id, pad_value);
    }

    // The logical elements in row-major order, without padding; brings a device tensor back first.
    template <typename T>
    [[nodiscard]] std::vector<T> to_vector(std::optional<QueueId> cq_id = std::nullopt) const;

    [[nodiscard]] Tensor to_device(
        tt::tt_metal::distributed::MeshDevice* mesh_device,
        ttsl::optional_reference<const tt::tt_metal::MemoryConfig> mem_config = std::nullopt,
        std::optional<QueueId> cq_id = std::nullopt) const;
    [[nodiscard]] Tensor cpu(bool blocking = true, std::optional<QueueId> cq_id = std::nullopt) const;
    // Host tensors only.
    [[nodiscard]] Tensor to_layout(tt::tt_metal::Layout target_layout) const;

    // Frees device memory. Without `force` nothing happens while another handle shares it.
    void deallocate(bool force = false);

    // A view with another shape on the same memory; the physical shape must stay.
    [[nodiscard]] Tensor reshape(const tt::tt_metal::Shape& new_shape) const;

    tt::tt_metal::DataType dtype() const;
    tt::tt_metal::Layout layout() const;
    const tt::tt_metal::Shape& logical_shape() const;
    const tt::tt_metal::Shape& padded_shape() const;
    const tt::tt_metal::TensorSpec& tensor_spec() const;
    std::uint64_t logical_volume() const;
    std::uint64_t physical_volume() const;
    const tt::tt_metal::MemoryConfig& memory_config() const;
    const std::optional<tt::tt_metal::ShardSpec>& shard_spec() const;

    StorageType storage_type() const;
    bool is_allocated() const;
    bool is_sharded() const;
    std::uint32_t element_size() const;
    tt::tt_metal::Buffer* buffer() const;
    // Null for a host tensor.
    tt::tt_metal::distributed::MeshDevice* device() const;

    ttnn_cpu::TensorImpl& impl() const { return *impl_; }
    const std::shared_ptr<ttnn_cpu::TensorImpl>& shared_impl() const { return impl_; }

private:
    std::shared_ptr<ttnn_cpu::TensorImpl> impl_;
};

}  // namespace ttnn
