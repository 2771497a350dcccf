// SPDX-License-Identifier: Apache-2.0
#include "conformance/refusals.hpp"

#include <algorithm>
#include <iterator>
#include <optional>

#include <nlohmann/json.hpp>
#include <ttnn/device.hpp>

namespace zoo::conformance {

namespace {

constexpr std::size_t kL1SmallSize = 16384;  // for convolutions and pools

struct Tried {
    std::string name;
    std::string here;
    std::string known_difference;
    std::optional<std::size_t> last_call;  // index among the script's calls; none when a tensor was refused before
};

void append(ttnn_cpu::CallScript& all, ttnn_cpu::CallScript more) {
    const auto move_into = [](auto& to, auto& from) { std::move(from.begin(), from.end(), std::back_inserter(to)); };
    move_into(all.recording.calls, more.recording.calls);
    move_into(all.recording.ops, more.recording.ops);
    move_into(all.buffers, more.buffers);
}

std::size_t calls_of_application(const ttnn_cpu::CallScript& script) {
    return static_cast<std::size_t>(std::count_if(
        script.recording.calls.begin(), script.recording.calls.end(),
        [](const ttnn_cpu::CallRecord& call) { return call.parent_id == 0; }));
}

ttnn::Shape shape_of(const std::vector<std::uint32_t>& dims) {
    return ttnn::Shape(ttsl::SmallVector<std::uint32_t>(dims.begin(), dims.end()));
}

// The arguments of the call that makes such a tensor, as a recording would have them.
std::string describe(const BadTensor& bad) {
    const auto name_of = [](auto value, std::initializer_list<std::pair<decltype(value), const char*>> names) {
        for (const auto& [known, name] : names) {
            if (known == value) {
                return name;
            }
        }
        return "";
    };
    nlohmann::json memory{
        {"memory_layout",
         name_of(
             bad.memory.memory_layout(), {{ttnn::TensorMemoryLayout::INTERLEAVED, "INTERLEAVED"},
                                          {ttnn::TensorMemoryLayout::HEIGHT_SHARDED, "HEIGHT_SHARDED"},
                                          {ttnn::TensorMemoryLayout::WIDTH_SHARDED, "WIDTH_SHARDED"},
                                          {ttnn::TensorMemoryLayout::BLOCK_SHARDED, "BLOCK_SHARDED"}})},
        {"buffer_type", bad.memory.is_dram() ? "DRAM" : "L1"},
        {"shard_spec", nullptr}};
    if (const auto& shard = bad.memory.shard_spec()) {
        nlohmann::json grid = nlohmann::json::array();
        for (const auto& range : shard->grid.ranges()) {
            grid.push_back(
                {{"start", {range.start_coord.x, range.start_coord.y}},
                 {"end", {range.end_coord.x, range.end_coord.y}}});
        }
        memory["shard_spec"] = {{"grid", grid}, {"shape", shard->shape}, {"orientation", "ROW_MAJOR"}};
    }
    const nlohmann::json spec{
        {"shape", bad.shape},
        {"dtype", name_of(
                      bad.dtype, {{ttnn::DataType::BFLOAT16, "BFLOAT16"},
                                  {ttnn::DataType::BFLOAT8_B, "BFLOAT8_B"},
                                  {ttnn::DataType::BFLOAT4_B, "BFLOAT4_B"}})},
        {"layout", bad.layout == ttnn::Layout::TILE ? "TILE" : "ROW_MAJOR"},
        {"memory_config", memory}};
    return nlohmann::json{{"tensor_spec", spec}}.dump();
}

// What the attempt threw, empty when it did not.
template <typename Attempt>
std::string thrown_by(Attempt&& attempt) {
    try {
        attempt();
    } catch (const std::exception& error) {
        return *error.what() != '\0' ? error.what() : "an exception without words";
    }
    return "";
}

}  // namespace

ttnn::Tensor tensor(
    ttnn::MeshDevice& device, std::vector<std::uint32_t> shape, ttnn::DataType dtype, ttnn::Layout layout,
    const ttnn::MemoryConfig& memory) {
    return ttnn::create_device_tensor(
        tt::tt_metal::TensorSpec(
            shape_of(shape), tt::tt_metal::TensorLayout(dtype, tt::tt_metal::PageConfig(layout), memory)),
        &device);
}

ttnn::MemoryConfig sharded(
    ttnn::TensorMemoryLayout layout, std::uint32_t cores_x, std::uint32_t cores_y, std::uint32_t height,
    std::uint32_t width) {
    return ttnn::MemoryConfig(
        layout, ttnn::BufferType::L1,
        tt::tt_metal::ShardSpec(
            tt::tt_metal::CoreRangeSet(tt::tt_metal::CoreRange({0, 0}, {cores_x - 1, cores_y - 1})), {height, width},
            tt::tt_metal::ShardOrientation::ROW_MAJOR));
}

ttnn::MemoryConfig interleaved_l1() {
    return ttnn::MemoryConfig(ttnn::TensorMemoryLayout::INTERLEAVED, ttnn::BufferType::L1);
}

std::vector<Refusal> try_refusals(ttnn_cpu::Board board) {
    ttnn_cpu::set_default_device_options({.board = board});
    const auto device = ttnn::open_mesh_device(0, kL1SmallSize);
    ttnn_cpu::CallScript script;
    std::vector<Tried> tried;
    std::size_t calls = 0;
    for (const auto& table : {bad_matmuls, bad_layer_ops, bad_decode_ops, bad_movements, bad_window_ops}) {
        for (const BadCall& bad : table()) {
            ttnn_cpu::start_script(*device);
            const std::string here = thrown_by([&] { bad.make(*device); });
            ttnn_cpu::CallScript part = ttnn_cpu::stop_script(*device);
            const std::size_t made = calls_of_application(part);
            calls += made;
            append(script, std::move(part));
            tried.push_back({bad.name, here, bad.known_difference, made > 0 ? std::optional(calls - 1) : std::nullopt});
        }
    }
    for (const BadTensor& bad : bad_tensors()) {
        const std::string here =
            thrown_by([&] { (void)tensor(*device, bad.shape, bad.dtype, bad.layout, bad.memory); });
        ttnn_cpu::CallRecord call;
        call.id = script.recording.calls.back().id + 1;
        call.function = "ttnn::create_device_tensor";
        call.arguments = describe(bad);
        call.refused = true;
        script.recording.calls.push_back(std::move(call));
        tried.push_back({bad.name, here, bad.known_difference, calls++});
    }
    const Replay answers = replay(script, kL1SmallSize, board);
    std::vector<Refusal> result;
    for (const Tried& one : tried) {
        Refusal refusal{one.name, one.here, {}, one.known_difference};
        if (one.last_call) {
            const ReplayedCall& call = answers.calls.at(*one.last_call);
            refusal.there = call.refused.value_or("");
            refusal.not_tried = call.not_replayed;
        } else {
            refusal.not_tried = "no call was made";
        }
        result.push_back(std::move(refusal));
    }
    return result;
}

}  // namespace zoo::conformance
