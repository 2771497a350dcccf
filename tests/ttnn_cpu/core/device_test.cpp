// SPDX-License-Identifier: Apache-2.0
// Queues, events, traces, the program cache and the records, by an op that multiplies by two.
#include <gtest/gtest.h>

#include <memory>

#include <tt-metalium/distributed.hpp>
#include <ttnn/core.hpp>
#include <ttnn/device.hpp>
#include <ttnn/events.hpp>
#include <ttnn/operations/core/core.hpp>
#include <ttnn/operations/trace.hpp>
#include <ttnn/tensor/tensor_ops.hpp>
#include <ttnn_cpu/execution.hpp>
#include <ttnn_cpu/memory_statistics.hpp>
#include <ttnn_cpu/records.hpp>

#include "core/command_queue.hpp"
#include "core/launch.hpp"
#include "core/recorder.hpp"
#include "support/throws.hpp"

namespace {

using namespace ttnn;
using namespace ttnn::operations::trace;
using tt::tt_metal::PageConfig;
using tt::tt_metal::TensorLayout;
using tt::tt_metal::TensorSpec;

constexpr QueueId kFirst(0);
constexpr QueueId kSecond(1);

TensorSpec floats(std::uint32_t n, MemoryConfig memory = DRAM_MEMORY_CONFIG) {
    return TensorSpec(Shape{1, n}, TensorLayout(DataType::FLOAT32, PageConfig(Layout::ROW_MAJOR), memory));
}

struct Doubling {
    std::shared_ptr<ttnn_cpu::EventState> gate = nullptr;  // the kernel waits for it
    std::uint64_t circular_buffer_bytes = 0;
    int variant = 0;
};

Tensor twice(const Tensor& input, Doubling options = {}) {
    ttnn_cpu::ApiCall call("test::twice", {&input}, [&](ttnn_cpu::JsonText& json) {
        json.tensor("input", 0).field("variant", options.variant);
    });
    const std::size_t n = input.logical_volume();
    return call.returns(ttnn_cpu::launch({
                                             .name = "TwiceDeviceOperation",
                                             .attributes = ttnn_cpu::JsonText().field("variant", options.variant).str(),
                                             .inputs = {input},
                                             .output_specs = {input.tensor_spec()},
                                             .outputs = {},
                                             .create_program =
                                                 [n, options](ttnn_cpu::Numerics) {
                                                     ttnn_cpu::Program program;
                                                     program.circular_buffer_bytes = options.circular_buffer_bytes;
                                                     program.kernel = [n, gate = options.gate](
                                                                          std::span<const ttnn_cpu::BufferRef> in,
                                                                          std::span<const ttnn_cpu::BufferRef> out) {
                                                         if (gate) {
                                                             gate->wait();
                                                         }
                                                         for (std::size_t i = 0; i < n; ++i) {
                                                             out[0].as<float>()[i] = 2 * in[0].as<const float>()[i];
                                                         }
                                                     };
                                                     return program;
                                                 },
                                         })
                            .front());
}

TEST(Queue, OpsRunBehindTheCaller) {
    auto device = open_mesh_device(0);
    const Tensor input = Tensor::from_vector<float>({1, 2}, floats(2), device.get());
    const auto gate = std::make_shared<ttnn_cpu::EventState>();
    const Tensor output = twice(twice(input, {.gate = gate}), {.variant = 1});
    const auto done = events::record_mesh_event(device.get(), kFirst);
    EXPECT_FALSE(tt::tt_metal::distributed::EventQuery(done));
    gate->set();
    EXPECT_EQ(output.to_vector<float>(), (std::vector<float>{4, 8}));
    EXPECT_TRUE(tt::tt_metal::distributed::EventQuery(done));
}

TEST(Queue, EventsOrderTwoQueues) {
    auto device = open_mesh_device(0, 0, 0, 2);
    Tensor input = create_device_tensor(floats(4), device.get());
    const Tensor ones = Tensor::from_vector<float>({1, 1, 1, 1}, floats(4));
    for (int round = 0; round < 20; ++round) {
        const std::vector<float> values(4, static_cast<float>(round));
        copy_to_device(ones, input, kFirst);
        const auto written = events::record_mesh_event(device.get(), kFirst);
        events::wait_for_mesh_event(kSecond, written);
        copy_to_device(Tensor::from_vector(values, floats(4)), input, kSecond);
        const auto rewritten = events::record_mesh_event(device.get(), kSecond);
        events::wait_for_mesh_event(kFirst, rewritten);
        EXPECT_EQ(twice(input).to_vector<float>(), std::vector<float>(4, 2.0f * static_cast<float>(round)));
    }
}

TEST(Queue, AWaitingQueueDoesNotHoldTheOther) {
    auto device = open_mesh_device(0, 0, 0, 2);
    const Tensor input = Tensor::from_vector<float>({3}, floats(1), device.get());
    Tensor slow;
    const auto gate = std::make_shared<ttnn_cpu::EventState>();
    with_command_queue_id(kSecond, [&] { slow = twice(input, {.gate = gate, .variant = 1}); });
    const auto done = events::record_mesh_event(device.get(), kSecond);
    EXPECT_EQ(twice(input).to_vector<float>(kFirst), std::vector<float>{6});
    EXPECT_FALSE(tt::tt_metal::distributed::EventQuery(done));
    gate->set();
    events::event_synchronize(done);
    EXPECT_EQ(slow.to_vector<float>(kSecond), std::vector<float>{6});
}

TEST(Queue, RefusesAQueueThatIsNotThere) {
    auto device = open_mesh_device(0);
    const Tensor input = Tensor::from_vector<float>({3}, floats(1), device.get());
    EXPECT_THROWS_WITH(
        (void)input.cpu(true, kSecond),
        "Command queue id 1 is out of range: the device was opened with num_command_queues=1");
    EXPECT_THROWS_WITH(open_mesh_device(0, 0, 0, 3), "num_command_queues is 3; a device has 1 or 2");
    EXPECT_THROWS_WITH(open_mesh_device(4), "Device id 4 is out of range");
}

TEST(Trace, CapturesWithoutRunningAndReplaysWithNewInput) {
    auto device = open_mesh_device(0, 0, 1 << 20);
    Tensor input = Tensor::from_vector<float>({1, 2}, floats(2), device.get());
    (void)twice(twice(input));
    const auto id = begin_trace_capture(device.get(), kFirst);
    const Tensor output = twice(twice(input));
    end_trace_capture(device.get(), id, kFirst);
    const auto entries = device->num_program_cache_entries();
    const auto allocated = ttnn_cpu::memory_statistics(*device).dram_allocated;
    for (const float value : {5.0f, 7.0f}) {
        copy_to_device(Tensor::from_vector<float>({value, -value}, floats(2)), input);
        execute_trace(device.get(), id, kFirst, false);
        EXPECT_EQ(output.to_vector<float>(), (std::vector<float>{4 * value, -4 * value}));
    }
    EXPECT_EQ(device->num_program_cache_entries(), entries);
    EXPECT_EQ(ttnn_cpu::memory_statistics(*device).dram_allocated, allocated);
    release_trace(device.get(), id);
    EXPECT_THROWS_WITH(execute_trace(device.get(), id, kFirst, true), "is not present on device");
}

TEST(Trace, KeepsTheRulesOfACapture) {
    auto device = open_mesh_device(0, 0, 1 << 20, 2);
    Tensor input = Tensor::from_vector<float>({1}, floats(1), device.get());
    const Tensor host = Tensor::from_vector<float>({1}, floats(1));
    const auto before = events::record_mesh_event(device.get(), kSecond);
    const auto id = begin_trace_capture(device.get(), kFirst);
    EXPECT_THROWS_WITH(copy_to_device(host, input), "Writes are not supported during trace capture.");
    EXPECT_THROWS_WITH((void)input.cpu(), "Reads are not supported during trace capture.");
    EXPECT_THROWS_WITH(events::record_mesh_event(device.get(), kFirst), "not supported during trace capture");
    EXPECT_THROWS_WITH(events::wait_for_mesh_event(kFirst, before), "not supported during trace capture");
    EXPECT_THROWS_WITH(begin_trace_capture(device.get(), kFirst), "queue 0 is already capturing");
    EXPECT_THROWS_WITH(execute_trace(device.get(), id, kSecond, false), "still being captured");
    EXPECT_THROWS_WITH(end_trace_capture(device.get(), id, kSecond), "is not being captured on queue 1");
    copy_to_device(host, input, kSecond);  // the other queue is free
    end_trace_capture(device.get(), id, kFirst);
}

TEST(Trace, MustFitItsRegion) {
    auto device = open_mesh_device(0, 0, 2048);
    const Tensor input = Tensor::from_vector<float>({1}, floats(1), device.get());
    const auto id = begin_trace_capture(device.get(), kFirst);
    (void)twice(twice(input));
    EXPECT_THROWS_WITH(end_trace_capture(device.get(), id, kFirst), "but only 2048B is allocated for trace region");
}

TEST(ProgramCache, CountsProgramsNotCalls) {
    auto device = open_mesh_device(0);
    const Tensor input = Tensor::from_vector<float>({1, 2}, floats(2), device.get());
    (void)twice(input);
    (void)twice(input);
    EXPECT_EQ(device->num_program_cache_entries(), 1u);
    (void)twice(input, {.variant = 1});
    EXPECT_EQ(device->num_program_cache_entries(), 2u);
    device->set_program_cache_misses_allowed(false);
    EXPECT_THROWS_WITH((void)twice(input, {.variant = 2}), "cache misses are forbidden");
    EXPECT_EQ(twice(input).to_vector<float>(), (std::vector<float>{2, 4}));
    disable_and_clear_program_cache(*device);
    EXPECT_EQ(device->num_program_cache_entries(), 0u);
}

TEST(Memory, L1RunsOutAsOnTheCard) {
    auto device = open_mesh_device(0, 32768);
    const auto capacity = ttnn_cpu::memory_statistics(*device).l1_capacity;
    EXPECT_EQ(capacity, 1499136u - 105664 - 32768);
    // 64 rows of pages, one a core.
    const TensorSpec spec(
        Shape{64, 170000}, TensorLayout(DataType::FLOAT32, PageConfig(Layout::ROW_MAJOR), L1_MEMORY_CONFIG));
    const Tensor first = create_device_tensor(spec, device.get());
    EXPECT_EQ(first.buffer()->address(), 1499136u - 32768 - 680000);
    const Tensor second = create_device_tensor(spec, device.get());
    EXPECT_THROWS_WITH(
        (void)create_device_tensor(spec, device.get()),
        "Out of Memory: Not enough space to allocate 43520000 B L1 buffer across 64 banks");
}

TEST(Memory, CircularBuffersMustNotReachTheBuffers) {
    auto device = open_mesh_device(0);
    const Tensor input = Tensor::from_vector<float>({1}, floats(1), device.get());
    EXPECT_EQ(twice(input, {.circular_buffer_bytes = 1'000'000}).to_vector<float>(), std::vector<float>{2});
    EXPECT_THROWS_WITH(
        (void)twice(input, {.circular_buffer_bytes = 1'400'000, .variant = 1}),
        "grow to 1505664 B which is beyond max L1 size of 1499136 B");
    const Tensor in_l1 = create_device_tensor(
        TensorSpec(Shape{64, 120000}, TensorLayout(DataType::FLOAT32, PageConfig(Layout::ROW_MAJOR), L1_MEMORY_CONFIG)),
        device.get());
    EXPECT_THROWS_WITH((void)twice(input, {.circular_buffer_bytes = 1'000'000}), "clash with L1 buffers");
    const auto statistics = ttnn_cpu::memory_statistics(*device);
    EXPECT_EQ(statistics.circular_buffers_peak, 1'000'000u);
    EXPECT_EQ(statistics.l1_peak_op, "TwiceDeviceOperation");
}

TEST(Records, KeepCallsAndOps) {
    auto device = open_mesh_device(0, 0, 1 << 20);
    const Tensor input = Tensor::from_vector<float>({1, 2}, floats(2), device.get());
    (void)twice(input);
    const auto id = begin_trace_capture(device.get(), kFirst);
    (void)twice(input);
    end_trace_capture(device.get(), id, kFirst);
    ttnn_cpu::start_recording(*device);
    const Tensor output = twice(input, {.variant = 3});
    execute_trace(device.get(), id, kFirst, false);
    const auto recording = ttnn_cpu::stop_recording(*device);
    ASSERT_EQ(recording.calls.size(), 1u);
    EXPECT_EQ(recording.calls[0].function, "test::twice");
    EXPECT_EQ(recording.calls[0].arguments, R"({"input":{"tensor":0},"variant":3})");
    EXPECT_EQ(recording.calls[0].outputs.at(0).address, output.buffer()->address());
    ASSERT_EQ(recording.ops.size(), 2u);
    EXPECT_EQ(recording.ops[0].call_id, recording.calls[0].id);
    EXPECT_FALSE(recording.ops[0].program_cache_hit);
    EXPECT_EQ(recording.ops[1].trace_id, *id);
    EXPECT_LE(recording.ops[1].device_start_ns, recording.ops[1].device_end_ns);
    EXPECT_GT(recording.ops[1].device_start_ns, 0u);
    (void)twice(input);
    EXPECT_TRUE(ttnn_cpu::stop_recording(*device).ops.empty());
}

TEST(Records, FollowBuffersBetweenOps) {
    using Event = ttnn_cpu::BufferRecord::Event;
    auto device = open_mesh_device(0);
    const Tensor input = Tensor::from_vector<float>({1, 2}, floats(2), device.get());
    ttnn_cpu::start_recording(*device);
    Tensor output = twice(input);
    const auto address = output.buffer()->address();
    output.deallocate(true);
    (void)twice(input, {.variant = 3});
    const auto recording = ttnn_cpu::stop_recording(*device);
    ASSERT_EQ(recording.buffers.size(), 5u);  // the input, then two outputs that come and go
    EXPECT_EQ(recording.buffers[0].event, Event::Live);
    EXPECT_EQ(recording.buffers[0].address, input.buffer()->address());
    EXPECT_EQ(recording.buffers[1].event, Event::Allocated);
    EXPECT_EQ(recording.buffers[1].address, address);
    EXPECT_EQ(recording.buffers[1].bytes, output.buffer()->size());
    EXPECT_EQ(recording.buffers[2].event, Event::Freed);
    EXPECT_EQ(recording.buffers[2].address, address);
    ASSERT_EQ(recording.ops.size(), 2u);
    EXPECT_LT(recording.buffers[1].sequence, recording.ops[0].sequence);
    EXPECT_LT(recording.ops[0].sequence, recording.buffers[2].sequence);
    EXPECT_LT(recording.buffers[2].sequence, recording.ops[1].sequence);
}

TEST(Records, TellOfTransfersAndReplays) {
    using What = ttnn_cpu::CommandRecord::What;
    auto device = open_mesh_device(0, 0, 1 << 20, 2);
    Tensor input = Tensor::from_vector<float>({1, 2}, floats(2), device.get());
    const auto id = begin_trace_capture(device.get(), kFirst);
    const Tensor output = twice(input);
    end_trace_capture(device.get(), id, kFirst);
    ttnn_cpu::start_recording(*device);
    copy_to_device(Tensor::from_vector<float>({3, 4}, floats(2)), input, kSecond);
    tt::tt_metal::distributed::Synchronize(*device, std::nullopt);
    execute_trace(device.get(), id, kFirst, true);
    (void)output.cpu();
    const auto commands = ttnn_cpu::take_commands(*device);
    ASSERT_EQ(commands.size(), 3u);
    EXPECT_EQ(commands[0].what, What::Write);
    EXPECT_EQ(commands[0].queue, 1u);
    EXPECT_EQ(commands[0].bytes, 8u);
    EXPECT_EQ(commands[1].what, What::Replay);
    EXPECT_EQ(commands[1].trace_id, *id);
    EXPECT_EQ(commands[2].what, What::Read);
    for (const ttnn_cpu::CommandRecord& command : commands) {
        EXPECT_LE(command.host_ns, command.start_ns);
        EXPECT_LE(command.start_ns, command.end_ns);
    }
    (void)ttnn_cpu::stop_recording(*device);
    (void)output.cpu();
    EXPECT_TRUE(ttnn_cpu::take_commands(*device).empty()) << "nothing is kept while it is off";
}

TEST(Device, RecordsWithoutComputing) {
    ttnn_cpu::open_next_without_computing();
    auto device = open_mesh_device(0, 0, 1 << 20);
    EXPECT_FALSE(ttnn_cpu::computes(*device));
    EXPECT_TRUE(ttnn_cpu::computes(*open_mesh_device(0))) << "the switch was for one device";
    const Tensor input = Tensor::from_vector<float>({1, 2}, floats(2), device.get());
    ttnn_cpu::start_recording(*device);
    const Tensor output = twice(input, {.circular_buffer_bytes = 1000});
    const auto id = begin_trace_capture(device.get(), kFirst);
    (void)twice(output);
    end_trace_capture(device.get(), id, kFirst);
    execute_trace(device.get(), id, kFirst, true);
    const auto recording = ttnn_cpu::stop_recording(*device);
    ASSERT_EQ(recording.ops.size(), 2u);
    EXPECT_EQ(recording.ops[0].circular_buffer_bytes, 1000u);
    EXPECT_EQ(recording.ops[0].outputs.at(0).address, output.buffer()->address());
    EXPECT_EQ(recording.ops[1].trace_id, *id);
    EXPECT_EQ(output.to_vector<float>(), (std::vector<float>{0, 0})) << "the kernel ran";
    EXPECT_THROWS_WITH((void)twice(input, {.circular_buffer_bytes = 2'000'000, .variant = 9}), "beyond max L1 size");
}

TEST(Device, TensorsMayOutliveIt) {
    Tensor tensor;
    {
        auto device = open_mesh_device(0);
        tensor = Tensor::from_vector<float>({1}, floats(1), device.get());
        close_device(*device);
        EXPECT_THROWS_WITH((void)tensor.cpu(), "The device is closed");
    }
    EXPECT_THROWS_WITH((void)tensor.cpu(), "the device of the tensor is gone");
    EXPECT_THROWS_WITH((void)twice(tensor), "the device of input tensor 0 is gone");
    tensor.deallocate(true);
    EXPECT_FALSE(tensor.is_allocated());
}

TEST(Records, SayThatACallWasRefused) {
    auto device = open_mesh_device(0);
    const Tensor input = Tensor::from_vector<float>({1}, floats(1), device.get());
    ttnn_cpu::start_recording(*device);
    EXPECT_THROWS_WITH((void)twice(input, {.circular_buffer_bytes = 2'000'000}), "beyond max L1 size");
    EXPECT_TRUE(ttnn_cpu::stop_recording(*device).calls.at(0).refused);
}

}  // namespace
