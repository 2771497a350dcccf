// SPDX-License-Identifier: Apache-2.0
#include "profile/summary.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <numeric>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "profile/text.hpp"
#include "table.hpp"

namespace zoo::apps::profile {

namespace {

using ttnn_cpu::OpRecord;

double milliseconds(std::uint64_t ns) { return static_cast<double>(ns) / 1e6; }

// "MatmulDeviceOperation" is Matmul to a reader.
std::string short_name(const std::string& name) {
    for (const std::string_view end : {"DeviceOperation", "Operation"}) {
        if (name.ends_with(end) && name.size() > end.size()) {
            return name.substr(0, name.size() - end.size());
        }
    }
    return name;
}

std::string shape_of(const OpRecord& op) {
    const auto& tensors = op.outputs.empty() ? op.inputs : op.outputs;
    if (tensors.empty()) {
        return "";
    }
    const auto& spec = tensors.front().spec;
    return fmt::format("[{}] {}", fmt::join(spec.logical_shape().view(), ", "), dtype_name(spec.data_type()));
}

void print_costliest(const Run& run, std::ostream& out, std::size_t rows) {
    std::vector<std::size_t> order(run.recording.ops.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, std::greater<>(), [&](std::size_t i) { return run.card_time[i].duration_ns; });
    order.resize(std::min(order.size(), rows));
    using Align = Table::Align;
    std::vector<Table::Column> columns{{"#", Align::Right}, {"op"},
                                       {"output"},          {"cores", Align::Right},
                                       {"fidelity"},        {"card us", Align::Right},
                                       {"%", Align::Right}, {"util %", Align::Right},
                                       {"waits for"}};
    if (run.measured()) {
        columns.push_back({"CPU ms", Align::Right});
    }
    Table table(std::move(columns));
    const auto total = static_cast<double>(total_ns(run.card_time));
    for (const std::size_t i : order) {
        const OpRecord& op = run.recording.ops[i];
        const Work work = work_of(op, run.card);
        const Span& span = run.card_time[i];
        std::vector<std::string> cells{
            std::to_string(i + 1),
            short_name(op.name),
            shape_of(op),
            std::to_string(op.core_count),
            op.math_fidelity,
            fmt::format("{:.1f}", static_cast<double>(span.duration_ns) / 1000),
            fmt::format("{:.1f}", 100 * static_cast<double>(span.duration_ns) / total),
            work.operations > 0 ? fmt::format("{:.0f}", utilization(ideal_of(work, run.card), span, op, run.card)) : "",
            std::string(estimate(op, run.card).bound())};
        if (run.measured()) {
            cells.push_back(fmt::format("{:.2f}", milliseconds(run.cpu[i].duration_ns)));
        }
        table.add(std::move(cells));
    }
    table.print(out);
}

void print_kinds(const Run& run, std::ostream& out) {
    std::array<double, kKinds> card{};
    std::array<double, kKinds> cpu{};
    for (std::size_t i = 0; i < run.recording.ops.size(); ++i) {
        const auto kind = static_cast<std::size_t>(kind_of(run.recording.ops[i].name));
        card[kind] += static_cast<double>(run.card_time[i].duration_ns);
        cpu[kind] += run.measured() ? static_cast<double>(run.cpu[i].duration_ns) : 0;
    }
    const double card_total = std::accumulate(card.begin(), card.end(), 0.0);
    const double cpu_total = std::accumulate(cpu.begin(), cpu.end(), 0.0);
    using Align = Table::Align;
    std::vector<Table::Column> columns{{"kind"}, {"card %", Align::Right}, {""}};
    if (run.measured()) {
        columns.push_back({"CPU %", Align::Right});
    }
    Table table(std::move(columns));
    for (std::size_t kind = 0; kind < card.size(); ++kind) {
        if (card[kind] > 0) {
            std::vector<std::string> cells{
                std::string(to_string(static_cast<Kind>(kind))), fmt::format("{:.1f}", 100 * card[kind] / card_total),
                bar(card[kind] / card_total)};
            if (run.measured()) {
                cells.push_back(fmt::format("{:.1f}", 100 * cpu[kind] / cpu_total));
            }
            table.add(std::move(cells));
        }
    }
    table.print(out);
}

void print_peak(const Run& run, std::ostream& out) {
    std::uint64_t peak = 0;
    std::size_t at = 0;
    for (std::size_t i = 0; i < run.recording.ops.size(); ++i) {
        const OpRecord& op = run.recording.ops[i];
        if (op.l1_allocated_bytes + op.circular_buffer_bytes > peak) {
            peak = op.l1_allocated_bytes + op.circular_buffer_bytes;
            at = i;
        }
    }
    if (peak == 0) {
        out << "L1 is not used.\n";
        return;
    }
    const OpRecord& op = run.recording.ops[at];
    const auto size = [](std::uint64_t count) { return bytes(static_cast<double>(count)); };
    out << fmt::format(
        "Peak L1: {} of {} a core ({:.0f} %), {} of tensors and {} of circular buffers, at op {}, {} {}.\n", size(peak),
        size(run.card.l1_usable), 100.0 * static_cast<double>(peak) / static_cast<double>(run.card.l1_usable),
        size(op.l1_allocated_bytes), size(op.circular_buffer_bytes), at + 1, short_name(op.name), shape_of(op));
}

// Adds up ops that share a fault.
class Finding {
public:
    void add(std::size_t index, double ns) {
        ops_.push_back(index + 1);
        ns_ += ns;
    }
    [[nodiscard]] bool empty() const { return ops_.empty(); }
    [[nodiscard]] std::size_t count() const { return ops_.size(); }
    [[nodiscard]] double ns() const { return ns_; }
    // "ops 4, 9, 14 and 21 more"
    [[nodiscard]] std::string ops() const {
        const std::vector<std::size_t> first(
            ops_.begin(), ops_.begin() + std::min<std::ptrdiff_t>(3, std::ssize(ops_)));
        std::string text = fmt::format("op{} {}", ops_.size() == 1 ? "" : "s", fmt::join(first, ", "));
        if (ops_.size() > first.size()) {
            text += fmt::format(" and {} more", ops_.size() - first.size());
        }
        return text;
    }

private:
    std::vector<std::size_t> ops_;
    double ns_ = 0;
};

bool is_reshard(const std::string& name) {
    return name.starts_with("Reshard") || name.starts_with("InterleavedToSharded") ||
           name.starts_with("ShardedToInterleaved");
}

}  // namespace

double utilization(const Ideal& ideal, const Span& span, const OpRecord& op, const Card& card) {
    const auto ns = static_cast<double>(std::max<std::uint64_t>(1, span.duration_ns));
    return 100 * ideal.ns() / ns * card.cores() / std::max<double>(1, op.core_count);
}

std::vector<Advice> advice(const Run& run) {
    const auto total = static_cast<double>(total_ns(run.card_time));
    Finding few_cores;
    Finding reshards;
    Finding wide;
    Finding fidelity;
    Finding dram;
    for (std::size_t i = 0; i < run.recording.ops.size(); ++i) {
        const OpRecord& op = run.recording.ops[i];
        const auto ns = static_cast<double>(run.card_time[i].duration_ns);
        const Kind kind = kind_of(op.name);
        const bool products = kind == Kind::Matmul || kind == Kind::Conv;
        if (op.core_count * 2 < run.card.cores() && ns > 0.005 * total) {
            few_cores.add(i, ns);
        }
        if (is_reshard(op.name)) {
            reshards.add(i, ns);
        }
        if (products && op.inputs.size() > 1) {
            const auto dtype = op.inputs[1].spec.data_type();
            if (dtype == ttnn::DataType::BFLOAT16 || dtype == ttnn::DataType::FLOAT32) {
                wide.add(i, ns);
            }
            if (op.math_fidelity == "HiFi4" || op.math_fidelity == "HiFi3") {
                fidelity.add(i, ns);
            }
            if (op.inputs[0].on_device && op.inputs[0].spec.memory_config().is_dram()) {
                dram.add(i, ns);
            }
        }
    }
    std::vector<Advice> list;
    const auto add = [&](const Finding& finding, const std::string& text) {
        if (!finding.empty()) {
            list.push_back({fmt::format(fmt::runtime(text), finding.ops()), finding.ns() / total});
        }
    };
    add(few_cores,
        fmt::format(
            "Fewer than half of the {} cores compute: {{}}. Another way of sharding (height, width, block) may "
            "use more.",
            run.card.cores()));
    add(reshards, "Tensors change their sharding between ops: {}. Keeping one way of sharding saves them.");
    add(wide, "Weights are bfloat16 or float32: {}. bfloat8_b halves what is read, if the PCC allows.");
    add(fidelity,
        "Products run at HiFi3 or HiFi4: {}. LoFi or HiFi2 takes a quarter or half of the passes, if the PCC allows.");
    add(dram, "Activations of products are read from DRAM: {}. Sharded in L1 they need not move.");
    std::ranges::stable_sort(list, std::greater<>(), &Advice::share);
    return list;
}

void print_summary(const Run& run, std::ostream& out, std::size_t rows) {
    const std::uint64_t card_ns = total_ns(run.card_time);
    const std::uint64_t gaps = run.card_time.empty() ? 0 : run.card_time.back().end_ns() - card_ns;
    out << fmt::format(
        "{}: {} device ops\n"
        "  measured on this CPU   {}\n"
        "  modelled on {:<11}{:.3f} ms in kernels, {:.3f} ms with the gaps between them\n\n",
        run.title, run.recording.ops.size(),
        run.measured() ? fmt::format("{:.2f} ms in kernels", milliseconds(total_ns(run.cpu))) : "no: --no-compute",
        run.card.board, milliseconds(card_ns), milliseconds(card_ns + gaps));
    out << fmt::format("The {} costliest ops, by the modelled clock:\n", std::min(rows, run.recording.ops.size()));
    print_costliest(run, out, rows);
    out << "\nWhere the time goes:\n";
    print_kinds(run, out);
    out << '\n';
    print_peak(run, out);
    const std::vector<Advice> list = advice(run);
    if (!list.empty()) {
        out << "\nWhat to look at:\n";
        for (const Advice& one : list) {
            out << fmt::format("  {:4.1f} %  {}\n", 100 * one.share, one.text);
        }
    }
}

}  // namespace zoo::apps::profile
