// SPDX-License-Identifier: Apache-2.0
#include "conformance/replay.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <unordered_map>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>
#include <nlohmann/json.hpp>
#include <ttnn/device.hpp>
#include <ttnn_cpu/device_options.hpp>
#include <ttnn_cpu/execution.hpp>

#include "source_dir.hpp"
#include "zoo/error.hpp"

namespace zoo::conformance {

namespace fs = std::filesystem;
using ttnn_cpu::Board;
using ttnn_cpu::BufferChange;
using ttnn_cpu::CallRecord;
using ttnn_cpu::CallScript;
using ttnn_cpu::Recording;

namespace {

constexpr int kOutOfReach = 3;  // exit status of scripts/real_ttnn
constexpr int kNotFound = 127;  // of the shell: there is no python3 to run it

// A directory that is gone with the object.
class ScratchDirectory {
public:
    ScratchDirectory() {
        std::string name = (fs::temp_directory_path() / "tt-zoo-replay-XXXXXX").string();
        if (mkdtemp(name.data()) == nullptr) {
            fail("replay", "cannot make a directory in ", fs::temp_directory_path().string());
        }
        path_ = name;
    }
    ~ScratchDirectory() {
        std::error_code ignored;
        fs::remove_all(path_, ignored);
    }
    ScratchDirectory(const ScratchDirectory&) = delete;
    ScratchDirectory& operator=(const ScratchDirectory&) = delete;
    [[nodiscard]] const fs::path& path() const { return path_; }

private:
    fs::path path_;
};

std::string quoted(const std::string& text) {
    std::string result = "'";
    for (const char c : text) {
        result += c == '\'' ? std::string("'\\''") : std::string(1, c);
    }
    return result + "'";
}

std::string text_of(const fs::path& file) {
    std::ifstream in(file);
    return {std::istreambuf_iterator<char>(in), {}};
}

// "[1, 1, 384, 1024] BFLOAT16 L1 BLOCK_SHARDED; ..."
std::string describe(const nlohmann::json& tensors) {
    std::vector<std::string> parts;
    for (const nlohmann::json& tensor : tensors) {
        const nlohmann::json& spec = tensor["spec"];
        const nlohmann::json& memory = spec["memory_config"];
        parts.push_back(fmt::format(
            "{} {} {} {}", spec["shape"].dump(), spec["dtype"].get<std::string>(),
            memory["buffer_type"].get<std::string>(), memory["memory_layout"].get<std::string>()));
    }
    return fmt::format("{}", fmt::join(parts, "; "));
}

// The calls of the application in order, with what the embedded device accounts for each.
class Calls {
public:
    Calls(const CallScript& script, const nlohmann::json& events, std::uint32_t l1_banks) {
        const Recording& recording = script.recording;
        for (const CallRecord& call : recording.calls) {
            const auto parent = outermost_.find(call.parent_id);
            if (parent != outermost_.end()) {
                outermost_[call.id] = parent->second;
                continue;
            }
            outermost_[call.id] = calls_.size();
            ReplayedCall result;
            result.function = call.function;
            result.refused_here = call.refused;
            calls_.push_back(std::move(result));
        }
        for (const ttnn_cpu::OpRecord& op : recording.ops) {
            if (const auto call = outermost_.find(op.call_id); call != outermost_.end()) {
                L1Usage& here = calls_[call->second].here;
                here.circular_buffers = std::max(here.circular_buffers, op.circular_buffer_bytes);
            }
        }
        add_buffers(script, l1_banks);
        std::size_t next = 0;
        for (const nlohmann::json& event : events) {
            if (event.contains("call")) {
                calls_.at(next++).inputs = describe(event["inputs"]);
            }
        }
    }

    [[nodiscard]] std::vector<ReplayedCall> take() { return std::move(calls_); }

private:
    void add_buffers(const CallScript& script, std::uint32_t l1_banks) {
        // As the real library's query counts: L1_SMALL is L1, and what a call frees makes room for what it allocates.
        constexpr std::uint32_t kL1Alignment = 16;
        std::unordered_map<std::uint64_t, std::int64_t> sizes;  // by address
        std::unordered_map<std::size_t, std::int64_t> in_use;   // by call
        for (const BufferChange& buffer : script.buffers) {
            if (buffer.type == tt::tt_metal::BufferType::DRAM) {
                continue;
            }
            if (buffer.allocated) {
                sizes[buffer.address] = static_cast<std::int64_t>(
                    buffer.spec->compute_consumed_memory_bytes_per_bank(kL1Alignment, l1_banks));
            }
            if (const auto call = outermost_.find(buffer.call_id); call != outermost_.end()) {
                std::int64_t& used = in_use[call->second];
                used += buffer.allocated ? sizes[buffer.address] : -sizes[buffer.address];
                L1Usage& here = calls_[call->second].here;
                here.buffers = std::max(here.buffers, static_cast<std::uint64_t>(std::max<std::int64_t>(used, 0)));
            }
        }
    }

