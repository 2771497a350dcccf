// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include <nlohmann/json.hpp>

#include "profile/card_constants.hpp"
#include "profile/card_model.hpp"
#include "profile/card_shapes.hpp"
#include "profile/text.hpp"

namespace zoo::apps::profile {

using ttnn_cpu::OpRecord;
using ttnn_cpu::TensorRecord;

namespace {

// Instructions of the vector engine for one vector of a function, as its kernels have them, load and store included. By a table where the
// op asks for approximations, else by polynomials.
double vector_instructions(std::string_view attributes) {
    struct Function {
        std::string_view name;
        double exact;
        double approximate;
    };
    constexpr std::array<Function, 12> kFunctions{
        {{"MISH", 60, 40},
         {"GELU", 24, 12},
         {"SILU", 30, 16},
         {"SIGMOID", 26, 12},
         {"TANH", 12, 12},
         {"ERF", 40, 40},
         {"EXP", 20, 10},
         {"SQRT", 24, 12},
         {"LOG", 24, 24},
         {"RECIP", 20, 12},
         {"TYPECAST", 6, 6},
         {"LEAKY", 6, 6}}};
    const bool approximate = attributes.find("\"math_approx_mode\":true") != std::string_view::npos;
    double sum = 0;
    for (const Function& function : kFunctions) {
        if (attributes.find(function.name) != std::string_view::npos) {
            sum += approximate ? function.approximate : function.exact;
        }
    }
    return sum;
}

class Costing {
public:
    Costing(const OpRecord& op, const Card& card)
        : op_(op),
          kind_(kind_of(op.name)),
          constants_(constants_of(card.arch)),
          card_(card),
          cores_(std::max<double>(1, op.core_count)),
          attributes_(nlohmann::json::parse(op.attributes, nullptr, false)) {
        if (!attributes_.is_object()) {
            attributes_ = nlohmann::json::object();
        }
    }

    Estimate estimate() {
        estimate_.start_ns = constants_.start_ns;
        if (!op_.outputs.empty() && !op_.inputs.empty()) {
            switch (kind_) {
                case Kind::Matmul:
                    add_matmul();
                    break;
                case Kind::Conv:
                    add_conv();
                    break;
                case Kind::Attention:
                    add_attention();
                    break;
                case Kind::Pool:
                    add_pool();
                    break;
                case Kind::DataMovement:
                    add_movement();
                    break;
                case Kind::Normalization:
                case Kind::Elementwise:
                    add_passes();
                    break;
            }
        }
        const double one_way = std::max(dram_read_, dram_written_) / constants_.dram_one_way_gb_per_s;
        estimate_.dram_ns = std::max(one_way, (dram_read_ + dram_written_) / constants_.dram_both_ways_gb_per_s);
        estimate_.network_ns = crossed_ / constants_.network_all_gb_per_s;
        return estimate_;
    }

private:
    [[nodiscard]] double cycles(double count) const { return count / card_.ghz; }  // in ns
    [[nodiscard]] double passes(double tiles, double count) const {
        return cycles(tiles * count * constants_.pass_cycles);
    }
    [[nodiscard]] double vectors(double tiles, double instructions) const {
        return cycles(tiles * constants_.vectors_a_tile * instructions);
    }
    [[nodiscard]] double transfer(double bytes, bool dram) const {
        return std::max(dram ? constants_.dram_issue_ns : constants_.l1_issue_ns, bytes / constants_.network_gb_per_s);
    }
    // A core that fetches tiles and multicasts each to others.
    [[nodiscard]] double send(double tiles, double bytes) const {
        return tiles * (constants_.sender_issue_ns + bytes / constants_.sender_gb_per_s);
    }
    void count(const TensorRecord& tensor, double bytes, bool written) {
        if (tensor.spec.memory_config().is_dram()) {
            (written ? dram_written_ : dram_read_) += bytes;
        } else {
            crossed_ += bytes;
        }
    }
    // All of a tensor, spread evenly over the cores.
    void read(const TensorRecord& tensor, double share = 1) {
        const Pages pages = pages_of(tensor);
        estimate_.reader_ns +=
            std::ceil(pages.count * share / cores_) * transfer(pages.bytes, tensor.spec.memory_config().is_dram());
        count(tensor, pages.total() * share, false);
    }
    void write(const TensorRecord& tensor) {
        const Pages pages = pages_of(tensor);
        estimate_.writer_ns +=
            std::ceil(pages.count / cores_) * transfer(pages.bytes, tensor.spec.memory_config().is_dram());
        count(tensor, pages.total(), true);
    }

