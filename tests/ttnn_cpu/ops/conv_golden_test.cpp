// SPDX-License-Identifier: Apache-2.0
// ttnn::conv2d against results of the real TTNN.
#include <gtest/gtest.h>

#include <ttnn/device.hpp>
#include <ttnn/operations/conv/conv2d/conv2d.hpp>
#include <ttnn_cpu/device_options.hpp>
#include <zoo/metrics.hpp>

#include "support/golden_file.hpp"

namespace {

using namespace ttnn;
using tt::tt_metal::MathFidelity;
using tt::tt_metal::PageConfig;
using tt::tt_metal::TensorLayout;
using tt::tt_metal::TensorSpec;
using zoo::testing::GoldenFile;
using zoo::testing::GoldenTensor;

struct Arguments {
    explicit Arguments(const nlohmann::json& args) {
        const auto number = [&](const char* key, std::uint32_t otherwise) {
            return args.contains(key) ? static_cast<std::uint32_t>(std::stoul(args.at(key).get<std::string>()))
                                      : otherwise;
        };
        const auto dtype = [&](const char* key) {
            return args.value(key, "BFLOAT16") == "BFLOAT8_B" ? DataType::BFLOAT8_B : DataType::BFLOAT16;
        };
        in = number("cin", 0);
        out = number("cout", 0);
        size = number("hw", 0);
        kernel = number("k", 0);
        stride = number("s", 1);
        padding = number("p", 0);
        groups = number("groups", 1);
        weights = dtype("wdt");
        output = dtype("odt");
        activations = dtype("adt");
        relu = args.contains("act");
        fidelity = args.value("fid", "HiFi4") == "LoFi" ? MathFidelity::LoFi : MathFidelity::HiFi4;
    }