    std::unordered_map<std::uint64_t, std::size_t> outermost_;  // index of the application's call, by call id
    std::vector<ReplayedCall> calls_;
};

void read_answer(const std::string& line, ReplayedCall& call) {
    const nlohmann::json answer = nlohmann::json::parse(line);
    if (answer.contains("unknown")) {
        call.not_replayed = answer["unknown"].get<std::string>();
    }
    if (!answer["error"].is_null()) {
        call.refused = answer["error"].get<std::string>();
    }
    call.differences = answer["differences"].get<std::vector<std::string>>();
    if (const auto& resources = answer["resources"]; !resources.is_null()) {
        call.there =
            L1Usage{resources["circular_buffers"].get<std::uint64_t>(), resources["l1_buffers"].get<std::uint64_t>()};
    }
}

}  // namespace

std::string first_sentence(const std::string& text) {
    const std::size_t info = text.find("info:\n");
    const std::string from = info == std::string::npos ? text : text.substr(info + 6);
    return from.substr(0, from.find('\n'));
}

std::string_view to_string(Board board) { return board == Board::N150 ? "n150" : "p150"; }

Replay replay(const CallScript& script, std::size_t l1_small_size, Board board) {
    const ScratchDirectory scratch;
    const fs::path calls_file = scratch.path() / "calls.json";
    const fs::path answers_file = scratch.path() / "answers.jsonl";
    const fs::path log_file = scratch.path() / "log";
    const std::string events = ttnn_cpu::to_json(script);
    std::ofstream(calls_file) << fmt::format("{{\"l1_small_size\":{},\"events\":{}}}\n", l1_small_size, events);
    const std::string command = fmt::format(
        "{} replay --board {} {} {} >{} 2>&1", quoted(apps::source_path("scripts/real_ttnn")), to_string(board),
        quoted(calls_file.string()), quoted(answers_file.string()), quoted(log_file.string()));
    const int status = std::system(command.c_str());
    std::string log = text_of(log_file);
    while (!log.empty() && log.back() == '\n') {
        log.pop_back();
    }
    if (WIFEXITED(status) && WEXITSTATUS(status) == kOutOfReach) {
        throw OutOfReach(log.substr(log.rfind('\n') + 1));
    }
    if (WIFEXITED(status) && WEXITSTATUS(status) == kNotFound) {
        throw OutOfReach("scripts/real_ttnn cannot be run: " + log.substr(log.rfind('\n') + 1));
    }
    const std::uint32_t l1_banks = board == Board::N150 ? 64 : 110;
    Replay result{.calls = Calls(script, nlohmann::json::parse(events), l1_banks).take(), .broken_off = {}};
    std::ifstream answers(answers_file);
    std::size_t answered = 0;
    for (std::string line; answered < result.calls.size() && std::getline(answers, line) && line.ends_with('}');) {
        read_answer(line, result.calls[answered++]);
    }
    for (std::size_t i = answered; i < result.calls.size(); ++i) {
        result.calls[i].not_replayed = "the real library had ended";
    }
    if (status != 0 || answered < result.calls.size()) {
        result.broken_off = fmt::format("after {} of {} calls: {}", answered, result.calls.size(), log);
    }
    return result;
}

Replay replay(const apps::ModelPass& pass, Board board) {
    ttnn_cpu::DeviceOptions options = ttnn_cpu::default_device_options();
    options.board = board;
    ttnn_cpu::set_default_device_options(options);
    ttnn_cpu::open_next_without_computing();
    const auto device = ttnn::open_mesh_device(0, pass.l1_small_size);
    ttnn_cpu::start_script(*device);
    pass.run(*device);
    return replay(ttnn_cpu::stop_script(*device), pass.l1_small_size, board);
}

}  // namespace zoo::conformance
