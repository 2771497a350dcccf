// SPDX-License-Identifier: Apache-2.0
// Convolutions and pools. Images are [1, C, H, W] in the files and rows of pixels in the calls.
#include "conformance/golden_conv_calls.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <iterator>
#include <regex>

#include "conformance/golden_calls.hpp"
#include "ttnn/operations/conv/conv2d/conv2d.hpp"
#include "ttnn/operations/pool/generic/generic_pools.hpp"
#include "ttnn/operations/pool/upsample/upsample.hpp"
#include "zoo/device_tensor.hpp"

namespace zoo::conformance {

using ttnn::DataType;
using ttnn::Tensor;

namespace {

using Groups = std::vector<std::string>;
using Two = std::array<std::uint32_t, 2>;

constexpr int kMostPixels = 1 << 16;

std::uint32_t size(const HostTensor& tensor, std::size_t dim) {
    return static_cast<std::uint32_t>(tensor.shape.at(dim));
}

// A size, a stride and the like.
std::uint32_t number(const GoldenCase& golden, const char* name, std::uint32_t otherwise, int lowest = 1) {
    return static_cast<std::uint32_t>(golden.integer(name, static_cast<int>(otherwise), lowest, kMostPixels));
}

// A size that the tensors have too.
std::uint32_t same(const GoldenCase& golden, const char* name, std::uint32_t of_tensor) {
    const std::uint32_t value = number(golden, name, of_tensor);
    if (value != of_tensor) {
        throw UnknownCase(
            "argument '" + std::string(name) + "' is " + std::to_string(value) + "; the tensors have " +
            std::to_string(of_tensor));
    }
    return value;
}

Tensor pixels(const GoldenCase& golden, ttnn::MeshDevice& device, DataType dtype) {
    const bool block = dtype == DataType::BFLOAT8_B || dtype == DataType::BFLOAT4_B;
    return from_host(
        to_pixels(golden.image(0)), {.dtype = dtype, .layout = block ? ttnn::Layout::TILE : ttnn::Layout::ROW_MAJOR},
        &device);
}

}  // namespace

HostTensor to_pixels(const HostTensor& image) {
    const auto channels = static_cast<std::size_t>(image.shape.at(1));
    const auto count = static_cast<std::size_t>(image.shape.at(2) * image.shape.at(3));
    HostTensor result{
        {1, 1, image.shape[0] * static_cast<std::int64_t>(count), image.shape[1]},
        std::vector<float>(image.data.size())};
    for (std::size_t at = 0; at < image.data.size(); ++at) {
        const std::size_t plane = at / count;
        result.data[(plane / channels * count + at % count) * channels + plane % channels] = image.data[at];
    }
    return result;
}

ConvArguments conv_arguments(const GoldenCase& golden) {
    const HostTensor& image = golden.image(0);
    const HostTensor& weights = golden.image(1);
    ConvArguments a;
    a.batch = same(golden, "batch", size(image, 0));
    a.in = same(golden, "cin", size(image, 1));
    a.out = same(golden, "cout", size(weights, 0));
    (void)golden.number("hw", 0);  // the image has it
    a.height = size(image, 2);
    a.width = size(image, 3);
    a.kernel = same(golden, "k", size(weights, 2));
    a.stride = number(golden, "s", 1);
    a.padding = number(golden, "p", 0, 0);
    a.dilation = number(golden, "d", 1);
    a.groups = number(golden, "groups", 1);
    a.activations = golden.text("adt", "BFLOAT16");
    a.weights = golden.text("wdt", "BFLOAT16");
    a.output = golden.text("odt", "BFLOAT16");
    const std::string activation = golden.text("act");
    std::smatch match;
    if (std::regex_search(activation, match, std::regex("UnaryOpType(?:::|\\.)([A-Z0-9_]+)"))) {
        a.activation = match[1].str();
    } else if (!activation.empty() && activation != "None") {
        std::transform(
            activation.begin(), activation.end(), std::back_inserter(a.activation),
            [](unsigned char letter) { return static_cast<char>(std::toupper(letter)); });
    }
    if (std::regex_search(activation, match, std::regex("params?=\\[([-+.0-9e]+)"))) {
        a.activation_parameter = std::stof(match[1].str());
    }
    return a;
}

std::uint32_t PoolArguments::places(std::uint32_t size) const {
    const std::uint32_t reach = dilation * (kernel - 1) + 1;
    if (size + 2 * padding < reach) {
        return 0;
    }
    const std::uint32_t room = size + 2 * padding - reach;
    const std::uint32_t count = (room + (ceil_mode ? stride - 1 : 0)) / stride + 1;
    // A window that starts behind the image and its padding in front is left out.
    return ceil_mode && (count - 1) * stride >= size + padding ? count - 1 : count;
}

PoolArguments pool_arguments(const GoldenCase& golden) {
    const HostTensor& image = golden.image(0);
    PoolArguments a;
    a.batch = size(image, 0);
    a.channels = size(image, 1);
    a.height = size(image, 2);
    a.width = size(image, 3);
    // The published files say the window in the name of the case.
    std::smatch match;
    const bool named = std::regex_search(golden.name(), match, std::regex("([0-9]+)x([0-9]+)(?:s([0-9]+))?"));
    const auto in_name = [&](std::size_t group) {
        return static_cast<std::uint32_t>(whole_number("the name's window", match[group].str(), 1, kMostPixels));
    };
    a.kernel = number(golden, "k", named ? in_name(1) : a.height);
    a.dilation = number(golden, "d", 1);
    a.ceil_mode = golden.flag("ceil_mode", false);
    a.count_include_pad = golden.flag("count_include_pad", true);
    const bool whole = a.kernel == a.height && a.kernel == a.width;
    std::vector<std::uint32_t> strides{number(golden, "s", named && match[3].matched ? in_name(3) : 1)};
    std::vector<std::uint32_t> paddings{number(golden, "p", whole ? 0 : (a.kernel - 1) / 2, 0)};
    if (!golden.has("s") && !(named && match[3].matched)) {
        strides.insert(strides.end(), {a.kernel, 2, 1});
    }
    if (!golden.has("p")) {
        paddings.insert(paddings.end(), {0, (a.kernel - 1) / 2, a.kernel / 2});
    }
    const std::size_t wanted = golden.output().data.size() / a.channels / a.batch;
    for (const std::uint32_t stride : strides) {
        for (const std::uint32_t padding : paddings) {
            a.stride = stride;
            a.padding = padding;
            if (std::size_t{a.places(a.height)} * a.places(a.width) == wanted) {
                return a;
            }
        }
    }
    a.stride = strides.front();
    a.padding = paddings.front();
    return a;
}

std::vector<float> call_conv2d(const GoldenCase& golden, const Groups&, ttnn::MeshDevice& device) {
    const ConvArguments a = conv_arguments(golden);
    const DeviceFormat rows{.layout = ttnn::Layout::ROW_MAJOR};
    const Tensor weights = from_host(golden.input(1), rows);
    std::optional<const Tensor> bias;
    if (golden.input_count() > 2) {
        bias.emplace(from_host(golden.input(2), rows));
    }
    ttnn::Conv2dConfig config;
    config.weights_dtype = data_type(a.weights);
    if (!a.activation.empty()) {
        const auto type = unary_type(a.activation);
        config.activation = a.activation_parameter
                                ? ttnn::operations::unary::UnaryWithParam(type, *a.activation_parameter)
                                : ttnn::operations::unary::UnaryWithParam(type);
    }
    ttnn::DeviceComputeKernelConfig compute;
    compute.math_fidelity = fidelity(golden.text("fid", golden.text("fidelity", "HiFi4")));
    compute.math_approx_mode = false;
    compute.fp32_dest_acc_en = golden.flag("fp32_dest_acc_en", false);
    compute.packer_l1_acc = golden.flag("packer_l1_acc", true);
    const auto result = ttnn::conv2d(
        pixels(golden, device, data_type(a.activations)), weights, &device, a.in, a.out, a.batch, a.height, a.width,
        {a.kernel, a.kernel}, {a.stride, a.stride}, Two{a.padding, a.padding}, {a.dilation, a.dilation}, a.groups,
        data_type(a.output), bias, config, compute);
    return std::get<Tensor>(result).to_vector<float>();
}

std::vector<float> call_max_pool2d(const GoldenCase& golden, const Groups&, ttnn::MeshDevice& device) {
    const PoolArguments a = pool_arguments(golden);
    return ttnn::max_pool2d(
               pixels(golden, device, data_type(golden.text("dtype", "BFLOAT16"))), a.batch, a.height, a.width,
               a.channels, {a.kernel, a.kernel}, {a.stride, a.stride}, Two{a.padding, a.padding},
               {a.dilation, a.dilation}, a.ceil_mode)
        .front()
        .to_vector<float>();
}

std::vector<float> call_avg_pool2d(const GoldenCase& golden, const Groups&, ttnn::MeshDevice& device) {
    const PoolArguments a = pool_arguments(golden);
    return ttnn::avg_pool2d(
               pixels(golden, device, data_type(golden.text("dtype", "BFLOAT16"))), a.batch, a.height, a.width,
               a.channels, {a.kernel, a.kernel}, {a.stride, a.stride}, Two{a.padding, a.padding}, a.ceil_mode,
               a.count_include_pad)
        .to_vector<float>();
}

std::vector<float> call_upsample(const GoldenCase& golden, const Groups& groups, ttnn::MeshDevice& device) {
    const Tensor input = to_device(golden, 0, device, DataType::BFLOAT16, ttnn::Layout::ROW_MAJOR);
    return ttnn::upsample(input, whole_number("the scale", groups[0], 1, 64)).to_vector<float>();
}

}  // namespace zoo::conformance
