// SPDX-License-Identifier: Apache-2.0
#include "core/device_impl.hpp"

#include <algorithm>

#include "core/fatal.hpp"
#include "core/skip_copies.hpp"

namespace ttnn_cpu {

namespace {

constexpr std::size_t kMaxQueues = 2;

// The size of an op's dispatch commands in a trace: an estimate of what a card's trace buffer takes.
std::uint64_t trace_bytes(const Command& command) { return 1024 + 128ull * command.program->core_count; }

}  // namespace

void Command::run() const {
    if (!compute || skipped) {
        return;
    }
    for (const BufferRef& output : outputs) {
        if (output.packed != nullptr) {
            output.packed->device_wrote();
        }
    }
    program->kernel(inputs, outputs);
}

void Command::run_recorded(Recorder& recorder, std::uint32_t trace_id) const {
    const std::uint64_t start = now_ns();
    run();
    recorder.add_run({.op = record, .trace_id = trace_id, .start_ns = start, .end_ns = now_ns()});
}

DeviceImpl::DeviceImpl(
    const DeviceOptions& options, std::size_t l1_small_size, std::size_t trace_region_size, std::size_t queues)
    : board_(board_spec(options.board)), numerics_(options.numerics) {
    TT_FATAL(queues >= 1 && queues <= kMaxQueues, "num_command_queues is {}; a device has 1 or {}", queues, kMaxQueues);
    memory_ = std::make_shared<DeviceMemory>(board_, l1_small_size, trace_region_size);
    mesh_queues_.reserve(queues);
    for (std::size_t id = 0; id < queues; ++id) {
        queues_.push_back(std::make_unique<CommandQueue>());
        mesh_queues_.emplace_back(static_cast<std::uint32_t>(id), *queues_.back());
    }
}

DeviceImpl::~DeviceImpl() {
    queues_.clear();
    memory_->observe(nullptr);  // buffers may outlive the device
}

CommandQueue& DeviceImpl::queue(std::uint32_t id) {
    TT_FATAL(open_, "The device is closed");
    TT_FATAL(
        id < queues_.size(), "Command queue id {} is out of range: the device was opened with num_command_queues={}",
        id, queues_.size());
    return *queues_[id];
}

tt::tt_metal::distributed::MeshCommandQueue& DeviceImpl::mesh_queue(std::uint32_t id) {
    queue(id);
    return mesh_queues_[id];
}

void DeviceImpl::finish() {
    for (const auto& queue : queues_) {
        queue->finish();
    }
}

void DeviceImpl::close() {
    if (open_) {
        finish();
        const std::lock_guard lock(mutex_);
        traces_.clear();
        programs_.clear();
        open_ = false;
    }
}

void DeviceImpl::enqueue(std::uint32_t queue_id, CommandRecord record, std::function<void()> command) {
    CommandQueue& target = queue(queue_id);
    if (!recorder_.on()) {
        target.enqueue(std::move(command));
        return;
    }
    record.queue = queue_id;
    record.host_ns = now_ns();
    target.enqueue([this, record, command = std::move(command)]() mutable {
        record.start_ns = now_ns();
        command();
        record.end_ns = now_ns();
        const std::lock_guard lock(mutex_);
        commands_.push_back(record);
    });
}

std::vector<CommandRecord> DeviceImpl::take_commands() {
    finish();
    const std::lock_guard lock(mutex_);
    return std::exchange(commands_, {});
}

void DeviceImpl::issue(std::uint32_t queue_id, Command command) {
    CommandQueue& target = queue(queue_id);
    {
        const std::lock_guard lock(mutex_);
        if (const std::uint32_t trace_id = capturing_[queue_id]) {
            Trace& trace = *traces_.at(trace_id);
            trace.bytes += trace_bytes(command);
            trace.commands.push_back(std::move(command));
            return;
        }
    }
    if (command.record != nullptr) {
        target.enqueue([this, command = std::move(command)] { command.run_recorded(recorder_, 0); });
    } else {
        target.enqueue([command = std::move(command)] { command.run(); });
    }
}

bool DeviceImpl::capturing(std::uint32_t queue_id) {
    queue(queue_id);
    const std::lock_guard lock(mutex_);
    return capturing_[queue_id] != 0;
}

void DeviceImpl::refuse_during_capture(std::uint32_t queue_id, const char* message) {
    queue(queue_id);
    const std::lock_guard lock(mutex_);
    TT_FATAL(capturing_[queue_id] == 0, "{}", message);
}

std::uint32_t DeviceImpl::begin_capture(std::uint32_t queue_id) {
    queue(queue_id);
    const std::lock_guard lock(mutex_);
    TT_FATAL(
        capturing_[queue_id] == 0, "begin_trace_capture: queue {} is already capturing trace {}; end it first",
        queue_id, capturing_[queue_id]);
    const std::uint32_t id = next_trace_id_++;
    auto trace = std::make_shared<Trace>();
    trace->queue = queue_id;
    traces_.emplace(id, std::move(trace));
    capturing_[queue_id] = id;
    return id;
}

void DeviceImpl::end_capture(std::uint32_t trace_id, std::uint32_t queue_id) {
    queue(queue_id);
    const std::lock_guard lock(mutex_);
    TT_FATAL(
        capturing_[queue_id] == trace_id && trace_id != 0,
        "end_trace_capture: trace {} is not being captured on queue {}", trace_id, queue_id);
    capturing_[queue_id] = 0;
    const auto found = traces_.find(trace_id);
    try {
        memory_->reserve_trace(found->second->bytes);
    } catch (...) {
        traces_.erase(found);
        throw;
    }
    skip_copies(found->second->commands);
    found->second->complete = true;
}

void DeviceImpl::replay(std::uint32_t trace_id, std::uint32_t queue_id, bool blocking) {
    CommandQueue& target = queue(queue_id);
    std::shared_ptr<const Trace> trace;
    {
        const std::lock_guard lock(mutex_);
        const auto found = traces_.find(trace_id);
        TT_FATAL(found != traces_.end(), "Trace instance {} is not present on device", trace_id);
        TT_FATAL(
            found->second->complete, "Trace {} is still being captured; end the capture before it is executed",
            trace_id);
        TT_FATAL(
            capturing_[queue_id] == 0, "Cannot execute trace {} on queue {} while the queue is capturing", trace_id,
            queue_id);
        trace = found->second;
    }
    const bool record = recorder_.on();
    enqueue(queue_id, {.what = CommandRecord::What::Replay, .trace_id = trace_id}, [this, trace, trace_id, record] {
        for (const Command& command : trace->commands) {
            record ? command.run_recorded(recorder_, trace_id) : command.run();
        }
    });
    if (blocking) {
        target.finish();
    }
}

void DeviceImpl::release_trace(std::uint32_t trace_id) {
    const std::lock_guard lock(mutex_);
    const auto found = traces_.find(trace_id);
    if (found == traces_.end()) {
        return;
    }
    TT_FATAL(
        found->second->complete, "Trace {} is still being captured; end the capture before it is released", trace_id);
    memory_->release_trace(found->second->bytes);
    traces_.erase(found);
}

std::shared_ptr<const Program> DeviceImpl::find_program(const std::string& key) {
    const std::lock_guard lock(mutex_);
    const auto found = programs_.find(key);
    return found == programs_.end() ? nullptr : found->second;
}

void DeviceImpl::keep_program(const std::string& key, std::shared_ptr<const Program> program, std::string_view op) {
    const std::lock_guard lock(mutex_);
    TT_FATAL(
        misses_allowed_, "Device operation \"{}\": program cache miss occurred, but cache misses are forbidden", op);
    if (cache_enabled_) {
        programs_.emplace(key, std::move(program));
    }
}

void DeviceImpl::enable_program_cache(bool enabled) {
    const std::lock_guard lock(mutex_);
    cache_enabled_ = enabled;
    if (!enabled) {
        programs_.clear();
    }
}

void DeviceImpl::clear_program_cache() {
    const std::lock_guard lock(mutex_);
    programs_.clear();
}

std::size_t DeviceImpl::program_count() {
    const std::lock_guard lock(mutex_);
    return programs_.size();
}

void DeviceImpl::check_circular_buffers(std::string_view op, const Program& program) {
    using tt::tt_metal::BufferType;
    const std::uint64_t end = memory_->l1_base() + program.circular_buffer_bytes;
    TT_FATAL(
        end <= memory_->l1_end(),
        "{}: Statically allocated circular buffers on {} cores grow to {} B which is beyond max L1 size of {} B "
        "by {} B",
        op, program.core_count, end, memory_->l1_end(), end - memory_->l1_end());
    if (program.circular_buffer_bytes > 0) {
        const auto lowest = memory_->allocator(BufferType::L1).lowest_allocated_address();
        TT_FATAL(
            !lowest || *lowest >= end,
            "{}: Statically allocated circular buffers in program clash with L1 buffers on {} cores. L1 buffer "
            "allocated "
            "at {} and static circular buffer region ends at {}, {} B further",
            op, program.core_count, *lowest, end, end - *lowest);
    }
    const std::uint64_t total = memory_->allocator(BufferType::L1).usage().allocated + program.circular_buffer_bytes;
    const std::lock_guard lock(mutex_);
    circular_buffers_peak_ = std::max(circular_buffers_peak_, program.circular_buffer_bytes);
    if (total > l1_peak_) {
        l1_peak_ = total;
        l1_peak_op_ = op;
    }
}

MemoryStatistics DeviceImpl::statistics() const {
    using tt::tt_metal::BufferType;
    const BankAllocator& l1 = memory_->allocator(BufferType::L1);
    const BankAllocator& dram = memory_->allocator(BufferType::DRAM);
    const std::uint64_t banks = dram.region().banks;
    const std::lock_guard lock(mutex_);
    return {
        .l1_capacity = l1.region().bank_size,
        .l1_allocated = l1.usage().allocated,
        .l1_allocated_peak = l1.usage().peak,
        .circular_buffers_peak = circular_buffers_peak_,
        .l1_peak = std::max(l1_peak_, l1.usage().peak),
        .l1_peak_op = l1_peak_op_,
        .dram_capacity = dram.region().bank_size * banks,
        .dram_allocated = dram.usage().allocated * banks,
        .dram_allocated_peak = dram.usage().peak * banks};
}

void DeviceImpl::reset_peaks() {
    memory_->allocator(tt::tt_metal::BufferType::L1).reset_peak();
    memory_->allocator(tt::tt_metal::BufferType::DRAM).reset_peak();
    const std::lock_guard lock(mutex_);
    circular_buffers_peak_ = 0;
    l1_peak_ = 0;
    l1_peak_op_.clear();
}

}  // namespace ttnn_cpu
