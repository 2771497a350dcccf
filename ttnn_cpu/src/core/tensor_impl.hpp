// SPDX-License-Identifier: Apache-2.0
#pragma once

// What stands behind ttnn::Tensor.
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <tt-metalium/mesh_device.hpp>
#include <ttnn/tensor/tensor.hpp>

#include "core/buffer_impl.hpp"

namespace ttnn_cpu {

using HostStorage = std::vector<std::byte>;

// A tensor has host storage or a device buffer. Both hold the physical matrix row by row, whatever the layout: see
// docs/embedded_provider.md for the formats.
class TensorImpl {
public:
    TensorImpl(tt::tt_metal::TensorSpec spec, std::shared_ptr<HostStorage> host);
    TensorImpl(
        tt::tt_metal::TensorSpec spec, tt::tt_metal::distributed::MeshDevice* device,
        std::shared_ptr<tt::tt_metal::Buffer> buffer);

    const tt::tt_metal::TensorSpec& spec() const { return spec_; }
    const std::shared_ptr<HostStorage>& host() const { return host_; }
    const std::shared_ptr<tt::tt_metal::Buffer>& buffer() const { return buffer_; }
    // Null for a host tensor, and once the device is gone.
    tt::tt_metal::distributed::MeshDevice* device() const { return device_.lock().get(); }
    std::uint64_t id() const { return id_; }

    // The spec as JSON text: part of program keys, so it is kept.
    const std::string& spec_text() const { return spec_text_; }

private:
    tt::tt_metal::TensorSpec spec_;
    std::shared_ptr<HostStorage> host_;
    std::weak_ptr<tt::tt_metal::distributed::MeshDevice> device_;
    std::shared_ptr<tt::tt_metal::Buffer> buffer_;
    std::uint64_t id_;
    std::string spec_text_;
};

// A new device tensor with memory of its own and no defined content.
ttnn::Tensor make_device_tensor(const tt::tt_metal::TensorSpec& spec, tt::tt_metal::distributed::MeshDevice* device);
ttnn::Tensor make_host_tensor(const tt::tt_metal::TensorSpec& spec);

// The same memory under another spec of the same physical size.
ttnn::Tensor make_view(const ttnn::Tensor& tensor, const tt::tt_metal::TensorSpec& spec);

}  // namespace ttnn_cpu
