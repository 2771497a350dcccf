// SPDX-License-Identifier: Apache-2.0
#include <tt-metalium/distributed.hpp>
#include <tt-metalium/mesh_device.hpp>
#include <ttnn/core.hpp>
#include <ttnn/device.hpp>
#include <ttnn/events.hpp>
#include <ttnn/operations/trace.hpp>
#include <ttnn_cpu/execution.hpp>
#include <ttnn_cpu/records.hpp>

#include <cstdlib>
#include <mutex>

#include "core/device_impl.hpp"
#include "core/fatal.hpp"
#include "core/queue_of.hpp"
#include "kernels/parallel.hpp"
#include "kernels/simd.hpp"

namespace ttnn_cpu {

namespace {

DeviceOptions options_from_environment() {
    DeviceOptions options;
    if (const char* board = std::getenv("TTNN_CPU_BOARD")) {
        const std::string_view name = board;
        TT_FATAL(name == "n150" || name == "p150", "TTNN_CPU_BOARD is '{}'; it must be n150 or p150", name);
        options.board = name == "n150" ? Board::N150 : Board::P150;
    }
    if (const char* isa = std::getenv("TTNN_CPU_ISA")) {
        TT_FATAL(kernels::isa_named(isa), "TTNN_CPU_ISA is '{}'; it must be plain, avx2, avx512 or avx512_bf16", isa);
    }
    if (const char* numerics = std::getenv("TTNN_CPU_NUMERICS")) {
        const std::string_view name = numerics;
        TT_FATAL(name == "fast" || name == "wormhole", "TTNN_CPU_NUMERICS is '{}'; it must be fast or wormhole", name);
        options.numerics = name == "fast" ? Numerics::Fast : Numerics::Wormhole;
    }
    return options;
}

std::mutex options_mutex;
std::optional<DeviceOptions> chosen_options;

thread_local std::vector<ttnn::QueueId> queue_stack;

}  // namespace

bool embedded() { return true; }

void set_default_device_options(const DeviceOptions& options) {
    const std::lock_guard lock(options_mutex);
    chosen_options = options;
}

DeviceOptions default_device_options() {
    const std::lock_guard lock(options_mutex);
    return chosen_options ? *chosen_options : options_from_environment();
}

Numerics numerics(const tt::tt_metal::distributed::MeshDevice& device) { return device.impl().numerics(); }

void set_numerics(tt::tt_metal::distributed::MeshDevice& device, Numerics numerics) {
    device.impl().set_numerics(numerics);
}

void open_next_without_computing() { DeviceImpl::open_next_without_computing(); }

bool computes(const tt::tt_metal::distributed::MeshDevice& device) { return device.impl().computes(); }

std::vector<CommandRecord> take_commands(tt::tt_metal::distributed::MeshDevice& device) {
    return device.impl().take_commands();
}

void set_num_threads(std::size_t threads) { kernels::set_num_threads(threads); }

std::size_t num_threads() { return kernels::num_threads(); }

MemoryStatistics memory_statistics(const tt::tt_metal::distributed::MeshDevice& device) {
    return device.impl().statistics();
}

void reset_memory_peaks(tt::tt_metal::distributed::MeshDevice& device) { device.impl().reset_peaks(); }

void start_recording(tt::tt_metal::distributed::MeshDevice& device) {
    DeviceImpl& impl = device.impl();
    impl.recorder().start(impl.memory()->observe(&impl.recorder()));
}

Recording stop_recording(tt::tt_metal::distributed::MeshDevice& device) {
    device.impl().finish();
    device.impl().memory()->observe(nullptr);
    return device.impl().recorder().stop();
}

std::uint32_t queue_of(std::optional<ttnn::QueueId> cq_id) {
    return cq_id ? **cq_id : *ttnn::get_current_command_queue_id_for_thread();
}

}  // namespace ttnn_cpu

