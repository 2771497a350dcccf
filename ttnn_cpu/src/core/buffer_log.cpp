// SPDX-License-Identifier: Apache-2.0
#include "core/buffer_log.hpp"

#include <atomic>
#include <mutex>
#include <unordered_map>

#include "core/recorder.hpp"

namespace ttnn_cpu::buffer_log {

namespace {

std::atomic<bool> any_logged = false;
std::mutex mutex;
std::unordered_map<const DeviceMemory*, std::vector<BufferChange>> logs;

}  // namespace

void start(const DeviceMemory& memory) {
    const std::lock_guard lock(mutex);
    logs[&memory].clear();
    any_logged.store(true, std::memory_order_relaxed);
}

std::vector<BufferChange> stop(const DeviceMemory& memory) {
    const std::lock_guard lock(mutex);
    const auto log = logs.find(&memory);
    if (log == logs.end()) {
        return {};
    }
    std::vector<BufferChange> records = std::move(log->second);
    logs.erase(log);
    any_logged.store(!logs.empty(), std::memory_order_relaxed);
    return records;
}

void add(
    const DeviceMemory& memory, tt::tt_metal::BufferType type, std::uint64_t address,
    const tt::tt_metal::TensorSpec* spec) {
    if (!any_logged.load(std::memory_order_relaxed)) {
        return;
    }
    const std::lock_guard lock(mutex);
    if (const auto log = logs.find(&memory); log != logs.end()) {
        BufferChange record{
            .call_id = ApiCall::current(),
            .after_call = last_call_begun(),
            .allocated = spec != nullptr,
            .type = type,
            .address = address,
            .spec = {}};
        if (spec != nullptr) {
            record.spec = *spec;
        }
        log->second.push_back(std::move(record));
    }
}

}  // namespace ttnn_cpu::buffer_log