    // Tile by tile: fetched if it is not there, a pass or several, sent if it does not stay.
    void add_passes() {
        double tiles = tiles_a_core(op_.outputs[0], cores_);
        for (const TensorRecord& input : op_.inputs) {
            tiles = std::max(tiles, tiles_a_core(input, cores_));
            if (input.on_device && !is_local(input)) {
                read(input);
            }
        }
        for (const TensorRecord& output : op_.outputs) {
            if (!is_local(output)) {
                write(output);
            }
        }
        estimate_.compute_ns = passes(tiles, pass_count()) + vectors(tiles, vector_instructions(op_.attributes));
        if (op_.name.find("Softmax") != std::string::npos) {
            estimate_.compute_ns += vectors(tiles, vector_instructions("EXP" + op_.attributes));
        }
    }

    // How often a tile goes through the engine.
    [[nodiscard]] double pass_count() const {
        const auto named = [&](std::string_view part) { return op_.name.find(part) != std::string::npos; };
        if (named("Softmax")) {
            return 5;  // scale and mask, maximum, exponential, sum, product
        }
        if (named("LayerNorm")) {
            return 6 + (op_.inputs.size() > 3 ? 1 : 0);  // mean, difference, square, mean, product, scale and shift
        }
        if (named("BatchNorm")) {
            return 4;
        }
        if (named("TopK")) {
            return 40;  // a sorting network over the row
        }
        return 1;
    }

    void add_products(double products, const TensorRecord& streamed) {
        const double product = std::max(
                                   constants_.phase_cycles * phases(op_.math_fidelity),
                                   tile_bytes(streamed) / constants_.unpack_bytes_a_cycle) +
                               constants_.product_overhead_cycles;
        estimate_.compute_ns += cycles(products * product);
    }
    static double phases(const std::string& fidelity) {
        return fidelity == "LoFi" ? 1 : fidelity == "HiFi2" ? 2 : fidelity == "HiFi3" ? 3 : 4;
    }

    void add_matmul() {
        const TensorRecord& a = op_.inputs[0];
        const TensorRecord& b = op_.inputs.size() > 1 ? op_.inputs[1] : a;
        const TensorRecord& out = op_.outputs[0];
        estimate_.start_ns += constants_.fill_ns;
        const bool transposed = attributes_.value("transpose_a", false);
        const double k = std::ceil(last(a.spec.padded_shape(), transposed ? 1 : 0) / kTile);
        const double out_tiles = tiles_a_core(out, cores_);
        add_products(out_tiles * k, b);
        estimate_.compute_ns += vectors(out_tiles, vector_instructions(op_.attributes));
        add_operands(a, b);
        if (!is_local(out)) {
            write(out);
        }
    }

