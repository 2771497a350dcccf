// SPDX-License-Identifier: Apache-2.0
#include "metrics/conversion.hpp"

#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace zoo::apps::metrics {

namespace {

// A TTNN op that an aten op may become. `word`, where there is one, must stand in the call's arguments.
struct Target {
    std::string_view op;
    std::string_view word = {};
};

struct Rule {
    std::vector<std::string_view> aten;
    std::vector<Target> own;
    std::vector<Target> fused = {};
};

constexpr std::string_view kAttention = "ttnn.transformer.scaled_dot_product_attention";
constexpr std::string_view kDecodeAttention = "ttnn.transformer.scaled_dot_product_attention_decode";
constexpr std::string_view kSoftmax = "ttnn.scale_mask_softmax_in_place";
constexpr std::string_view kAttentionSoftmax = "ttnn.transformer.attention_softmax_";
constexpr std::string_view kRotary = "ttnn.experimental.rotary_embedding_llama";

const std::vector<Target>& head_splits() {
    static const std::vector<Target> all{
        {"ttnn.transformer.split_query_key_value_and_split_heads"},
        {"ttnn.experimental.nlp_create_qkv_heads"},
        {"ttnn.experimental.nlp_create_qkv_heads_decode"},
        {"ttnn.transformer.concatenate_heads"},
        {"ttnn.experimental.nlp_concat_heads"},
        {"ttnn.experimental.nlp_concat_heads_decode"},
        {"ttnn.permute"},
        {"ttnn.transpose"}};
    return all;
}

const std::vector<Rule>& rules() {
    static const std::vector<Rule> all{
        {{"addmm", "mm", "mv", "addmv"}, {{"ttnn.linear"}, {"ttnn.matmul"}}},
        {{"bmm"}, {{"ttnn.matmul"}}, {{kAttention}, {kDecodeAttention}}},
        {{"_softmax"}, {{"ttnn.softmax"}}, {{kSoftmax}, {kAttentionSoftmax}, {kAttention}, {kDecodeAttention}}},
        {{"masked_fill"}, {}, {{kAttention}, {kDecodeAttention}, {kSoftmax}}},
        {{"mul", "mul_"},
         {{"ttnn.multiply"}, {"ttnn.multiply_"}},
         {{kSoftmax}, {kAttentionSoftmax}, {kAttention}, {kDecodeAttention}, {kRotary}}},
        {{"div", "div_", "sub", "rsub", "pow"}, {{"ttnn.multiply"}, {"ttnn.add"}, {"ttnn.subtract"}, {"ttnn.divide"}}},
        {{"add"}, {{"ttnn.add"}, {"ttnn.add_"}}, {{kRotary}}},
        {{"add_"}, {{"ttnn.add_"}, {"ttnn.add"}}, {{kSoftmax}, {kAttentionSoftmax}}},
        {{"neg", "stack"}, {{"ttnn.neg"}, {"ttnn.concat"}}, {{kRotary}}},
        {{"cat"}, {{"ttnn.concat"}}, {{kRotary}}},
        {{"embedding"}, {{"ttnn.embedding"}}},
        {{"native_layer_norm"}, {{"ttnn.layer_norm"}}},
        {{"convolution"}, {{"ttnn.conv2d"}}},
        {{"native_batch_norm"}, {{"ttnn.batch_norm"}}, {{"ttnn.conv2d"}}},
        {{"max_pool2d_with_indices"}, {{"ttnn.max_pool2d"}}},
        {{"mean", "sum"},
         {{"ttnn.mean"}, {"ttnn.sum"}, {"ttnn.avg_pool2d"}, {"ttnn.global_avg_pool2d"}},
         {{"ttnn.matmul"}}},
        {{"norm", "linalg_vector_norm", "clamp_min"},
         {{"ttnn.rsqrt"}, {"ttnn.sqrt"}, {"ttnn.sum"}, {"ttnn.clamp"}, {"ttnn.rms_norm"}}},
        {{"upsample_nearest2d"}, {{"ttnn.upsample"}}},
        {{"sigmoid"}, {{"ttnn.sigmoid"}}},
        {{"exp"}, {{"ttnn.exp"}}},
        {{"gelu"}, {{"ttnn.gelu"}}, {{"ttnn.linear", "GELU"}}},
        {{"tanh"}, {{"ttnn.tanh"}}, {{"ttnn.linear", "TANH"}}},
        {{"relu", "relu_"},
         {{"ttnn.relu"}},
         {{"ttnn.conv2d", "op_type=RELU;"},
          {"ttnn.linear", "op_type=RELU;"},
          {"ttnn.linear", "relu"},
          {"ttnn.add_", "op_type=RELU;"},
          {"ttnn.add", "op_type=RELU;"}}},
        {{"clamp", "clamp_", "hardtanh", "hardtanh_"},
         {{"ttnn.relu6"}, {"ttnn.clamp"}},
         {{"ttnn.conv2d", "op_type=RELU6;"}}},
        {{"leaky_relu", "leaky_relu_"}, {{"ttnn.leaky_relu"}}, {{"ttnn.conv2d", "op_type=LEAKY_RELU;"}}},
        {{"mish", "mish_"}, {{"ttnn.mish"}}, {{"ttnn.conv2d", "op_type=MISH;"}}},
        {{"copy_"}, {{"ttnn.fill_cache"}, {"ttnn.experimental.paged_update_cache"}, {"ttnn.update_cache"}}},
        {{"transpose", "split", "split_with_sizes", "permute", "clone"}, {}, head_splits()},
        {{"select", "slice", "narrow"}, {{"ttnn.slice"}}},
    };
    return all;
}

std::string text_of(const profile::Operation& operation) {
    std::string text;
    for (const auto& [name, value] : operation.arguments) {
        text += name + "=" + value + ";";
    }
    return text;
}

class Converter {
public:
    explicit Converter(const std::vector<profile::Operation>& run) {
        for (const profile::Operation& operation : run) {
            calls_[operation.name].push_back(text_of(operation));
        }
    }

