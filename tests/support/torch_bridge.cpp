// SPDX-License-Identifier: Apache-2.0
#include "support/torch_bridge.hpp"

#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <string>

namespace zoo::test::torch_ref {
namespace {

constexpr float kDefault = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinity = std::numeric_limits<float>::infinity();

// A view: the array must outlive it. libtorch never writes through the tensors made here.
at::Tensor view(const Array& a) {
    if (volume(a.shape) != static_cast<std::int64_t>(a.data.size())) {
        throw std::invalid_argument(
            "[torch_bridge] an array of " + std::to_string(a.data.size()) + " values has a shape of volume " +
            std::to_string(volume(a.shape)));
    }
    return at::from_blob(const_cast<float*>(a.data.data()), a.shape, at::kFloat);
}

c10::optional<at::Tensor> torch_optional(const std::optional<Array>& a) {
    return a ? c10::optional<at::Tensor>(view(*a)) : c10::nullopt;
}

Array take(const at::Tensor& t) {
    const at::Tensor flat = t.to(at::kFloat).contiguous();
    Array out{flat.sizes().vec(), std::vector<float>(static_cast<std::size_t>(flat.numel()))};
    if (!out.data.empty()) {
        std::memcpy(out.data.data(), flat.data_ptr<float>(), out.data.size() * sizeof(float));
    }
    return out;
}

[[noreturn]] void unknown(const char* where, std::string_view name) {
    throw std::invalid_argument("[torch_bridge] " + std::string(where) + " does not know '" + std::string(name) + "'");
}

float value_or(float value, float fallback) { return std::isnan(value) ? fallback : value; }

// clang-format off
using Unary = at::Tensor (*)(const at::Tensor&);
constexpr std::pair<std::string_view, Unary> kUnary[] = {
    {"relu", at::relu},   {"relu6", at::relu6},     {"selu", at::selu},     {"tanh", at::tanh},
    {"sigmoid", at::sigmoid},
    {"silu", at::silu},   {"mish", at::mish},       {"exp", at::exp},       {"exp2", at::exp2},   {"expm1", at::expm1},
    {"log", at::log},     {"log2", at::log2},       {"log10", at::log10},   {"log1p", at::log1p}, {"sqrt", at::sqrt},
    {"rsqrt", at::rsqrt}, {"square", at::square},   {"neg", at::neg},       {"abs", at::abs},     {"sign", at::sign},
    {"erf", at::erf},     {"erfc", at::erfc},       {"sin", at::sin},       {"cos", at::cos},     {"tan", at::tan},
    {"asin", at::asin},   {"acos", at::acos},       {"atan", at::atan},     {"sinh", at::sinh},   {"cosh", at::cosh},
    {"floor", at::floor}, {"ceil", at::ceil},       {"trunc", at::trunc},   {"reciprocal", at::reciprocal},
    {"recip", at::reciprocal}, {"hardsigmoid", at::hardsigmoid}, {"hardswish", at::hardswish},
    {"round", [](const at::Tensor& x) { return at::round(x); }},
    {"logit", [](const at::Tensor& x) { return at::logit(x); }},
    {"gelu", [](const at::Tensor& x) { return at::gelu(x, "none"); }},
    {"gelu_tanh", [](const at::Tensor& x) { return at::gelu(x, "tanh"); }},
    {"softsign", [](const at::Tensor& x) { return x / (1 + at::abs(x)); }},
    {"cbrt", [](const at::Tensor& x) { return at::sign(x) * at::pow(at::abs(x), 1.0 / 3.0); }},
    {"identity", [](const at::Tensor& x) { return x; }},
};

using UnaryWithParams = at::Tensor (*)(const at::Tensor&, float p0, float p1);
constexpr std::pair<std::string_view, UnaryWithParams> kUnaryWithParams[] = {
    {"leaky_relu", [](const at::Tensor& x, float p0, float) { return at::leaky_relu(x, value_or(p0, 0.01F)); }},
    {"elu", [](const at::Tensor& x, float p0, float) { return at::elu(x, value_or(p0, 1.0F)); }},
    {"softplus",
     [](const at::Tensor& x, float p0, float p1) { return at::softplus(x, value_or(p0, 1.0F), value_or(p1, 20.0F)); }},
    {"hardtanh",
     [](const at::Tensor& x, float p0, float p1) { return at::hardtanh(x, value_or(p0, -1.0F), value_or(p1, 1.0F)); }},
    {"clamp",
     [](const at::Tensor& x, float p0, float p1) { return at::clamp(x, value_or(p0, -kInfinity), value_or(p1, kInfinity)); }},
    {"pow", [](const at::Tensor& x, float p0, float) { return at::pow(x, value_or(p0, 2.0F)); }},
};

using Binary = at::Tensor (*)(const at::Tensor&, const at::Tensor&);
constexpr std::pair<std::string_view, Binary> kBinary[] = {
    {"maximum", at::maximum}, {"minimum", at::minimum}, {"eq", at::eq}, {"ne", at::ne},
    {"gt", at::gt}, {"ge", at::ge}, {"lt", at::lt}, {"le", at::le}, {"pow", at::pow},
    {"add", [](const at::Tensor& a, const at::Tensor& b) { return a + b; }},
    {"subtract", [](const at::Tensor& a, const at::Tensor& b) { return a - b; }},
    {"multiply", [](const at::Tensor& a, const at::Tensor& b) { return a * b; }},
    {"divide", [](const at::Tensor& a, const at::Tensor& b) { return a / b; }},
    {"squared_difference", [](const at::Tensor& a, const at::Tensor& b) { return at::square(a - b); }},
};
// clang-format on

at::Tensor activate(std::string_view name, const at::Tensor& x, float p0 = kDefault, float p1 = kDefault) {
    for (const auto& [known, function] : kUnary) {
        if (known == name) {
            return function(x);
        }
    }
    for (const auto& [known, function] : kUnaryWithParams) {
        if (known == name) {
            return function(x, p0, p1);
        }
    }
    unknown("unary", name);
}

at::Tensor combine(std::string_view name, const at::Tensor& a, const at::Tensor& b) {
    for (const auto& [known, function] : kBinary) {
        if (known == name) {
            return function(a, b);
        }
    }
    unknown("binary", name);
}

at::Tensor norm(
    const at::Tensor& centred, float eps, const std::optional<Array>& gamma, const std::optional<Array>& beta) {
    at::Tensor out = centred * at::rsqrt(at::mean(at::square(centred), {-1}, true) + eps);
    if (gamma)
        out = out * view(*gamma).reshape({-1});
    if (beta)
        out = out + view(*beta).reshape({-1});
    return out;
}

}  // namespace

Array matmul(const Array& a, const Array& b, bool transpose_a, bool transpose_b) {
    const at::Tensor left = transpose_a ? view(a).transpose(-2, -1) : view(a);
    const at::Tensor right = transpose_b ? view(b).transpose(-2, -1) : view(b);
    return take(at::matmul(left, right));
}

Array linear(const Array& input, const Array& weight, const std::optional<Array>& bias, std::string_view activation) {
    at::Tensor out = at::matmul(view(input), view(weight));
    if (bias)
        out = out + view(*bias).reshape({-1});
    return take(activation.empty() ? out : activate(activation, out));
}

Array binary(std::string_view name, const Array& a, const Array& b) { return take(combine(name, view(a), view(b))); }
Array binary(std::string_view name, const Array& a, float b) {
    return take(combine(name, view(a), at::full({}, b, at::kFloat)));
}
Array add(const Array& a, const Array& b) { return binary("add", a, b); }
Array sub(const Array& a, const Array& b) { return binary("subtract", a, b); }
Array mul(const Array& a, const Array& b) { return binary("multiply", a, b); }
Array div(const Array& a, const Array& b) { return binary("divide", a, b); }

Array unary(std::string_view name, const Array& a) { return take(activate(name, view(a))); }
Array unary(std::string_view name, const Array& a, float p0) { return take(activate(name, view(a), p0)); }
Array unary(std::string_view name, const Array& a, float p0, float p1) { return take(activate(name, view(a), p0, p1)); }

Array softmax(const Array& a, std::int64_t dim) { return take(at::softmax(view(a), dim)); }

Array scale_mask_softmax(const Array& a, float scale, const std::optional<Array>& mask) {
    at::Tensor scores = view(a) * scale;
    if (mask) {
        scores = scores + view(*mask);
    }
    return take(at::softmax(scores, -1));
}

Array layer_norm(
    const Array& input, float eps, const std::optional<Array>& gamma, const std::optional<Array>& beta,
    const std::optional<Array>& residual) {
    at::Tensor x = view(input);
    if (residual) {
        x = x + view(*residual);
    }
    return take(norm(x - at::mean(x, {-1}, true), eps, gamma, beta));
}

Array rms_norm(const Array& input, float eps, const std::optional<Array>& gamma) {
    return take(norm(view(input), eps, gamma, std::nullopt));
}

Array embedding(const std::vector<std::uint32_t>& indices, const Dims& index_shape, const Array& weight) {
    const std::vector<std::int64_t> wide(indices.begin(), indices.end());
    const at::Tensor index = at::from_blob(const_cast<std::int64_t*>(wide.data()), index_shape, at::kLong);
    return take(at::embedding(view(weight), index));
}

Array batch_norm(
    const Array& input, const Array& mean, const Array& variance, const Array& gamma, const Array& beta, float eps) {
    return take(at::batch_norm(
        view(input), view(gamma).reshape({-1}), view(beta).reshape({-1}), view(mean).reshape({-1}),
        view(variance).reshape({-1}), false, 0.0, eps, false));
}

Array scaled_dot_product_attention(
    const Array& q, const Array& k, const Array& v, const std::optional<Array>& mask, bool is_causal,
    std::optional<float> scale) {
    const at::Tensor query = view(q);
    const std::int64_t sharing = query.size(1) / view(k).size(1);
    const at::Tensor key = view(k).repeat_interleave(sharing, 1);
    const at::Tensor value = view(v).repeat_interleave(sharing, 1);
    const double factor = scale ? *scale : 1.0 / std::sqrt(static_cast<double>(query.size(-1)));
    at::Tensor scores = at::matmul(query, key.transpose(-2, -1)) * factor;
    if (is_causal) {
        const at::Tensor future = at::ones({query.size(-2), key.size(-2)}, at::kBool).triu(1);
        scores = scores.masked_fill(future, -kInfinity);
    }
    if (mask) {
        scores = scores + view(*mask);
    }
    return take(at::matmul(at::softmax(scores, -1), value));
}

Array permute(const Array& a, const Dims& order) { return take(view(a).permute(order)); }
Array transpose(const Array& a, std::int64_t dim0, std::int64_t dim1) { return take(view(a).transpose(dim0, dim1)); }
Array reshape(const Array& a, const Dims& shape) { return take(view(a).reshape(shape)); }

Array concat(const std::vector<Array>& parts, std::int64_t dim) {
    std::vector<at::Tensor> views;
    for (const Array& part : parts) {
        views.push_back(view(part));
    }
    return take(at::cat(views, dim));
}

std::vector<Array> split(const Array& a, std::int64_t size, std::int64_t dim) {
    std::vector<Array> out;
    for (const at::Tensor& part : view(a).split(size, dim)) {
        out.push_back(take(part));
    }
    return out;
}

Array slice(const Array& a, const Dims& begin, const Dims& end, const Dims& step) {
    at::Tensor out = view(a);
    for (std::size_t dim = 0; dim < begin.size(); ++dim) {
        out = out.slice(static_cast<std::int64_t>(dim), begin[dim], end[dim], step.empty() ? 1 : step[dim]);
    }
    return take(out);
}

Array pad(const Array& a, const std::vector<std::pair<std::int64_t, std::int64_t>>& padding, float value) {
    // torch lists the last dim first.
    std::vector<std::int64_t> flat;
    for (auto it = padding.rbegin(); it != padding.rend(); ++it) {
        flat.push_back(it->first);
        flat.push_back(it->second);
    }
    return take(at::constant_pad_nd(view(a), flat, value));
}

Array repeat(const Array& a, const Dims& repetitions) { return take(view(a).repeat(repetitions)); }
Array expand(const Array& a, const Dims& shape) { return take(view(a).expand(shape)); }
Array where(const Array& condition, const Array& a, const Array& b) {
    return take(at::where(view(condition) != 0, view(a), view(b)));
}

Array reduce(std::string_view name, const Array& a, const Dims& dims, bool keepdim, bool correction) {
    const at::Tensor x = view(a);
    Dims over = dims;
    if (over.empty()) {
        over.resize(a.shape.size());
        std::iota(over.begin(), over.end(), 0);
    }
    if (name == "sum") {
        return take(at::sum(x, over, keepdim));
    }
    if (name == "mean") {
        return take(at::mean(x, over, keepdim));
    }
    if (name == "max") {
        return take(at::amax(x, over, keepdim));
    }
    if (name == "min") {
        return take(at::amin(x, over, keepdim));
    }
    if (name == "std") {
        return take(at::std(x, at::IntArrayRef(over), correction, keepdim));
    }
    if (name == "var") {
        return take(at::var(x, at::IntArrayRef(over), correction, keepdim));
    }
    if (name == "prod") {
        at::Tensor out = x;
        for (const std::int64_t dim : over) {
            out = at::prod(out, dim, true);
        }
        if (keepdim) {
            return take(out);
        }
        Dims kept;
        for (std::int64_t dim = 0; dim < x.dim(); ++dim) {
            const auto reduced = [&](std::int64_t other) { return other == dim || other + x.dim() == dim; };
            if (std::none_of(over.begin(), over.end(), reduced)) {
                kept.push_back(x.size(dim));
            }
        }
        return take(out.reshape(kept));
    }
    unknown("reduce", name);
}

Array sum(const Array& a, const Dims& dims, bool keepdim) { return reduce("sum", a, dims, keepdim); }
Array mean(const Array& a, const Dims& dims, bool keepdim) { return reduce("mean", a, dims, keepdim); }
Array max(const Array& a, const Dims& dims, bool keepdim) { return reduce("max", a, dims, keepdim); }
Array min(const Array& a, const Dims& dims, bool keepdim) { return reduce("min", a, dims, keepdim); }

Array argmax(const Array& a, std::optional<std::int64_t> dim, bool keepdim) {
    return take(at::argmax(view(a), dim ? c10::optional<std::int64_t>(*dim) : c10::nullopt, keepdim));
}

std::pair<Array, Array> topk(const Array& a, std::int64_t k, std::int64_t dim, bool largest, bool sorted) {
    const auto [values, indices] = at::topk(view(a), k, dim, largest, sorted);
    return {take(values), take(indices)};
}

Array conv2d(const Array& input, const Array& weight, const std::optional<Array>& bias, const Conv2d& options) {
    c10::optional<at::Tensor> flat = torch_optional(bias);
    if (flat)
        flat = flat->reshape({-1});
    return take(at::conv2d(
        view(input), view(weight), flat, {options.stride.first, options.stride.second},
        {options.padding.first, options.padding.second}, {options.dilation.first, options.dilation.second},
        options.groups));
}

Array max_pool2d(const Array& input, const Pool2d& options) {
    return take(at::max_pool2d(
        view(input), {options.kernel.first, options.kernel.second}, {options.stride.first, options.stride.second},
        {options.padding.first, options.padding.second}, {options.dilation.first, options.dilation.second},
        options.ceil_mode));
}

Array avg_pool2d(const Array& input, const Pool2d& options) {
    const auto divisor =
        options.divisor_override ? c10::optional<std::int64_t>(*options.divisor_override) : c10::nullopt;
    return take(at::avg_pool2d(
        view(input), {options.kernel.first, options.kernel.second}, {options.stride.first, options.stride.second},
        {options.padding.first, options.padding.second}, options.ceil_mode, options.count_include_pad, divisor));
}

Array global_avg_pool2d(const Array& input) { return take(at::mean(view(input), {-2, -1}, true)); }

Array upsample_nearest(const Array& input, std::int64_t scale_h, std::int64_t scale_w) {
    return take(view(input).repeat_interleave(scale_h, -2).repeat_interleave(scale_w, -1));
}

Array upsample_bilinear(const Array& input, std::int64_t scale_h, std::int64_t scale_w) {
    const at::Tensor x = view(input);
    const std::vector<std::int64_t> size{x.size(-2) * scale_h, x.size(-1) * scale_w};
    return take(at::upsample_bilinear2d(x, size, false));
}

Array to_nhwc(const Array& nchw) { return permute(nchw, {0, 2, 3, 1}); }
Array to_nchw(const Array& nhwc) { return permute(nhwc, {0, 3, 1, 2}); }

}  // namespace zoo::test::torch_ref
