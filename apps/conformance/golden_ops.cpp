// SPDX-License-Identifier: Apache-2.0
#include "conformance/golden_ops.hpp"

#include <functional>
#include <map>
#include <regex>

#include "conformance/golden_calls.hpp"

namespace zoo::conformance {

namespace {

// Patterns in the order in which they are tried; the text an op has in `args` must match one as a whole.
struct Entry {
    const char* pattern;
    Call call;
};

const std::vector<Entry>& entries() {
    static const std::vector<Entry> table{
        {R"(host pack and unpack)", call_host_pack},
        {R"(typecast)", call_typecast},
        {R"((add|subtract|multiply|divide))", call_binary},
        {R"((add|subtract|multiply|divide) (?:by )?([-+.0-9e]+))", call_binary_scalar},
        {R"((add|subtract|multiply|divide) (?:by )?(?:a )?scalar)", call_binary_scalar},
        {R"(matmul|matmul .*)", call_matmul},
        {R"(linear|linear .*)", call_linear},
        {R"(softmax(?: dim=(-?[0-9]+))?)", call_softmax},
        {R"((layer_norm|rms_norm)( with residual)?)", call_layer_norm},
        {R"((sum|mean|max|min|std|var))", call_reduce},
        {R"(argmax(?: dim=(-?[0-9]+))?(?: (TILE|ROW_MAJOR))?)", call_argmax},
        {R"(embedding(?: to (TILE|ROW_MAJOR))?)", call_embedding},
        {R"(split_query_key_value_and_split_heads.*)", call_split_heads},
        {R"(concatenate_heads)", call_concatenate_heads},
        {R"((?:transformer\.)?attention_softmax.*)", call_attention_softmax},
        {R"((?:transformer\.)?scaled_dot_product_attention.*)", call_sdpa},
        {R"(conv2d(?:; .*)?)", call_conv2d},
        {R"(max_pool2d(?:; .*)?)", call_max_pool2d},
        {R"(avg_pool2d(?:; .*)?)", call_avg_pool2d},
        {R"(upsample NHWC x([0-9]+))", call_upsample},
        {R"(([a-z0-9_]+))", call_unary},
    };
    return table;
}

}  // namespace

std::vector<float> run_on_device(const GoldenCase& golden, ttnn::MeshDevice& device) {
    for (const Entry& entry : entries()) {
        std::smatch match;
        if (std::regex_match(golden.op(), match, std::regex(entry.pattern))) {
            std::vector<std::string> groups;
            for (std::size_t i = 1; i < match.size(); ++i) {
                groups.push_back(match[i].str());
            }
            return entry.call(golden, groups, device);
        }
    }
    throw UnknownCase("op '" + golden.op() + "' is not known");
}

}  // namespace zoo::conformance