    // How the operands of a matmul reach the cores, by its program config.
    void add_operands(const TensorRecord& a, const TensorRecord& b) {
        const auto config = attributes_.value("program_config", nlohmann::json::object());
        const std::string type = config.value("type", std::string());
        const bool two_ways = type == "MatmulMultiCoreReuseMultiCastProgramConfig";
        const bool one_way = type == "MatmulMultiCoreReuseMultiCast1DProgramConfig";
        const bool sends_a = two_ways || (one_way && config.value("mcast_in0", true));
        const bool sends_b = two_ways || (one_way && !sends_a);
        // In two dimensions one core of each row sends the left side, one of each column the right side.
        const auto& out = op_.outputs[0].spec.padded_shape();
        const double width = last(out, 0);
        const auto blocks = [&](double size, const char* per_core) {
            return two_ways ? std::max(1.0, std::ceil(size / kTile / std::max(1.0, config.value(per_core, 1.0)))) : 1.0;
        };
        const double rows = blocks(elements(out) / width, "per_core_M");
        const double columns = blocks(width, "per_core_N");
        if (is_local(a)) {
            if (sends_a) {  // each shard in its turn goes to the cores of its row
                estimate_.reader_ns += tiles_of(a) / rows * transfer(tile_bytes(a), false);
            }
        } else if (sends_a) {
            estimate_.reader_ns += send(tiles_of(a) / rows, tile_bytes(a));
            count(a, tiles_of(a) * tile_bytes(a), false);
        } else {
            read(a);
        }
        if (is_local(b)) {
            return;
        }
        if (sends_b) {
            // The other data movement core's: it reads and multicasts while the first does the same for a.
            estimate_.writer_ns += send(tiles_of(b) / columns, tile_bytes(b));
            count(b, tiles_of(b) * tile_bytes(b), false);
        } else {
            read(b);
        }
    }

    void add_conv() {
        const TensorRecord& in = op_.inputs[0];
        const TensorRecord& out = op_.outputs[0];
        estimate_.start_ns += constants_.fill_ns;
        if (op_.inputs.size() < 2 || !attributes_.contains("window_hw")) {
            return;
        }
        const TensorRecord& weights = op_.inputs[1];
        const auto& window = attributes_["window_hw"];
        const double high = window.at(0).get<double>();
        const double wide = window.at(1).get<double>();
        const auto& shard = out.spec.memory_config().shard_spec();
        const double rows = shard ? std::ceil(shard->shape[0] / kTile) : std::ceil(tiles_of(out) / cores_);
        const double k = std::ceil(last(weights.spec.padded_shape(), 1) / kTile);
        const double out_tiles = tiles_a_core(out, cores_);
        add_products(out_tiles * k, weights);
        // A shard of the input's channels is gathered and tilized by its own core, and sent along when there are several.
        const auto& in_shard = in.spec.memory_config().shard_spec();
        const double channels = last(in.spec.padded_shape(), 0);
        const double own = in_shard ? std::min<double>(channels, in_shard->shape[1]) : channels;
        const double gathered = rows * std::ceil(k * own / channels);
        estimate_.compute_ns += passes(gathered, 1);
        estimate_.compute_ns += passes(out_tiles, attributes_.value("has_bias", false) ? 1 : 0);
        estimate_.compute_ns +=
            vectors(out_tiles, vector_instructions(attributes_.value("activation", nlohmann::json()).dump()));
        // Row by row of the window, from L1 of its own; what was tilized then goes to the cores of the same row, in the output's format.
        const double gather = rows * kTile * high * transfer(wide * own * 2, false);
        const double columns = own < channels ? std::max(1.0, std::round(channels / own)) : 1;
        const double sent = send(tiles_of(weights) / columns, tile_bytes(weights));
        // The second data movement core has the weights; where it is done first it takes over a part of the rows (split reader).
        const double both = rows > 1 ? std::max((gather + sent) / 2, sent) : gather;
        estimate_.reader_ns += std::min(gather, both);
        estimate_.writer_ns += std::max(sent, std::min(gather, both));
        if (own < channels) {
            estimate_.reader_ns += gathered * (channels / own) * transfer(tile_bytes(out), false);
        }
        count(weights, tiles_of(weights) * tile_bytes(weights), false);
        if (!is_local(out)) {
            write(out);
        }
    }

    // Flash attention: scores and mixes are products of tiles, with the passes of a softmax over the scores between them.
    void add_attention() {
        const TensorRecord& query = op_.inputs[0];
        const TensorRecord& keys = op_.inputs.size() > 1 ? op_.inputs[1] : query;
        const double rows = elements(query.spec.padded_shape()) / last(query.spec.padded_shape(), 0) / kTile;
        const double columns = std::ceil(last(keys.spec.padded_shape(), 1) / kTile);
        const double depth = std::ceil(last(query.spec.padded_shape(), 0) / kTile);
        const double causal = attributes_.value("is_causal", false) ? 0.5 : 1;
        const double scores = std::ceil(rows * columns * causal / cores_);
        estimate_.start_ns += constants_.fill_ns;
        add_products(2 * scores * depth, keys);
        estimate_.compute_ns += passes(scores, 5) + vectors(scores, vector_instructions("EXP" + op_.attributes));
        for (const TensorRecord& input : op_.inputs) {
            if (!is_local(input)) {
                read(input);
            }
        }
        if (!is_local(op_.outputs[0])) {
            write(op_.outputs[0]);
        }
    }

