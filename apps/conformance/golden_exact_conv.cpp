// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <limits>

#include "conformance/golden_calls.hpp"
#include "conformance/golden_conv_calls.hpp"
#include "zoo/device_tensor.hpp"

namespace zoo::conformance {

namespace {

// The values that a tensor of the type holds.
std::vector<float> stored(const HostTensor& tensor, const std::string& dtype) {
    return from_host(tensor, {.dtype = data_type(dtype)}).to_vector<float>();
}

double activate(const ConvArguments& a, double x) {
    if (a.activation == "RELU") {
        return std::fmax(x, 0.0);
    }
    if (a.activation == "RELU6") {
        return std::fmin(std::fmax(x, 0.0), 6.0);
    }
    if (a.activation == "LEAKY_RELU") {
        return x >= 0 ? x : static_cast<double>(a.activation_parameter.value_or(0.01F)) * x;
    }
    if (a.activation == "SILU") {
        return x / (1.0 + std::exp(-x));
    }
    if (a.activation == "MISH") {
        return x * std::tanh(std::log1p(std::exp(x)));
    }
    if (a.activation == "GELU") {
        return 0.5 * x * (1.0 + std::erf(x / std::sqrt(2.0)));
    }
    if (a.activation == "SIGMOID") {
        return 1.0 / (1.0 + std::exp(-x));
    }
    return a.activation == "TANH" ? std::tanh(x) : x;
}

std::vector<float> conv2d(const GoldenCase& golden) {
    const ConvArguments a = conv_arguments(golden);
    const std::vector<float> image = stored(to_pixels(golden.image(0)), a.activations);
    const std::vector<float>& weights = golden.input(1).data;
    const std::uint32_t reach = a.dilation * (a.kernel - 1) + 1;
    const std::uint32_t out_h = (a.height + 2 * a.padding - reach) / a.stride + 1;
    const std::uint32_t out_w = (a.width + 2 * a.padding - reach) / a.stride + 1;
    const std::uint32_t per_group = a.in / a.groups;
    std::vector<float> result(std::size_t{out_h} * out_w * a.out);
    for (std::size_t place = 0; place < result.size(); ++place) {
        const auto o = static_cast<std::uint32_t>(place % a.out);
        const auto x = static_cast<std::uint32_t>(place / a.out % out_w);
        const auto y = static_cast<std::uint32_t>(place / a.out / out_w);
        double sum = golden.input_count() > 2 ? golden.input(2).data[o] : 0.0;
        for (std::uint32_t tap = 0; tap < a.kernel * a.kernel; ++tap) {
            // Wraps around in front of the image.
            const std::uint32_t in_y = y * a.stride + tap / a.kernel * a.dilation - a.padding;
            const std::uint32_t in_x = x * a.stride + tap % a.kernel * a.dilation - a.padding;
            if (in_y >= a.height || in_x >= a.width) {
                continue;
            }
            const std::uint32_t first = o / (a.out / a.groups) * per_group;
            for (std::uint32_t i = 0; i < per_group; ++i) {
                sum += double{image[(std::size_t{in_y} * a.width + in_x) * a.in + first + i]} *
                       weights[(std::size_t{o} * per_group + i) * a.kernel * a.kernel + tap];
            }
        }
        result[place] = static_cast<float>(activate(a, sum));
    }
    return result;
}

std::vector<float> pool(const GoldenCase& golden, bool average) {
    const PoolArguments a = pool_arguments(golden);
    const std::vector<float> image = to_pixels(golden.image(0)).data;
    const std::uint32_t out_w = a.places(a.width);
    std::vector<float> result(std::size_t{a.places(a.height)} * out_w * a.channels);
    for (std::size_t place = 0; place < result.size(); ++place) {
        const std::size_t c = place % a.channels;
        const auto x = static_cast<std::uint32_t>(place / a.channels % out_w);
        const auto y = static_cast<std::uint32_t>(place / a.channels / out_w);
        std::uint32_t inside = 0;
        double value = average ? 0.0 : -std::numeric_limits<double>::infinity();
        for (std::uint32_t tap = 0; tap < a.kernel * a.kernel; ++tap) {
            const std::uint32_t in_y = y * a.stride + tap / a.kernel * a.dilation - a.padding;
            const std::uint32_t in_x = x * a.stride + tap % a.kernel * a.dilation - a.padding;
            if (in_y < a.height && in_x < a.width) {
                ++inside;
                const double pixel = image[(std::size_t{in_y} * a.width + in_x) * a.channels + c];
                value = average ? value + pixel : std::fmax(value, pixel);
            }
        }
        result[place] =
            static_cast<float>(average ? value / (a.count_include_pad ? a.kernel * a.kernel : inside) : value);
    }
    return result;
}

}  // namespace

std::optional<std::vector<float>> run_images_exactly(const GoldenCase& golden) {
    if (golden.op().starts_with("conv2d;")) {
        return conv2d(golden);
    }
    if (golden.op().starts_with("max_pool2d;")) {
        return pool(golden, false);
    }
    if (golden.op().starts_with("avg_pool2d;")) {
        return pool(golden, true);
    }
    return std::nullopt;
}

}  // namespace zoo::conformance