    std::uint32_t in, out, size, kernel, stride, padding, groups;
    DataType weights, output, activations;
    bool relu;
    MathFidelity fidelity;
};

Tensor make(const std::vector<float>& values, const Shape& shape, DataType dtype, Layout layout, MeshDevice* device) {
    return Tensor::from_vector(
        values, TensorSpec(shape, TensorLayout(dtype, PageConfig(layout), MemoryConfig())), device);
}

std::vector<float> to_nhwc(const GoldenTensor& image) {
    const std::size_t channels = image.shape[1];
    const std::size_t pixels = image.shape[2] * image.shape[3];
    std::vector<float> values(image.values.size());
    for (std::size_t c = 0; c < channels; ++c) {
        for (std::size_t p = 0; p < pixels; ++p) {
            values[p * channels + c] = image.values[c * pixels + p];
        }
    }
    return values;
}

// The call that made the file.
std::vector<float> run(const GoldenFile& golden, MeshDevice& device) {
    const Arguments a(golden.args);
    const bool block = a.activations == DataType::BFLOAT8_B;
    const Tensor input = make(
        to_nhwc(golden.at("in0")), Shape{1, 1, a.size * a.size, a.in}, a.activations,
        block ? Layout::TILE : Layout::ROW_MAJOR, &device);
    const Tensor weights = make(
        golden.at("in1").values, Shape{a.out, a.in / a.groups, a.kernel, a.kernel}, DataType::BFLOAT16,
        Layout::ROW_MAJOR, nullptr);
    const Tensor bias =
        make(golden.at("in2").values, Shape{1, 1, 1, a.out}, DataType::BFLOAT16, Layout::ROW_MAJOR, nullptr);
    Conv2dConfig config;
    config.weights_dtype = a.weights;
    if (a.relu) {
        config.activation = operations::unary::UnaryWithParam(operations::unary::UnaryOpType::RELU);
    }
    const DeviceComputeKernelConfig compute{
        .math_fidelity = a.fidelity, .math_approx_mode = false, .packer_l1_acc = true};
    const auto result = conv2d(
        input, weights, &device, a.in, a.out, 1, a.size, a.size, {a.kernel, a.kernel}, {a.stride, a.stride},
        std::array<uint32_t, 2>{a.padding, a.padding}, {1, 1}, a.groups, a.output, bias, config, compute);
    return std::get<Tensor>(result).to_vector<float>();
}

// What exact arithmetic on the stored operands gives.
std::vector<float> exact(const GoldenFile& golden) {
    const Arguments a(golden.args);
    const auto stored = [&](const std::vector<float>& values, DataType dtype, std::uint32_t columns) {
        const auto rows = static_cast<std::uint32_t>(values.size() / columns);
        return make(values, Shape{1, 1, rows, columns}, dtype, Layout::TILE, nullptr).to_vector<float>();
    };
    const std::vector<float> image = stored(to_nhwc(golden.at("in0")), a.activations, a.in);
    const std::vector<float>& weights = golden.at("in1").values;
    const std::vector<float>& bias = golden.at("in2").values;
    const std::uint32_t size = (a.size + 2 * a.padding - a.kernel) / a.stride + 1;
    const std::uint32_t per_group = a.in / a.groups;
    std::vector<float> out(std::size_t{size} * size * a.out);
    for (std::uint32_t y = 0; y < size; ++y) {
        for (std::uint32_t x = 0; x < size; ++x) {
            for (std::uint32_t o = 0; o < a.out; ++o) {
                double sum = bias[o];
                for (std::uint32_t i = 0; i < per_group; ++i) {
                    const std::uint32_t c = o / (a.out / a.groups) * per_group + i;
                    for (std::uint32_t h = 0; h < a.kernel; ++h) {
                        for (std::uint32_t w = 0; w < a.kernel; ++w) {
                            const std::uint32_t in_y = y * a.stride + h - a.padding;
                            const std::uint32_t in_x = x * a.stride + w - a.padding;
                            if (in_y < a.size && in_x < a.size) {
                                sum += double{image[(in_y * a.size + in_x) * a.in + c]} *
                                       weights[((o * per_group + i) * a.kernel + h) * a.kernel + w];
                            }
                        }
                    }
                }
                out[(y * size + x) * a.out + o] = static_cast<float>(a.relu ? std::max(0.0, sum) : sum);
            }
        }
    }
    return out;
}

class ConvGolden : public ::testing::TestWithParam<std::string> {
protected:
    const GoldenFile golden_ = zoo::testing::read_golden(GetParam());
    std::shared_ptr<MeshDevice> device_ = open_mesh_device(0, 32768);
};

TEST_P(ConvGolden, FastIsAsCloseAsTheCard) {
    ttnn_cpu::set_numerics(*device_, ttnn_cpu::Numerics::Fast);
    const std::vector<float> actual = run(golden_, *device_);
    const std::vector<float>& expected = golden_.at("out").values;
    const zoo::Comparison found = zoo::compare(expected, actual);
    const double own = zoo::compare(exact(golden_), expected).relative_error;
    std::cout << GetParam() << " " << zoo::describe(found) << ", the card's own error " << own << "\n";
    EXPECT_GE(found.pcc, 0.9999);
    EXPECT_LE(found.relative_error, 1.5 * own);
}

TEST_P(ConvGolden, WormholeIsExact) {
    ttnn_cpu::set_numerics(*device_, ttnn_cpu::Numerics::Wormhole);
    const std::vector<float> actual = run(golden_, *device_);
    const zoo::UlpHistogram found = zoo::ulp_histogram(golden_.at("out").values, actual);
    EXPECT_EQ(found.exact, found.count) << zoo::describe(found);
}

INSTANTIATE_TEST_SUITE_P(
    Golden, ConvGolden, ::testing::ValuesIn(zoo::testing::golden_names("conv2d.")), [](const auto& golden) {
        std::string name = golden.param;
        for (char& c : name) {
            c = c == '.' ? '_' : c;
        }
        return name;
    });

}  // namespace