    void add_pool() {
        const auto& out = op_.outputs[0];
        const double channels = last(out.spec.padded_shape(), 0);
        const auto& shard = out.spec.memory_config().shard_spec();
        const double own = shard ? std::min<double>(channels, shard->shape[1]) : channels;
        const double pixels =
            shard ? shard->shape[0] : std::ceil(elements(out.spec.padded_shape()) / channels / cores_);
        const auto window =
            attributes_.value("window_hw", attributes_.value("kernel_hw", nlohmann::json::array({1, 1})));
        const double high = window.is_array() && window.size() == 2 ? window[0].get<double>() : 1;
        const double wide = window.is_array() && window.size() == 2 ? window[1].get<double>() : 1;
        // A window is a tile of its own, as many of them as its rows and channels need.
        const double tiles = std::ceil(own / kTile) * std::ceil(high * wide / kTile);
        estimate_.compute_ns = passes(pixels * tiles / 4, 1);  // four faces' widths at once
        estimate_.reader_ns = pixels * high * transfer(wide * own * 2, false);
        if (!is_local(out)) {
            write(out);
        }
    }

    // Every page of the output comes from somewhere; tilizing, untilizing and transposing take a pass through the engine.
    void add_movement() {
        const auto named = [&](std::string_view part) { return op_.name.find(part) != std::string::npos; };
        const TensorRecord& out = op_.outputs[0];
        const TensorRecord& in = op_.inputs.back().on_device && named("Embeddings") ? op_.inputs.back() : op_.inputs[0];
        const bool dram = in.spec.memory_config().is_dram();
        Pages pages = pages_of(in);
        const Pages made = pages_of(out);
        double moved = std::min(pages.total(), made.total());
        if (named("Cache")) {
            moved = op_.inputs.size() > 1 ? pages_of(op_.inputs[1]).total() : moved;
        }
        pages.bytes = std::min(pages.bytes, made.bytes);
        if (named("Halo") && attributes_.contains("input_hw")) {
            pages.bytes *= attributes_["input_hw"].at(1).get<double>();  // a row of the picture lies in one piece
        }
        if (named("Move")) {
            pages.bytes = std::max(pages.bytes, moved / cores_);  // a shard goes as it is
        }
        const double transfers = std::ceil(moved / pages.bytes / cores_);
        const bool stays = is_local(in) && !is_local(out);  // then only the writer has work
        if (!stays) {
            estimate_.reader_ns += transfers * transfer(pages.bytes, dram);
            if (dram || !(named("Move") || named("Halo"))) {  // those stay on their core, but for the rims
                count(in, moved, false);
            }
        }
        if (!is_local(out)) {
            const double written = named("Cache") ? moved : made.total();
            estimate_.writer_ns +=
                std::ceil(written / made.bytes / cores_) * transfer(made.bytes, out.spec.memory_config().is_dram());
            count(out, written, true);
        }
        const bool changes = in.spec.layout() != out.spec.layout() || in.spec.data_type() != out.spec.data_type();
        if (changes || named("ilize") || named("Transpose") || named("Permute")) {
            estimate_.compute_ns += passes(std::max(tiles_a_core(in, cores_), tiles_a_core(out, cores_)), 1);
        }
    }

    const OpRecord& op_;
    Kind kind_;
    CardConstants constants_;
    const Card& card_;
    double cores_;
    nlohmann::json attributes_;
    Estimate estimate_;
    double dram_read_ = 0;
    double dram_written_ = 0;
    double crossed_ = 0;
};

}  // namespace

Estimate estimate(const OpRecord& op, const Card& card) { return Costing(op, card).estimate(); }

}  // namespace zoo::apps::profile
