// SPDX-License-Identifier: Apache-2.0
#include "core/buffer_impl.hpp"

#include <utility>

namespace ttnn_cpu {

void PackedForms::host_wrote() {
    const std::lock_guard lock(mutex_);
    forms_.clear();
    constant_.store(true, std::memory_order_release);
}

void PackedForms::device_wrote() {
    if (constant()) {
        const std::lock_guard lock(mutex_);
        forms_.clear();
        constant_.store(false, std::memory_order_release);
    }
}

std::shared_ptr<const void> PackedForms::get(
    const std::string& key, const std::function<std::shared_ptr<const void>()>& make) {
    const std::lock_guard lock(mutex_);
    std::shared_ptr<const void>& form = forms_[key];
    if (!form) {
        form = make();
    }
    return form;
}

BufferImpl::BufferImpl(std::shared_ptr<DeviceMemory> memory, const tt::tt_metal::TensorSpec& spec)
    : memory_(std::move(memory)),
      type_(spec.memory_config().buffer_type()),
      address_(memory_->allocate(spec)),
      size_(spec.compute_packed_buffer_size_bytes()),
      page_size_(spec.compute_page_size_bytes()),
      data_(memory_->host_pointer(type_, address_)) {
    packed_->hold();
}

BufferImpl::~BufferImpl() { free(); }

void BufferImpl::free() {
    if (allocated_.exchange(false)) {
        packed_->let_go();
        memory_->free(type_, address_);
    }
}

void BufferImpl::continue_forms(std::shared_ptr<PackedForms> forms) {
    packed_->let_go();
    packed_ = std::move(forms);
    packed_->hold();
}

}  // namespace ttnn_cpu

namespace tt::tt_metal {

Buffer::Buffer(std::unique_ptr<ttnn_cpu::BufferImpl> impl) : impl_(std::move(impl)) {}
Buffer::~Buffer() = default;
DeviceAddr Buffer::address() const { return impl_->address(); }
DeviceAddr Buffer::size() const { return impl_->size(); }
DeviceAddr Buffer::page_size() const { return impl_->page_size(); }
std::uint32_t Buffer::num_pages() const {
    return static_cast<std::uint32_t>((impl_->size() + impl_->page_size() - 1) / impl_->page_size());
}
BufferType Buffer::buffer_type() const { return impl_->type(); }
bool Buffer::is_allocated() const { return impl_->allocated(); }

}  // namespace tt::tt_metal
