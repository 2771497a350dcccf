// SPDX-License-Identifier: Apache-2.0
#include "profile/memory_report.hpp"

#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "profile/captured_graph.hpp"
#include "profile/database.hpp"
#include "profile/operations.hpp"
#include "profile/text.hpp"
#include "zoo/write_file.hpp"

namespace zoo::apps::profile {

namespace {

using ttnn_cpu::BufferRecord;
using ttnn_cpu::TensorRecord;

constexpr const char* kSchema = R"(
CREATE TABLE operations(operation_id int, name text, duration float, rank int NOT NULL DEFAULT 0, UNIQUE(operation_id,rank));
CREATE TABLE operation_arguments(operation_id int, name text, value text, rank int NOT NULL DEFAULT 0);
CREATE TABLE tensors(tensor_id int, shape text, dtype text, layout text, memory_config text, device_id int, address int,
  buffer_type int, rank int NOT NULL DEFAULT 0, UNIQUE(tensor_id,rank));
CREATE TABLE input_tensors(operation_id int, input_index int, tensor_id int, rank int NOT NULL DEFAULT 0);
CREATE TABLE output_tensors(operation_id int, output_index int, tensor_id int, rank int NOT NULL DEFAULT 0);
CREATE TABLE buffers(operation_id int, device_id int, address int, max_size_per_bank int, buffer_type int, buffer_layout int,
  rank int NOT NULL DEFAULT 0);
CREATE TABLE local_tensor_comparison_records(tensor_id int, golden_tensor_id int, matches int, desired_pcc float,
  actual_pcc float, rank int NOT NULL DEFAULT 0, UNIQUE(tensor_id,rank));
CREATE TABLE global_tensor_comparison_records(tensor_id int, golden_tensor_id int, matches int, desired_pcc float,
  actual_pcc float, rank int NOT NULL DEFAULT 0, UNIQUE(tensor_id,rank));
CREATE TABLE devices(device_id int, num_y_cores int, num_x_cores int, num_y_compute_cores int, num_x_compute_cores int,
  worker_l1_size int, l1_num_banks int, l1_bank_size int, address_at_first_l1_bank int, address_at_first_l1_cb_buffer int,
  num_banks_per_storage_core int, num_compute_cores int, num_storage_cores int, total_l1_memory int,
  total_l1_for_tensors int, total_l1_for_interleaved_buffers int, total_l1_for_sharded_buffers int, cb_limit int,
  rank int NOT NULL DEFAULT 0);
CREATE TABLE device_tensors(tensor_id int, device_id int, address int, rank int NOT NULL DEFAULT 0);
CREATE TABLE captured_graph(operation_id int, captured_graph text, rank int NOT NULL DEFAULT 0);
CREATE TABLE buffer_chunks(operation_id int, device_id int, address int, bank_id int, core_x int, core_y int,
  chunk_address int, chunk_size int, page_size int, num_pages int, buffer_type int, rank int NOT NULL DEFAULT 0);
CREATE TABLE source_files(id INTEGER PRIMARY KEY, path text UNIQUE NOT NULL, contents text);
CREATE TABLE stack_traces(operation_id int, stack_trace text, source_file_id int REFERENCES source_files(id),
  rank int NOT NULL DEFAULT 0);
CREATE TABLE errors(operation_id int, operation_name text, error_type text, error_message text, stack_trace text,
  timestamp text, rank int NOT NULL DEFAULT 0);
CREATE TABLE tensor_lifetime(tensor_id int, producer_operation_id int, last_use_operation_id int,
  deallocate_operation_id int, producer_source_file text, producer_source_line int, last_use_source_file text,
  last_use_source_line int, rank int NOT NULL DEFAULT 0, UNIQUE(tensor_id,rank));
CREATE TABLE tensor_consumers(tensor_id int, operation_id int, input_index int, rank int NOT NULL DEFAULT 0);
CREATE TABLE tensor_producers(tensor_id int, operation_id int, output_index int, rank int NOT NULL DEFAULT 0);
CREATE TABLE nodes(operation_id int, unique_id int, node_operation_id int, name text, rank int NOT NULL DEFAULT 0);
CREATE TABLE edges(operation_id int, source_unique_id int, sink_unique_id int, source_output_index int,
  sink_input_index int, key int, rank int NOT NULL DEFAULT 0);
CREATE TABLE report_metadata(key text UNIQUE, value text);
)";

std::int64_t integer(std::uint64_t value) { return static_cast<std::int64_t>(value); }
std::int64_t enumerator(auto value) { return static_cast<std::int64_t>(value); }

class Report {
public:
    Report(const Run& run, const std::filesystem::path& directory)
        : run_(run),
          clock_(run.measured() ? Clock::Cpu : Clock::Card),
          operations_(operations_of(run.recording)),
          database_(directory / "db.sqlite") {}

