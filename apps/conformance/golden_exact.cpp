// SPDX-License-Identifier: Apache-2.0
// What exact arithmetic gives for a case: the yardstick for the error of the real library's own answer.
#include <cmath>
#include <map>
#include <numbers>
#include <numeric>
#include <regex>

#include "conformance/golden_calls.hpp"
#include "conformance/golden_conv_calls.hpp"
#include "conformance/golden_ops.hpp"
#include "zoo/device_tensor.hpp"

namespace zoo::conformance {

namespace {

// Values as the device stores them, and the sizes that ops speak of.
struct Operand {
    Shape shape;
    std::vector<double> data;

    std::size_t dim(int from_end) const {
        const auto rank = static_cast<int>(shape.size());
        return rank >= from_end ? static_cast<std::size_t>(shape[static_cast<std::size_t>(rank - from_end)]) : 1;
    }
    std::size_t width() const { return dim(1); }
    std::size_t rows() const { return data.size() / width(); }
};

Operand operand(const GoldenCase& golden, std::size_t index) {
    const std::string common = golden.text("dtype", "BFLOAT16");
    const std::string name = golden.text("dtype" + std::to_string(index), common);
    const std::vector<float> stored = from_host(golden.input(index), {.dtype = data_type(name)}).to_vector<float>();
    return {golden.input(index).shape, {stored.begin(), stored.end()}};
}

std::vector<float> rounded(const std::vector<double>& values) { return {values.begin(), values.end()}; }

using Function = std::function<double(double)>;

double sigmoid(double x) { return 1.0 / (1.0 + std::exp(-x)); }

Function unary_function(const std::string& name) {
    static const std::map<std::string, Function> kFunctions{
        {"abs", [](double x) { return std::fabs(x); }},
        {"neg", [](double x) { return -x; }},
        {"exp", [](double x) { return std::exp(x); }},
        {"exp_fast", [](double x) { return std::exp(x); }},
        {"log", [](double x) { return std::log(x); }},
        {"log2", [](double x) { return std::log2(x); }},
        {"log10", [](double x) { return std::log10(x); }},
        {"sqrt", [](double x) { return std::sqrt(x); }},
        {"rsqrt", [](double x) { return 1.0 / std::sqrt(x); }},
        {"square", [](double x) { return x * x; }},
        {"reciprocal", [](double x) { return 1.0 / x; }},
        {"erf", [](double x) { return std::erf(x); }},
        {"relu", [](double x) { return std::fmax(x, 0.0); }},
        {"relu6", [](double x) { return std::fmin(std::fmax(x, 0.0), 6.0); }},
        {"gelu", [](double x) { return 0.5 * x * (1.0 + std::erf(x / std::numbers::sqrt2)); }},
        {"gelu_tanh",
         [](double x) {
             return 0.5 * x * (1.0 + std::tanh(std::sqrt(2.0 / std::numbers::pi) * (x + 0.044715 * x * x * x)));
         }},
        {"tanh", [](double x) { return std::tanh(x); }},
        {"tanh_fast", [](double x) { return std::tanh(x); }},
        {"sigmoid", sigmoid},
        {"silu", [](double x) { return x * sigmoid(x); }},
        {"mish", [](double x) { return x * std::tanh(std::log1p(std::exp(x))); }},
        {"hardsigmoid", [](double x) { return std::fmin(std::fmax(x / 6.0 + 0.5, 0.0), 1.0); }},
        {"hardswish", [](double x) { return x * std::fmin(std::fmax(x / 6.0 + 0.5, 0.0), 1.0); }},
        {"hardtanh", [](double x) { return std::fmin(std::fmax(x, -1.0), 1.0); }},
        {"sign", [](double x) { return x > 0   ? 1.0
                                       : x < 0 ? -1.0
                                               : 0.0; }},
        {"floor", [](double x) { return std::floor(x); }},
        {"ceil", [](double x) { return std::ceil(x); }},
        {"trunc", [](double x) { return std::trunc(x); }},
    };
    std::smatch slope;
    if (std::regex_match(name, slope, std::regex("leaky_relu_([0-9]+)p([0-9]+)"))) {
        const double value = std::stod(slope[1].str() + "." + slope[2].str());
        return [value](double x) { return x >= 0 ? x : value * x; };
    }
    const std::string base = name == "gelu_accurate" || name == "gelu_fast" ? "gelu" : name;
    const auto found = kFunctions.find(base);
    if (found == kFunctions.end()) {
        throw UnknownCase("op '" + name + "' is not known");
    }
    return found->second;
}

double combine(const std::string& name, double a, double b) {
    if (name == "add") {
        return a + b;
    }
    if (name == "subtract") {
        return a - b;
    }
    return name == "multiply" ? a * b : a / b;
}

// Broadcasting by index arithmetic; a has the shape of the result in every published case, b may be smaller.
std::vector<double> binary(const std::string& name, const Operand& a, const Operand& b, const Shape& shape) {
    const auto at = [&](const Operand& operand, std::size_t flat) {
        std::size_t index = 0;
        std::size_t stride = 1;
        for (std::size_t i = 0; i < shape.size(); ++i) {
            const auto dim = static_cast<std::size_t>(shape[shape.size() - 1 - i]);
            const std::size_t own = operand.dim(static_cast<int>(i) + 1);
            index += (own == 1 ? 0 : flat % dim) * stride;
            stride *= own;
            flat /= dim;
        }
        return operand.data[index];
    };
    std::vector<double> result(element_count(shape));
    for (std::size_t i = 0; i < result.size(); ++i) {
        result[i] = combine(name, at(a, i), at(b, i));
    }
    return result;
}

std::vector<double> matmul(const Operand& a, const Operand& b) {
    const std::size_t m = a.dim(2);
    const std::size_t k = a.width();
    const std::size_t n = b.width();
    const std::size_t batches = a.data.size() / (m * k);
    const bool shared = b.data.size() == k * n;
    std::vector<double> result(batches * m * n);
    for (std::size_t batch = 0; batch < batches; ++batch) {
        const double* right = b.data.data() + (shared ? 0 : batch * k * n);
        for (std::size_t row = 0; row < m; ++row) {
            double* const out = result.data() + (batch * m + row) * n;
            for (std::size_t i = 0; i < k; ++i) {
                const double value = a.data[(batch * m + row) * k + i];
                for (std::size_t column = 0; column < n; ++column) {
                    out[column] += value * right[i * n + column];
                }
            }
        }
    }
    return result;
}

void softmax_row(double* row, std::size_t n) {
    double highest = row[0];
    for (std::size_t i = 0; i < n; ++i) {
        highest = std::fmax(highest, row[i]);
    }
    double sum = 0;
    for (std::size_t i = 0; i < n; ++i) {
        sum += row[i] = std::exp(row[i] - highest);
    }
    for (std::size_t i = 0; i < n; ++i) {
        row[i] /= sum;
    }
}

std::vector<double> softmax_last(Operand input) {
    for (std::size_t row = 0; row < input.rows(); ++row) {
        softmax_row(input.data.data() + row * input.width(), input.width());
    }
    return input.data;
}

std::vector<double> layer_norm(Operand input, double epsilon, const Operand* weight, const Operand* bias) {
    const std::size_t n = input.width();
    for (std::size_t row = 0; row < input.rows(); ++row) {
        double* const x = input.data.data() + row * n;
        const double mean = std::accumulate(x, x + n, 0.0) / static_cast<double>(n);
        double variance = 0;
        for (std::size_t i = 0; i < n; ++i) {
            variance += (x[i] - mean) * (x[i] - mean);
        }
        variance /= static_cast<double>(n);
        for (std::size_t i = 0; i < n; ++i) {
            x[i] = (x[i] - mean) / std::sqrt(variance + epsilon);
            x[i] = x[i] * (weight ? weight->data[i] : 1.0) + (bias ? bias->data[i] : 0.0);
        }
    }
    return input.data;
}

std::vector<double> reduce(const std::string& name, const Operand& input, int dim) {
    const std::size_t n = input.width();
    const std::size_t rows = input.dim(2);
    const bool last = dim == -1 || dim == static_cast<int>(input.shape.size()) - 1;
    const std::size_t length = last ? n : rows;
    const std::size_t count = input.data.size() / length;
    std::vector<double> result(count);
    for (std::size_t i = 0; i < count; ++i) {
        double value = name == "max" ? -INFINITY : name == "min" ? INFINITY : 0.0;
        for (std::size_t j = 0; j < length; ++j) {
            const double x = last ? input.data[i * n + j] : input.data[(i / n * rows + j) * n + i % n];
            value = name == "max" ? std::fmax(value, x) : name == "min" ? std::fmin(value, x) : value + x;
        }
        result[i] = name == "mean" ? value / static_cast<double>(length) : value;
    }
    return result;
}

std::vector<double> attention(const Operand& q, const Operand& k, const Operand& v, bool causal) {
    const std::size_t seq = q.dim(2);
    const std::size_t keys = k.dim(2);
    const std::size_t size = q.width();
    const std::size_t heads = q.data.size() / (seq * size);
    std::vector<double> result(q.data.size());
    std::vector<double> scores(keys);
    for (std::size_t head = 0; head < heads; ++head) {
        for (std::size_t row = 0; row < seq; ++row) {
            const double* const query = q.data.data() + (head * seq + row) * size;
            for (std::size_t j = 0; j < keys; ++j) {
                const double* const key = k.data.data() + (head * keys + j) * size;
                const double score =
                    std::inner_product(query, query + size, key, 0.0) / std::sqrt(static_cast<double>(size));
                scores[j] = causal && j > row ? -INFINITY : score;
            }
            softmax_row(scores.data(), keys);
            for (std::size_t j = 0; j < keys; ++j) {
                for (std::size_t i = 0; i < size; ++i) {
                    result[(head * seq + row) * size + i] += scores[j] * v.data[(head * keys + j) * size + i];
                }
            }
        }
    }
    return result;
}

std::vector<double> attention_softmax(const GoldenCase& golden) {
    Operand input = operand(golden, 0);
    const double scale = 1.0 / std::sqrt(golden.number("head_size", 1));
    const std::size_t n = input.width();
    const bool masked = golden.input_count() > 1;
    const Operand mask = masked ? operand(golden, 1) : Operand{};
    const std::size_t rows_a_batch = input.rows() / static_cast<std::size_t>(input.shape[0]);
    for (std::size_t i = 0; i < input.data.size(); ++i) {
        const std::size_t batch = i / n / rows_a_batch;
        input.data[i] = input.data[i] * scale + (masked ? mask.data[batch * n + i % n] : 0.0);
    }
    return softmax_last(input);
}

}  // namespace

std::vector<float> run_exactly(const GoldenCase& golden) {
    if (auto images = run_images_exactly(golden)) {
        return std::move(*images);
    }
    const std::string& op = golden.op();
    std::smatch match;
    if (std::regex_match(op, std::regex("add|subtract|multiply|divide"))) {
        return rounded(binary(op, operand(golden, 0), operand(golden, 1), golden.output().shape));
    }
    if (std::regex_match(op, match, std::regex("(add|subtract|multiply|divide) by ([-+.0-9e]+)"))) {
        const Operand scalar{{1}, {std::stod(match[2].str())}};
        return rounded(binary(match[1].str(), operand(golden, 0), scalar, golden.output().shape));
    }
    if (op.starts_with("matmul")) {
        return rounded(matmul(operand(golden, 0), operand(golden, 1)));
    }
    if (op == "linear") {
        std::vector<double> result = matmul(operand(golden, 0), operand(golden, 1));
        if (golden.input_count() > 2) {
            const Operand bias = operand(golden, 2);
            for (std::size_t i = 0; i < result.size(); ++i) {
                result[i] += bias.data[i % bias.width()];
            }
        }
        if (const std::string name = golden.text("activation"); !name.empty()) {
            const Function activation = unary_function(name);
            for (double& value : result) {
                value = activation(value);
            }
        }
        return rounded(result);
    }
    if (op.starts_with("softmax dim=-1")) {
        return rounded(softmax_last(operand(golden, 0)));
    }
    if (op.starts_with("layer_norm")) {
        Operand input = operand(golden, 0);
        std::size_t first = 1;
        if (op == "layer_norm with residual") {
            const Operand residual = operand(golden, first++);
            for (std::size_t i = 0; i < input.data.size(); ++i) {
                input.data[i] += residual.data[i];
            }
        }
        const Operand weight = golden.input_count() > first ? operand(golden, first) : Operand{};
        const Operand bias = golden.input_count() > first + 1 ? operand(golden, first + 1) : Operand{};
        return rounded(layer_norm(
            input, golden.number("epsilon", 1e-12), weight.data.empty() ? nullptr : &weight,
            bias.data.empty() ? nullptr : &bias));
    }
    if (std::regex_match(op, std::regex("sum|mean|max|min"))) {
        return rounded(reduce(op, operand(golden, 0), static_cast<int>(golden.number("dim", -1))));
    }
    if (op == "transformer.attention_softmax") {
        return rounded(attention_softmax(golden));
    }
    if (op == "scaled_dot_product_attention" && golden.input_count() == 3) {
        return rounded(
            attention(operand(golden, 0), operand(golden, 1), operand(golden, 2), golden.flag("is_causal", true)));
    }
    if (op == "typecast" || op == "host pack and unpack") {
        return golden.input(0).data;
    }
    const Function function = unary_function(op);
    std::vector<double> result = operand(golden, 0).data;
    for (double& value : result) {
        value = function(value);
    }
    return rounded(result);
}

}  // namespace zoo::conformance
