// SPDX-License-Identifier: Apache-2.0
#pragma once

// Reference results for tests, computed in float32 by libtorch. No torch header is needed to use this one.

#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "support/arrays.hpp"

namespace zoo::test::torch_ref {

// torch.matmul: leading dims broadcast.
[[nodiscard]] Array matmul(const Array& a, const Array& b, bool transpose_a = false, bool transpose_b = false);
// input [..., in] x weight [in, out] (TTNN's order, not torch's) + bias [out], then `activation`: a unary name, or
// nothing.
[[nodiscard]] Array linear(
    const Array& input, const Array& weight, const std::optional<Array>& bias = std::nullopt,
    std::string_view activation = {});

// add subtract multiply divide maximum minimum pow eq ne gt ge lt le squared_difference, with broadcasting.
[[nodiscard]] Array binary(std::string_view name, const Array& a, const Array& b);
[[nodiscard]] Array binary(std::string_view name, const Array& a, float b);
[[nodiscard]] Array add(const Array& a, const Array& b);
[[nodiscard]] Array sub(const Array& a, const Array& b);
[[nodiscard]] Array mul(const Array& a, const Array& b);
[[nodiscard]] Array div(const Array& a, const Array& b);

// relu relu6 leaky_relu(p0, 0.01) elu(p0, 1) selu gelu gelu_tanh tanh sigmoid silu mish exp exp2 expm1 log log2 log10
// log1p sqrt rsqrt reciprocal square neg abs sign erf erfc softplus(p0, 1; p1, 20) softsign hardsigmoid hardswish
// hardtanh(p0, -1; p1, 1) clamp(p0, p1) pow(p0, 2) sin cos tan asin acos atan sinh cosh floor ceil round trunc logit
// cbrt identity.
[[nodiscard]] Array unary(std::string_view name, const Array& a);
[[nodiscard]] Array unary(std::string_view name, const Array& a, float p0);
[[nodiscard]] Array unary(std::string_view name, const Array& a, float p0, float p1);

[[nodiscard]] Array softmax(const Array& a, std::int64_t dim = -1);
// softmax(a * scale + mask) over the last dim; mask broadcasts.
[[nodiscard]] Array scale_mask_softmax(const Array& a, float scale, const std::optional<Array>& mask = std::nullopt);
// Over the last dim of (input + residual).
[[nodiscard]] Array layer_norm(
    const Array& input, float eps = 1e-12F, const std::optional<Array>& gamma = std::nullopt,
    const std::optional<Array>& beta = std::nullopt, const std::optional<Array>& residual = std::nullopt);
[[nodiscard]] Array rms_norm(const Array& input, float eps = 1e-12F, const std::optional<Array>& gamma = std::nullopt);
// weight [rows, width], one id a position: result is index_shape + [width].
[[nodiscard]] Array embedding(const std::vector<std::uint32_t>& indices, const Dims& index_shape, const Array& weight);
// input NCHW.
[[nodiscard]] Array batch_norm(
    const Array& input, const Array& mean, const Array& variance, const Array& gamma, const Array& beta,
    float eps = 1e-5F);
// q [b, heads, sq, d], k and v [b, kv_heads, sk, d], kv_heads divides heads. The mask is added to the scaled scores;
// the scale is 1/sqrt(d) unless given.
[[nodiscard]] Array scaled_dot_product_attention(
    const Array& q, const Array& k, const Array& v, const std::optional<Array>& mask = std::nullopt,
    bool is_causal = false, std::optional<float> scale = std::nullopt);

[[nodiscard]] Array permute(const Array& a, const Dims& order);
[[nodiscard]] Array transpose(const Array& a, std::int64_t dim0, std::int64_t dim1);
[[nodiscard]] Array reshape(const Array& a, const Dims& shape);
[[nodiscard]] Array concat(const std::vector<Array>& parts, std::int64_t dim);
[[nodiscard]] std::vector<Array> split(const Array& a, std::int64_t size, std::int64_t dim);
// One entry a dim. Steps default to 1.
[[nodiscard]] Array slice(const Array& a, const Dims& begin, const Dims& end, const Dims& step = {});
// {front, back} for each dim, in dim order.
[[nodiscard]] Array pad(
    const Array& a, const std::vector<std::pair<std::int64_t, std::int64_t>>& padding, float value = 0.0F);
[[nodiscard]] Array repeat(const Array& a, const Dims& repetitions);
[[nodiscard]] Array expand(const Array& a, const Dims& shape);
[[nodiscard]] Array where(const Array& condition, const Array& a, const Array& b);

// sum mean max min prod std var. Empty `dims` means all. std and var are unbiased unless `correction` is false.
[[nodiscard]] Array reduce(
    std::string_view name, const Array& a, const Dims& dims = {}, bool keepdim = true, bool correction = true);
[[nodiscard]] Array sum(const Array& a, const Dims& dims = {}, bool keepdim = true);
[[nodiscard]] Array mean(const Array& a, const Dims& dims = {}, bool keepdim = true);
[[nodiscard]] Array max(const Array& a, const Dims& dims = {}, bool keepdim = true);
[[nodiscard]] Array min(const Array& a, const Dims& dims = {}, bool keepdim = true);
[[nodiscard]] Array argmax(const Array& a, std::optional<std::int64_t> dim = std::nullopt, bool keepdim = false);
// {values, indices}
[[nodiscard]] std::pair<Array, Array> topk(
    const Array& a, std::int64_t k, std::int64_t dim = -1, bool largest = true, bool sorted = true);

using Pair = std::pair<std::int64_t, std::int64_t>;  // {height, width}

struct Conv2d {
    Pair stride{1, 1};
    Pair padding{0, 0};
    Pair dilation{1, 1};
    std::int64_t groups = 1;
};
// input NCHW, weight OIHW, bias [O].
[[nodiscard]] Array conv2d(
    const Array& input, const Array& weight, const std::optional<Array>& bias = std::nullopt,
    const Conv2d& options = {});

struct Pool2d {
    Pair kernel{2, 2};
    Pair stride{2, 2};
    Pair padding{0, 0};
    Pair dilation{1, 1};  // max pooling only
    bool ceil_mode = false;
    bool count_include_pad = true;                   // average pooling only
    std::optional<std::int64_t> divisor_override{};  // average pooling only
};
[[nodiscard]] Array max_pool2d(const Array& input, const Pool2d& options);
[[nodiscard]] Array avg_pool2d(const Array& input, const Pool2d& options);
[[nodiscard]] Array global_avg_pool2d(const Array& input);
[[nodiscard]] Array upsample_nearest(const Array& input, std::int64_t scale_h, std::int64_t scale_w);
[[nodiscard]] Array upsample_bilinear(const Array& input, std::int64_t scale_h, std::int64_t scale_w);

// NCHW <-> NHWC.
[[nodiscard]] Array to_nhwc(const Array& nchw);
[[nodiscard]] Array to_nchw(const Array& nhwc);

}  // namespace zoo::test::torch_ref
