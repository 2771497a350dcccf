// SPDX-License-Identifier: Apache-2.0
#include "profile/card_model.hpp"

#include <algorithm>
#include <cmath>

#include <nlohmann/json.hpp>

#include "profile/card_constants.hpp"
#include "profile/card_shapes.hpp"
#include "profile/text.hpp"

namespace zoo::apps::profile {

namespace {

using ttnn_cpu::OpRecord;
using ttnn_cpu::TensorRecord;

constexpr std::array<std::pair<std::string_view, Kind>, 34> kNames{{
    {"Matmul", Kind::Matmul},           {"Conv2d", Kind::Conv},
    {"SDPA", Kind::Attention},          {"Sdpa", Kind::Attention},
    {"Softmax", Kind::Normalization},   {"Norm", Kind::Normalization},
    {"Reduce", Kind::Normalization},    {"ArgMax", Kind::Normalization},
    {"TopK", Kind::Normalization},      {"Pool", Kind::Pool},
    {"Tilize", Kind::DataMovement},     {"Untilize", Kind::DataMovement},
    {"Shard", Kind::DataMovement},      {"Reshard", Kind::DataMovement},
    {"Halo", Kind::DataMovement},       {"Move", Kind::DataMovement},
    {"Slice", Kind::DataMovement},      {"Concat", Kind::DataMovement},
    {"Pad", Kind::DataMovement},        {"Transpose", Kind::DataMovement},
    {"Permute", Kind::DataMovement},    {"Reshape", Kind::DataMovement},
    {"Embeddings", Kind::DataMovement}, {"Heads", Kind::DataMovement},
    {"Upsample", Kind::DataMovement},   {"Cache", Kind::DataMovement},
    {"Fold", Kind::DataMovement},       {"Copy", Kind::DataMovement},
    {"Clone", Kind::DataMovement},      {"Repeat", Kind::DataMovement},
    {"Split", Kind::DataMovement},      {"Expand", Kind::DataMovement},
    {"Fill", Kind::DataMovement},       {"Gather", Kind::DataMovement},
}};

int phases(const std::string& fidelity) {
    if (fidelity == "LoFi") {
        return 1;
    }
    return fidelity == "HiFi2" ? 2 : fidelity == "HiFi3" ? 3 : 4;
}

double arithmetic_of(Kind kind, const OpRecord& op) {
    if (op.inputs.size() < 2 || op.outputs.empty()) {
        return 0;
    }
    const nlohmann::json attributes = nlohmann::json::parse(op.attributes, nullptr, false);
    const double outputs = elements(op.outputs[0].spec.logical_shape());
    if (kind == Kind::Matmul) {
        const bool transposed = attributes.is_object() && attributes.value("transpose_a", false);
        return 2 * outputs * last(op.inputs[0].spec.logical_shape(), transposed ? 1 : 0);
    }
    if (kind == Kind::Conv && attributes.is_object() && attributes.contains("window_hw")) {
        const auto& window = attributes["window_hw"];
        return 2 * outputs * attributes.value("input_channels", 1.0) / attributes.value("groups", 1.0) *
               window.at(0).get<double>() * window.at(1).get<double>();
    }
    if (kind == Kind::Attention) {
        return 4 * elements(op.inputs[0].spec.logical_shape()) * last(op.inputs[1].spec.logical_shape(), 1);
    }
    return 0;
}

}  // namespace

std::string_view to_string(Kind kind) {
    constexpr std::array<std::string_view, kKinds> kTitles{
        "matmul", "convolution", "attention", "normalization", "elementwise", "pool", "data movement"};
    return kTitles[static_cast<std::size_t>(kind)];
}

Kind kind_of(std::string_view op_name) {
    for (const auto& [part, kind] : kNames) {
        if (op_name.find(part) != std::string_view::npos) {
            return kind;
        }
    }
    return Kind::Elementwise;
}

CardConstants constants_of(std::string_view arch) {
    CardConstants constants;
    if (arch == "blackhole") {
        // From the same tables; its network is 64 bytes wide, its DRAM has 512 GB/s where Wormhole's has 288.
        constants.dram_gb_per_s = 512;
        constants.network_gb_per_s = 50;
        constants.dram_issue_ns = 41;
        constants.l1_issue_ns = 24;
        constants.dram_one_way_gb_per_s *= 512.0 / 288;
        constants.dram_both_ways_gb_per_s *= 512.0 / 288;
        constants.network_all_gb_per_s = 1050;
        constants.sender_gb_per_s *= 50.0 / 28;
    }
    return constants;
}

Work work_of(const OpRecord& op, const Card& card) {
    Work work;
    work.kind = kind_of(op.name);
    work.fidelity_phases = phases(op.math_fidelity);
    work.operations = arithmetic_of(work.kind, op);
    const double peak = constants_of(card.arch).dram_gb_per_s;
    for (const auto* tensors : {&op.inputs, &op.outputs}) {
        for (const TensorRecord& tensor : *tensors) {
            if (tensor.on_device && tensor.spec.memory_config().is_dram()) {
                const double bytes =
                    elements(tensor.spec.padded_shape()) * bits_per_element(tensor.spec.data_type()) / 8;
                work.slowest_tensor_ns = std::max(work.slowest_tensor_ns, bytes / (peak * 1.073741824));
            }
        }
    }
    return work;
}

Ideal ideal_of(const Work& work, const Card& card) {
    Ideal ideal;
    if (work.operations > 0) {
        const double cycles =
            work.operations / (card.cores() * CardConstants{}.operations_a_cycle) * work.fidelity_phases;
        ideal.compute_ns = std::max(1.0, std::ceil(cycles / card.ghz));
    }
    ideal.bandwidth_ns = std::max(1.0, std::ceil(work.slowest_tensor_ns));
    return ideal;
}

double Estimate::ns() const { return start_ns + std::max({compute_ns, reader_ns, writer_ns, dram_ns, network_ns}); }

std::string_view Estimate::bound() const {
    const std::array<std::pair<double, std::string_view>, 6> parts{
        {{start_ns, "start"},
         {compute_ns, "compute"},
         {dram_ns, "DRAM"},
         {network_ns, "network"},
         {reader_ns, "reads"},
         {writer_ns, "writes"}}};
    return std::ranges::max_element(parts, {}, &std::pair<double, std::string_view>::first)->second;
}

void model_card_times(Run& run) {
    const CardConstants constants = constants_of(run.card.arch);
    run.card_time.clear();
    double now = 0;
    for (const OpRecord& op : run.recording.ops) {
        const double duration = estimate(op, run.card).ns();
        run.card_time.push_back(
            {static_cast<std::uint64_t>(std::llround(now)), static_cast<std::uint64_t>(std::llround(duration))});
        now += duration + constants.gap_ns;
    }
}

}  // namespace zoo::apps::profile