    void write() {
        database_.execute(kSchema);
        write_device();
        for (std::size_t i = 0; i < operations_.size(); ++i) {
            write_operation(integer(i + 1), operations_[i]);
        }
        for (const auto& [id, life] : lives_) {
            const Value freed = life.freed == 0 ? Value(nullptr) : Value(life.freed);
            database_.insert(
                "tensor_lifetime", {id, life.producer, life.last_use, freed, nullptr, nullptr, nullptr, nullptr});
        }
        database_.insert("report_metadata", {std::string("schema_version"), std::string("3.3")}, false);
        const std::uint64_t start = run_.recording.ops.empty() ? 0 : run_.recording.ops.front().host_start_ns;
        database_.insert("report_metadata", {std::string("capture_timestamp_ns"), std::to_string(start)}, false);
        database_.commit();
    }

private:
    struct Life {
        std::int64_t producer = 0;
        std::int64_t last_use = 0;
        std::int64_t freed = 0;
    };

    void write_device() {
        const Card& card = run_.card;
        const std::int64_t cores = card.cores();
        const std::int64_t usable = integer(card.l1_usable);
        database_.insert(
            "devices", {std::int64_t{0}, std::int64_t{card.grid_y}, std::int64_t{card.grid_x},
                        std::int64_t{card.grid_y}, std::int64_t{card.grid_x}, integer(card.l1_bytes), cores, usable,
                        integer(card.l1_base), integer(card.l1_base), std::int64_t{1}, cores, cores,
                        integer(card.l1_bytes) * cores, usable * cores, usable * cores, usable * cores, usable});
    }

    void write_operation(std::int64_t id, const Operation& operation) {
        double seconds = 0;
        for (const std::size_t op : operation.ops) {
            seconds += static_cast<double>(run_.spans(clock_)[op].duration_ns) / 1e9;
        }
        database_.insert("operations", {id, operation.name, seconds});
        for (const auto& [name, value] : operation.arguments) {
            database_.insert("operation_arguments", {id, name, value});
        }
        write_tensors(id, operation.inputs, "input_tensors", "tensor_consumers");
        write_tensors(id, operation.outputs, "output_tensors", "tensor_producers");
        for (const TensorRecord& output : operation.outputs) {
            Life& life = lives_[integer(output.tensor_id)];
            life.producer = life.producer == 0 ? id : life.producer;
            life.last_use = std::max(life.last_use, id);
        }
        for (const TensorRecord& input : operation.inputs) {
            lives_[integer(input.tensor_id)].last_use = id;
        }
        write_buffers(id, operation.end_sequence);
        database_.insert("captured_graph", {id, captured_graph(run_, operation)});
    }

    void write_tensors(
        std::int64_t id, const std::vector<TensorRecord>& tensors, const char* table, const char* reverse) {
        std::int64_t index = 0;
        for (const TensorRecord& tensor : tensors) {
            const std::int64_t tensor_id = integer(tensor.tensor_id);
            database_.insert(table, {id, index, tensor_id});
            database_.insert(reverse, {tensor_id, id, index});
            ++index;
            if (!written_.insert(tensor.tensor_id).second) {
                continue;
            }
            const auto& spec = tensor.spec;
            const Value on_device = tensor.on_device ? Value(std::int64_t{0}) : Value(nullptr);
            const Value address = tensor.on_device ? Value(integer(tensor.address)) : Value(nullptr);
            const Value type =
                tensor.on_device ? Value(enumerator(spec.memory_config().buffer_type())) : Value(nullptr);
            database_.insert(
                "tensors", {tensor_id, fmt::format("Shape([{}])", fmt::join(spec.logical_shape().view(), ", ")),
                            fmt::format("DataType.{}", dtype_name(spec.data_type())),
                            fmt::format("Layout.{}", layout_name(spec.layout())),
                            visualizer_memory(spec.memory_config()), on_device, address, type});
            if (tensor.on_device) {
                database_.insert("device_tensors", {tensor_id, std::int64_t{0}, integer(tensor.address)});
                at_address_[{spec.memory_config().buffer_type(), tensor.address}] = tensor_id;
            }
        }
    }