    Conversion convert(
        const std::string& type, const std::string& name, std::size_t count, std::size_t prepared, bool view) {
        Conversion row{.aten = type, .count = count};
        std::vector<std::string> became;
        const auto add = [&](const Target& target, const char* before) {
            if (const std::size_t found = calls_of(target); found > 0) {
                used_.insert(std::string(target.op));
                became.push_back(fmt::format("{}`{}` {}", before, target.op, found));
                return true;
            }
            return false;
        };
        if (prepared < count) {
            for (const Rule& rule : rules()) {
                if (std::ranges::find(rule.aten, name) == rule.aten.end()) {
                    continue;
                }
                for (const Target& target : rule.own) {
                    row.status = add(target, "") ? Status::Device : row.status;
                }
                for (const Target& target : rule.fused) {
                    const bool found = add(target, "in ");
                    row.status = found && row.status == Status::Host ? Status::Fused : row.status;
                }
            }
            row.status = view && row.status == Status::Host ? Status::View : row.status;
        } else {
            row.status = Status::Prepared;
        }
        if (prepared > 0 && prepared < count) {
            became.push_back(fmt::format("{} prepared", prepared));
        }
        row.became = fmt::format("{}", fmt::join(became, ", "));
        return row;
    }

    [[nodiscard]] std::vector<std::pair<std::string, std::size_t>> unused() const {
        std::vector<std::pair<std::string, std::size_t>> list;
        for (const auto& [name, calls] : calls_) {
            if (!used_.contains(name)) {
                list.emplace_back(name, calls.size());
            }
        }
        return list;
    }

private:
    [[nodiscard]] std::size_t calls_of(const Target& target) const {
        const auto found = calls_.find(std::string(target.op));
        return found == calls_.end()
                   ? 0
                   : static_cast<std::size_t>(std::ranges::count_if(found->second, [&](const std::string& arguments) {
                         return arguments.find(target.word) != std::string::npos;
                     }));
    }

    std::map<std::string, std::vector<std::string>> calls_;  // the arguments of each call, by op
    std::set<std::string> used_;
};

}  // namespace

std::size_t Conversions::ops() const {
    std::size_t sum = 0;
    for (const Conversion& row : rows) {
        sum += row.count;
    }
    return sum;
}

std::size_t Conversions::host_ops() const {
    std::size_t sum = 0;
    for (const Conversion& row : rows) {
        sum += row.status == Status::Host ? row.count : 0;
    }
    return sum;
}

std::size_t Conversions::host_unique() const {
    return static_cast<std::size_t>(std::ranges::count(rows, Status::Host, &Conversion::status));
}

Conversions convert(const modules::Network& golden, const std::vector<profile::Operation>& run) {
    struct Count {
        std::string name;
        std::size_t all = 0;
        std::size_t prepared = 0;
        bool view = false;
    };
    std::map<std::string, Count> counts;
    for (std::size_t i = 0; i < golden.trace.ops.size(); ++i) {
        const aten::Op& op = golden.trace.ops[i];
        Count& count = counts[op.type];
        count.name = modules::short_name(op);
        count.view = modules::is_view(op);
        ++count.all;
        count.prepared += golden.constant[i] ? 1 : 0;
    }
    Converter converter(run);
    Conversions result;
    for (const auto& [type, count] : counts) {
        result.rows.push_back(converter.convert(type, count.name, count.all, count.prepared, count.view));
    }
    result.besides = converter.unused();
    return result;
}

}  // namespace zoo::apps::metrics