namespace tt::tt_metal::distributed {

MeshDevice::MeshDevice(std::unique_ptr<ttnn_cpu::DeviceImpl> impl) : impl_(std::move(impl)) {}

MeshDevice::~MeshDevice() { close(); }

std::shared_ptr<MeshDevice> MeshDevice::create_unit_mesh(
    int device_id, std::size_t l1_small_size, std::size_t trace_region_size, std::size_t num_command_queues) {
    TT_FATAL(device_id == 0, "Device id {} is out of range: the embedded provider has one device, 0", device_id);
    return std::make_shared<MeshDevice>(std::make_unique<ttnn_cpu::DeviceImpl>(
        ttnn_cpu::default_device_options(), l1_small_size, trace_region_size, num_command_queues));
}

tt::ARCH MeshDevice::arch() const { return impl_->board().arch; }
CoreCoord MeshDevice::compute_with_storage_grid_size() const { return impl_->board().grid; }
std::uint32_t MeshDevice::l1_size_per_core() const { return impl_->board().l1_size; }
std::uint64_t MeshDevice::dram_size_per_channel() const { return impl_->board().dram_bank_size; }
int MeshDevice::num_dram_channels() const { return static_cast<int>(impl_->board().dram_banks); }
int MeshDevice::get_clock_rate_mhz() const { return impl_->board().clock_mhz; }
std::uint8_t MeshDevice::num_hw_cqs() const { return static_cast<std::uint8_t>(impl_->queue_count()); }
void MeshDevice::enable_program_cache() { impl_->enable_program_cache(true); }
void MeshDevice::disable_and_clear_program_cache() { impl_->enable_program_cache(false); }
void MeshDevice::clear_program_cache() { impl_->clear_program_cache(); }
void MeshDevice::set_program_cache_misses_allowed(bool allowed) { impl_->allow_program_cache_misses(allowed); }
std::size_t MeshDevice::num_program_cache_entries() { return impl_->program_count(); }

MeshCommandQueue& MeshDevice::mesh_command_queue(std::optional<std::uint8_t> cq_id) const {
    return impl_->mesh_queue(cq_id ? *cq_id : *ttnn::get_current_command_queue_id_for_thread());
}

bool MeshDevice::is_initialized() const { return impl_->open(); }

bool MeshDevice::close() {
    impl_->close();
    return true;
}

void Synchronize(MeshDevice& device, ttsl::optional_reference<MeshCommandQueue> mesh_cq) {
    if (mesh_cq) {
        Finish(*mesh_cq);
    } else {
        device.impl().finish();
    }
}

void Finish(MeshCommandQueue& mesh_cq) { mesh_cq.impl().finish(); }

void EventSynchronize(const MeshEvent& event) { event.state()->wait(); }

bool EventQuery(const MeshEvent& event) { return event.state()->is_set(); }

}  // namespace tt::tt_metal::distributed

namespace ttnn {

using ttnn_cpu::queue_of;

namespace core {

QueueId get_current_command_queue_id_for_thread() {
    return ttnn_cpu::queue_stack.empty() ? QueueId(0) : ttnn_cpu::queue_stack.back();
}

void push_current_command_queue_id_for_thread(QueueId cq_id) { ttnn_cpu::queue_stack.push_back(cq_id); }

QueueId pop_current_command_queue_id_for_thread() {
    TT_FATAL(!ttnn_cpu::queue_stack.empty(), "No command queue id was pushed on this thread");
    const QueueId id = ttnn_cpu::queue_stack.back();
    ttnn_cpu::queue_stack.pop_back();
    return id;
}

ScopeGuard with_command_queue_id(QueueId cq_id) {
    push_current_command_queue_id_for_thread(cq_id);
    return ScopeGuard([] { pop_current_command_queue_id_for_thread(); });
}

}  // namespace core

namespace device {

std::shared_ptr<MeshDevice> open_mesh_device(
    int device_id, std::size_t l1_small_size, std::size_t trace_region_size, std::size_t num_command_queues) {
    return MeshDevice::create_unit_mesh(device_id, l1_small_size, trace_region_size, num_command_queues);
}

void close_device(MeshDevice& device) { device.close(); }

void enable_program_cache(IDevice& device) { device.enable_program_cache(); }

void disable_and_clear_program_cache(IDevice& device) { device.disable_and_clear_program_cache(); }

}  // namespace device

namespace events {

MeshEvent record_mesh_event(MeshDevice* mesh_device, std::optional<QueueId> cq_id) {
    const std::uint32_t queue_id = queue_of(cq_id);
    ttnn_cpu::DeviceImpl& impl = mesh_device->impl();
    impl.refuse_during_capture(queue_id, "Event Synchronization is not supported during trace capture.");
    static std::atomic<std::uint32_t> next_event_id = 1;
    auto state = std::make_shared<ttnn_cpu::EventState>();
    impl.queue(queue_id).enqueue([state] { state->set(); });
    return MeshEvent(next_event_id++, mesh_device, queue_id, std::move(state));
}

void wait_for_mesh_event(std::optional<QueueId> cq_id, const MeshEvent& event) {
    const std::uint32_t queue_id = queue_of(cq_id);
    ttnn_cpu::DeviceImpl& impl = event.device()->impl();
    impl.refuse_during_capture(queue_id, "Event Synchronization is not supported during trace capture.");
    impl.queue(queue_id).enqueue([state = event.state()] { state->wait(); });
}

void event_synchronize(const MeshEvent& event) { EventSynchronize(event); }

}  // namespace events

namespace operations::trace {

MeshTraceId begin_trace_capture(MeshDevice* device, std::optional<QueueId> cq_id) {
    return MeshTraceId(device->impl().begin_capture(queue_of(cq_id)));
}

void end_trace_capture(MeshDevice* device, MeshTraceId trace_id, std::optional<QueueId> cq_id) {
    device->impl().end_capture(*trace_id, queue_of(cq_id));
}

void execute_trace(MeshDevice* device, MeshTraceId trace_id, std::optional<QueueId> cq_id, bool blocking) {
    device->impl().replay(*trace_id, queue_of(cq_id), blocking);
}

void release_trace(MeshDevice* device, MeshTraceId trace_id) { device->impl().release_trace(*trace_id); }

}  // namespace operations::trace

}  // namespace ttnn