    // Everything that is alive when the operation's last op is issued: its inputs and outputs are.
    void write_buffers(std::int64_t id, std::uint64_t end_sequence) {
        const std::vector<BufferRecord>& events = run_.recording.buffers;
        if (end_sequence < last_sequence_) {  // a trace's ops were issued before those that ran just now
            live_.clear();
            next_event_ = 0;
        }
        last_sequence_ = end_sequence;
        for (; next_event_ < events.size() && events[next_event_].sequence <= end_sequence; ++next_event_) {
            const BufferRecord& event = events[next_event_];
            const auto key = std::pair(event.type, event.address);
            if (event.event != BufferRecord::Event::Freed) {
                live_[key] = event;
                continue;
            }
            live_.erase(key);
            if (const auto owner = at_address_.find(key); owner != at_address_.end()) {
                lives_[owner->second].freed = id;
                at_address_.erase(owner);
            }
        }
        for (const auto& [key, buffer] : live_) {
            database_.insert(
                "buffers", {id, std::int64_t{0}, integer(buffer.address), integer(buffer.bytes_per_bank),
                            enumerator(buffer.type), enumerator(buffer.layout)});
            if (buffer.type == ttnn::BufferType::L1) {
                write_chunks(id, buffer);
            }
        }
    }

    void write_chunks(std::int64_t id, const BufferRecord& buffer) {
        const std::uint32_t banks = buffer.num_cores == 0 ? run_.card.cores() : buffer.num_cores;
        const std::uint64_t page = std::max<std::uint64_t>(1, buffer.page_size);
        const std::uint64_t pages = (buffer.bytes + page - 1) / page;
        const std::uint64_t pages_a_bank = (pages + banks - 1) / banks;
        for (std::uint32_t bank = 0; bank < banks && bank * pages_a_bank < pages; ++bank) {
            const std::uint64_t here = std::min(pages_a_bank, pages - bank * pages_a_bank);
            database_.insert(
                "buffer_chunks",
                {id, std::int64_t{0}, integer(buffer.address), std::int64_t{bank},
                 std::int64_t{bank % run_.card.grid_x}, std::int64_t{bank / run_.card.grid_x}, integer(buffer.address),
                 integer(here * page), integer(page), integer(here), enumerator(buffer.type)});
        }
    }

    const Run& run_;
    Clock clock_;
    std::vector<Operation> operations_;
    Database database_;
    std::set<std::uint64_t> written_;
    std::map<std::int64_t, Life> lives_;
    std::map<std::pair<ttnn::BufferType, std::uint64_t>, BufferRecord> live_;
    std::map<std::pair<ttnn::BufferType, std::uint64_t>, std::int64_t> at_address_;
    std::size_t next_event_ = 0;
    std::uint64_t last_sequence_ = 0;
};

}  // namespace

void write_memory_report(const Run& run, const std::filesystem::path& directory) {
    Report(run, directory).write();
    const nlohmann::json config{
        {"report_name", run.title},
        {"enable_logging", true},
        {"enable_graph_report", true},
        {"enable_detailed_buffer_report", true}};
    write_file(directory / "config.json", config.dump(2) + "\n");
    write_file(
        directory / "cluster_descriptor.yaml", fmt::format(
                                                   "arch: {{0: {}}}\nchips: {{0: [0,0,0,0]}}\nethernet_connections: "
                                                   "[]\nchips_with_mmio: [{{0: 0}}]\nboardtype: {{0: {}}}\n",
                                                   run.card.arch, run.card.board));
}

}  // namespace zoo::apps::profile
