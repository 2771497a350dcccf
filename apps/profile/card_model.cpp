// SPDX-License-Identifier: Apache-2.0
#include "profile/card_model.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include <nlohmann/json.hpp>

#include "profile/text.hpp"

namespace zoo::apps::profile {

namespace {

using ttnn_cpu::OpRecord;
using ttnn_cpu::TensorRecord;

constexpr double kTile = 32;
constexpr double kOperationsACycle = 4096;  // of one core's matrix engine at LoFi

constexpr std::array<std::pair<std::string_view, Kind>, 26> kKinds{{
    {"Matmul", Kind::Matmul},          {"Conv2d", Kind::Conv},
    {"SDPA", Kind::Attention},         {"Sdpa", Kind::Attention},
    {"Softmax", Kind::Normalization},  {"Norm", Kind::Normalization},
    {"Reduce", Kind::Normalization},   {"ArgMax", Kind::Normalization},
    {"TopK", Kind::Normalization},     {"Pool", Kind::Pool},
    {"Tilize", Kind::DataMovement},    {"Untilize", Kind::DataMovement},
    {"Shard", Kind::DataMovement},     {"Reshard", Kind::DataMovement},
    {"Halo", Kind::DataMovement},      {"Move", Kind::DataMovement},
    {"Slice", Kind::DataMovement},     {"Concat", Kind::DataMovement},
    {"Pad", Kind::DataMovement},       {"Transpose", Kind::DataMovement},
    {"Permute", Kind::DataMovement},   {"Reshape", Kind::DataMovement},
    {"Embedding", Kind::DataMovement}, {"Heads", Kind::DataMovement},
    {"Upsample", Kind::DataMovement},  {"Cache", Kind::DataMovement},
}};

constexpr std::array<std::string_view, 7> kMoreMovement{"Fold", "Copy", "Clone", "Repeat", "Split", "Expand", "Fill"};

// Cycles that a core takes for one tile of an op without the matrix engine's products. From unpacker and packer widths (64 and 32
// bytes a cycle) and the passes over the data.
double cycles_a_tile(Kind kind) {
    switch (kind) {
        case Kind::Attention:
            return 500;
        case Kind::Normalization:
            return 450;
        case Kind::Elementwise:
            return 150;
        case Kind::Pool:
            return 300;
        default:
            return 0;
    }
}

int phases(const std::string& fidelity) {
    if (fidelity == "LoFi") {
        return 1;
    }
    return fidelity == "HiFi2" ? 2 : fidelity == "HiFi3" ? 3 : 4;
}

double elements(const ttnn::Shape& shape) {
    double count = 1;
    for (const auto dim : shape.view()) {
        count *= dim;
    }
    return count;
}

double last(const ttnn::Shape& shape, std::size_t from_end) {
    const auto dims = shape.view();
    return from_end < dims.size() ? dims[dims.size() - 1 - from_end] : 1;
}

double round_to_tile(double value) { return std::ceil(value / kTile) * kTile; }

double bytes_of(const TensorRecord& tensor) {
    return elements(tensor.spec.padded_shape()) * bits_per_element(tensor.spec.data_type()) / 8;
}

void add_tensor(Work& work, const TensorRecord& tensor, double dram_peak) {
    if (!tensor.on_device) {
        return;
    }
    const auto& memory = tensor.spec.memory_config();
    const double bytes = bytes_of(tensor);
    if (memory.is_dram()) {
        work.dram_bytes += bytes;
        work.slowest_tensor_ns = std::max(work.slowest_tensor_ns, bytes / (dram_peak * 1.073741824));
    }
    (memory.is_sharded() && memory.is_l1() ? work.local_bytes : work.network_bytes) += bytes;
}

// Of the tables that these index, rows are read that the output holds; the rest stays where it is.
bool reads_few_rows(const std::string& name) {
    return name.starts_with("Embedding") || name.find("Cache") != std::string::npos;
}

void add_matmul(Work& work, const OpRecord& op) {
    const auto& a = op.inputs.at(0).spec;
    const auto& out = op.outputs.at(0).spec;
    const nlohmann::json attributes = nlohmann::json::parse(op.attributes, nullptr, false);
    const bool transposed = attributes.is_object() && attributes.value("transpose_a", false);
    const double k = last(a.logical_shape(), transposed ? 1 : 0);
    work.operations = 2 * elements(out.logical_shape()) * k;
    work.padded_operations = 2 * elements(out.padded_shape()) * round_to_tile(k);
}

void add_conv(Work& work, const OpRecord& op) {
    const nlohmann::json attributes = nlohmann::json::parse(op.attributes, nullptr, false);
    if (!attributes.is_object() || !attributes.contains("window_hw")) {
        return;
    }
    const auto window = attributes["window_hw"];
    const double taps = window.at(0).get<double>() * window.at(1).get<double>();
    const double channels = attributes.value("input_channels", 1.0);
    const double groups = attributes.value("groups", 1.0);
    const auto& out = op.outputs.at(0).spec;
    work.operations = 2 * elements(out.logical_shape()) * channels / groups * taps;
    // Groups become one dense weight, and a row of the window's columns is padded to whole tiles.
    const double k = round_to_tile(last(op.inputs.at(0).spec.padded_shape(), 0) * taps);
    work.padded_operations = 2 * elements(out.padded_shape()) * k;
    // Each output row gathers its window from L1.
    work.local_bytes += round_to_tile(elements(out.padded_shape()) / last(out.padded_shape(), 0)) * k *
                        bits_per_element(op.inputs.at(0).spec.data_type()) / 8;
}

}  // namespace

std::string_view to_string(Kind kind) {
    constexpr std::array<std::string_view, 7> kNames{"matmul",      "convolution", "attention",    "normalization",
                                                     "elementwise", "pool",        "data movement"};
    return kNames[static_cast<std::size_t>(kind)];
}

Kind kind_of(std::string_view op_name) {
    for (const auto& [part, kind] : kKinds) {
        if (op_name.find(part) != std::string_view::npos) {
            return kind;
        }
    }
    const bool moves = std::ranges::any_of(
        kMoreMovement, [&](std::string_view part) { return op_name.find(part) != std::string_view::npos; });
    return moves ? Kind::DataMovement : Kind::Elementwise;
}

CardConstants constants_of(const Card& card) {
    CardConstants constants;
    if (card.arch == "blackhole") {
        constants.dram_gb_per_s = 512;
        constants.network_bytes_a_cycle *= 2;  // its network is 64 bytes wide
        constants.local_bytes_a_cycle *= 2;
    }
    return constants;
}

Work work_of(const OpRecord& op, const Card& card) {
    Work work;
    work.kind = kind_of(op.name);
    work.fidelity_phases = phases(op.math_fidelity);
    const double peak = constants_of(card).dram_gb_per_s;
    double in_tiles = 0;
    double out_tiles = 0;
    for (const TensorRecord& input : op.inputs) {
        if (reads_few_rows(op.name) && &input != &op.inputs.front()) {
            continue;
        }
        add_tensor(work, input, peak);
        in_tiles = std::max(in_tiles, elements(input.spec.padded_shape()) / (kTile * kTile));
    }
    for (const TensorRecord& output : op.outputs) {
        add_tensor(work, output, peak);
        out_tiles = std::max(out_tiles, elements(output.spec.padded_shape()) / (kTile * kTile));
    }
    work.tiles = std::max(in_tiles, out_tiles);
    if (op.inputs.size() >= 2 && !op.outputs.empty()) {
        if (work.kind == Kind::Matmul) {
            add_matmul(work, op);
        } else if (work.kind == Kind::Conv) {
            add_conv(work, op);
        }
    }
    if (work.kind == Kind::Attention && op.inputs.size() >= 2) {
        const auto& query = op.inputs[0].spec;
        work.operations = 4 * elements(query.logical_shape()) * last(op.inputs[1].spec.logical_shape(), 1);
        work.padded_operations = work.operations;
    }
    return work;
}

Ideal ideal_of(const Work& work, const Card& card) {
    Ideal ideal;
    if (work.operations > 0) {
        const double cycles = work.operations / (card.cores() * kOperationsACycle) * work.fidelity_phases;
        ideal.compute_ns = std::max(1.0, std::ceil(cycles / card.ghz));
    }
    ideal.bandwidth_ns = std::max(1.0, std::ceil(work.slowest_tensor_ns));
    return ideal;
}

double modelled_ns(const Work& work, const OpRecord& op, const Card& card, const CardConstants& constants) {
    const double cores = std::max<double>(1, op.core_count);
    const double share = work.kind == Kind::Conv ? constants.conv_share : constants.matmul_share;
    const double products =
        work.padded_operations * work.fidelity_phases / (cores * kOperationsACycle * share) / card.ghz;
    const double passes = std::ceil(work.tiles / cores) * cycles_a_tile(work.kind) / card.ghz;
    const double network = work.network_bytes / cores / constants.network_bytes_a_cycle / card.ghz;
    const double local = work.kind == Kind::DataMovement || work.kind == Kind::Conv
                             ? work.local_bytes / cores / constants.local_bytes_a_cycle / card.ghz
                             : 0;
    const double dram = work.dram_bytes / (constants.dram_gb_per_s * constants.dram_share);
    return constants.start_ns + std::max({products + passes, network, local, dram});
}

void model_card_times(Run& run) {
    const CardConstants constants = constants_of(run.card);
    run.card_time.clear();
    double now = 0;
    for (const OpRecord& op : run.recording.ops) {
        const double duration = modelled_ns(work_of(op, run.card), op, run.card, constants);
        run.card_time.push_back(
            {static_cast<std::uint64_t>(std::llround(now)), static_cast<std::uint64_t>(std::llround(duration))});
        now += duration + constants.gap_ns;
    }
}

}  // namespace zoo::apps::profile
