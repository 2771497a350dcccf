// SPDX-License-Identifier: Apache-2.0
#pragma once

// What stands behind tt::tt_metal::Buffer.
#include <atomic>
#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>

#include <tt-metalium/buffer.hpp>
#include <tt-metalium/tensor/spec/tensor_spec.hpp>

#include "core/device_memory.hpp"

namespace ttnn_cpu {

// Forms of a buffer's content that a kernel prepared once to be quick later, such as weights laid out for a matmul. Only
// content that the host wrote is kept: what an op wrote will change with the next run.
class PackedForms {
public:
    // Both are called when the write happens, in queue order.
    void host_wrote();
    void device_wrote();

    // True when content may be packed, that is when the host wrote it.
    bool constant() const { return constant_.load(std::memory_order_acquire); }

    // The form called `key`, made by `make` when it is not there yet.
    std::shared_ptr<const void> get(const std::string& key, const std::function<std::shared_ptr<const void>()>& make);

    // Buffers with memory that have these forms: one, or none once it is freed.
    void hold() { holders_.fetch_add(1, std::memory_order_relaxed); }
    void let_go() { holders_.fetch_sub(1, std::memory_order_relaxed); }
    bool held() const { return holders_.load(std::memory_order_relaxed) > 0; }

private:
    std::atomic<int> holders_ = 0;
    std::atomic<bool> constant_ = false;
    std::mutex mutex_;
    std::unordered_map<std::string, std::shared_ptr<const void>> forms_;
};

// What a kernel gets of a tensor; shapes and formats it learnt when its program was made.
struct BufferRef {
    std::byte* data = nullptr;
    PackedForms* packed = nullptr;  // one for each content that a place was taken for
    std::size_t bytes = 0;

    template <typename T>
    T* as() const {
        return reinterpret_cast<T*>(data);
    }
};

class BufferImpl {
public:
    BufferImpl(std::shared_ptr<DeviceMemory> memory, const tt::tt_metal::TensorSpec& spec);
    ~BufferImpl();
    BufferImpl(const BufferImpl&) = delete;
    BufferImpl& operator=(const BufferImpl&) = delete;

    void free();

    bool allocated() const { return allocated_; }
    std::uint64_t address() const { return address_; }
    std::uint64_t size() const { return size_; }
    std::uint64_t page_size() const { return page_size_; }
    tt::tt_metal::BufferType type() const { return type_; }
    std::byte* data() const { return data_; }
    const std::shared_ptr<PackedForms>& packed() const { return packed_; }
    // For a buffer in the place of one that was freed, whose content it goes on with.
    void continue_forms(std::shared_ptr<PackedForms> forms);

private:
    std::shared_ptr<DeviceMemory> memory_;
    tt::tt_metal::BufferType type_;
    std::uint64_t address_;
    std::uint64_t size_;
    std::uint64_t page_size_;
    std::byte* data_;
    std::atomic<bool> allocated_ = true;
    std::shared_ptr<PackedForms> packed_ = std::make_shared<PackedForms>();
};

}  // namespace ttnn_cpu
