// SPDX-License-Identifier: Apache-2.0
#pragma once

// What stands behind MeshDevice.
#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

#include <tt-metalium/mesh_command_queue.hpp>
#include <tt-metalium/mesh_trace_id.hpp>
#include <ttnn_cpu/device_options.hpp>
#include <ttnn_cpu/execution.hpp>
#include <ttnn_cpu/memory_statistics.hpp>

#include "core/board.hpp"
#include "core/command_queue.hpp"
#include "core/device_memory.hpp"
#include "core/program.hpp"
#include "core/recorder.hpp"

namespace ttnn_cpu {

// One op ready to run: a program and the memory it works on.
struct Command {
    std::shared_ptr<const Program> program;
    std::vector<BufferRef> inputs;
    std::vector<BufferRef> outputs;
    std::vector<std::shared_ptr<PackedForms>> keep_alive;
    std::shared_ptr<const OpRecord> record;  // null when nobody will ask
    bool compute = true;
    bool skipped = false;  // by skip_copies

    void run() const;
    // Runs, and adds the record with the times.
    void run_recorded(Recorder& recorder, std::uint32_t trace_id) const;
};

struct Trace {
    std::vector<Command> commands;
    std::uint64_t bytes = 0;
    std::uint32_t queue = 0;
    bool complete = false;
};

class DeviceImpl {
public:
    DeviceImpl(
        const DeviceOptions& options, std::size_t l1_small_size, std::size_t trace_region_size, std::size_t queues);
    ~DeviceImpl();

    const BoardSpec& board() const { return board_; }
    const std::shared_ptr<DeviceMemory>& memory() const { return memory_; }
    Recorder& recorder() { return recorder_; }

    Numerics numerics() const { return numerics_; }
    void set_numerics(Numerics numerics) { numerics_ = numerics; }
    bool computes() const { return computes_; }
    static void open_next_without_computing() { next_computes_ = false; }

    std::size_t queue_count() const { return queues_.size(); }
    // Throws for a queue that the device was not opened with.
    CommandQueue& queue(std::uint32_t id);
    tt::tt_metal::distributed::MeshCommandQueue& mesh_queue(std::uint32_t id);
    void finish();
    bool open() const { return open_; }
    void close();

    // What a queue does beside ops; `record` is completed and kept while the device records.
    void enqueue(std::uint32_t queue_id, CommandRecord record, std::function<void()> command);
    std::vector<CommandRecord> take_commands();
    // Runs or, during a capture on that queue, records the command.
    void issue(std::uint32_t queue_id, Command command);
    bool capturing(std::uint32_t queue_id);
    // Throws `message` when the queue is capturing.
    void refuse_during_capture(std::uint32_t queue_id, const char* message);

    std::uint32_t begin_capture(std::uint32_t queue_id);
    void end_capture(std::uint32_t trace_id, std::uint32_t queue_id);
    void replay(std::uint32_t trace_id, std::uint32_t queue_id, bool blocking);
    void release_trace(std::uint32_t trace_id);

    // Program cache. find returns null on a miss.
    std::shared_ptr<const Program> find_program(const std::string& key);
    void keep_program(const std::string& key, std::shared_ptr<const Program> program, std::string_view op);
    void enable_program_cache(bool enabled);
    void clear_program_cache();
    void allow_program_cache_misses(bool allowed) { misses_allowed_ = allowed; }
    std::size_t program_count();

    // Refuses circular buffers that do not fit below the L1 buffers, and keeps the peaks.
    void check_circular_buffers(std::string_view op, const Program& program);
    MemoryStatistics statistics() const;
    void reset_peaks();

private:
    BoardSpec board_;
    std::shared_ptr<DeviceMemory> memory_;
    std::atomic<Numerics> numerics_;
    inline static std::atomic<bool> next_computes_ = true;
    bool computes_ = next_computes_.exchange(true);
    Recorder recorder_;
    bool open_ = true;

    mutable std::mutex mutex_;
    std::vector<CommandRecord> commands_;
    std::unordered_map<std::string, std::shared_ptr<const Program>> programs_;
    bool cache_enabled_ = true;
    std::atomic<bool> misses_allowed_ = true;
    std::unordered_map<std::uint32_t, std::shared_ptr<Trace>> traces_;
    std::array<std::uint32_t, 2> capturing_{};  // trace id by queue, 0 for none
    std::uint32_t next_trace_id_ = 1;
    std::uint64_t circular_buffers_peak_ = 0;
    std::uint64_t l1_peak_ = 0;
    std::string l1_peak_op_;

    // Last, so that their threads end before anything they use.
    std::vector<std::unique_ptr<CommandQueue>> queues_;
    std::vector<tt::tt_metal::distributed::MeshCommandQueue> mesh_queues_;
};

}  // namespace ttnn_cpu
