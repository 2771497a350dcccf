// SPDX-License-Identifier: Apache-2.0
// A traced ttnn::conv2d in mode fast beside oneDNN's float32 convolution in the layouts that it likes best, weights packed
// and bias and relu fused, on the shapes of the zoo's vision models. They take turns, and the best time of each counts.
#include <dnnl.hpp>

#include <optional>
#include <string>

#include <tt-metalium/distributed.hpp>
#include <tt-metalium/work_split.hpp>
#include <ttnn/device.hpp>
#include <ttnn/operations/conv/conv2d/conv2d.hpp>
#include <ttnn/operations/trace.hpp>

#include "bench_support.hpp"

namespace {

using namespace ttnn;
using tt::tt_metal::CoreCoord;
using tt::tt_metal::CoreRange;
using tt::tt_metal::CoreRangeSet;
using tt::tt_metal::PageConfig;
using tt::tt_metal::ShardSpec;
using tt::tt_metal::TensorLayout;
using tt::tt_metal::TensorSpec;

// In a trace, so that starting it does not count.
constexpr int kTimes = 8;

struct ConvShape {
    const char* name;
    std::uint32_t in;
    std::uint32_t out;
    std::uint32_t size;
    std::uint32_t kernel;
    std::uint32_t stride = 1;
    std::uint32_t groups = 1;

    std::uint32_t padding() const { return kernel / 2; }
    std::uint32_t out_size() const { return (size + 2 * padding() - kernel) / stride + 1; }
    double operations() const {
        return 2.0 * out_size() * out_size() * out * (in / static_cast<double>(groups)) * kernel * kernel;
    }
};

constexpr ConvShape kShapes[] = {
    {"resnet_stem", 3, 64, 224, 7, 2},
    {"resnet_3x3_64", 64, 64, 56, 3},
    {"resnet_3x3_64_128_s2", 64, 128, 56, 3, 2},
    {"resnet_3x3_128", 128, 128, 28, 3},
    {"resnet_3x3_256", 256, 256, 14, 3},
    {"resnet_3x3_512", 512, 512, 7, 3},
    {"resnet_1x1_64_256", 64, 256, 56, 1},
    {"resnet_1x1_256_64", 256, 64, 56, 1},
    {"resnet_1x1_256_512_s2", 256, 512, 56, 1, 2},
    {"resnet_1x1_512_128", 512, 128, 28, 1},
    {"resnet_1x1_1024_256", 1024, 256, 14, 1},
    {"resnet_1x1_256_1024", 256, 1024, 14, 1},
    {"resnet_1x1_512_2048", 512, 2048, 7, 1},
    {"mobilenet_stem", 3, 32, 224, 3, 2},
    {"mobilenet_dw_32", 32, 32, 112, 3, 1, 32},
    {"mobilenet_1x1_16_96", 16, 96, 112, 1},
    {"mobilenet_dw_96_s2", 96, 96, 112, 3, 2, 96},
    {"mobilenet_1x1_96_24", 96, 24, 56, 1},
    {"mobilenet_dw_144", 144, 144, 56, 3, 1, 144},
    {"mobilenet_dw_192", 192, 192, 28, 3, 1, 192},
    {"mobilenet_dw_384", 384, 384, 14, 3, 1, 384},
    {"mobilenet_1x1_384_64", 384, 64, 14, 1},
    {"mobilenet_dw_960", 960, 960, 7, 3, 1, 960},
    {"mobilenet_1x1_320_1280", 320, 1280, 7, 1},
    {"yolo_3x3_3_32", 3, 32, 320, 3},
    {"yolo_3x3_32_64_s2", 32, 64, 320, 3, 2},
    {"yolo_3x3_64_80", 64, 64, 80, 3},
    {"yolo_3x3_128_40", 128, 128, 40, 3},
    {"yolo_3x3_256_20", 256, 256, 20, 3},
    {"yolo_3x3_512_10", 512, 512, 10, 3},
    {"yolo_1x1_128_80", 128, 128, 80, 1},
};

// oneDNN's own best: it chooses all layouts.
class RawConv {
public:
    explicit RawConv(const ConvShape& shape) : engine_(dnnl::engine::kind::cpu, 0), stream_(engine_) {
        using dnnl::memory;
        const auto f32 = memory::data_type::f32;
        const auto any = memory::format_tag::any;
        const auto dim = [](std::uint32_t value) { return static_cast<memory::dim>(value); };
        memory::dims weights{dim(shape.out), dim(shape.in / shape.groups), dim(shape.kernel), dim(shape.kernel)};
        if (shape.groups > 1) {
            weights = {
                dim(shape.groups), dim(shape.out / shape.groups), dim(shape.in / shape.groups), dim(shape.kernel),
                dim(shape.kernel)};
        }
        dnnl::post_ops operations;
        operations.append_eltwise(1.0F, dnnl::algorithm::eltwise_relu, 0.0F, 0.0F);
        dnnl::primitive_attr attributes;
        attributes.set_post_ops(operations);
        const dnnl::convolution_forward::primitive_desc description(
            dnnl::convolution_forward::desc(
                dnnl::prop_kind::forward_inference, dnnl::algorithm::convolution_direct,
                memory::desc({1, dim(shape.in), dim(shape.size), dim(shape.size)}, f32, any),
                memory::desc(weights, f32, any), memory::desc({dim(shape.out)}, f32, memory::format_tag::a),
                memory::desc({1, dim(shape.out), dim(shape.out_size()), dim(shape.out_size())}, f32, any),
                {dim(shape.stride), dim(shape.stride)}, {dim(shape.padding()), dim(shape.padding())},
                {dim(shape.padding()), dim(shape.padding())}),
            attributes, engine_);
        conv_ = dnnl::convolution_forward(description);
        for (const auto& [argument, desc] :
             {std::pair{DNNL_ARG_SRC, description.src_desc()}, std::pair{DNNL_ARG_WEIGHTS, description.weights_desc()},
              std::pair{DNNL_ARG_BIAS, description.bias_desc()}, std::pair{DNNL_ARG_DST, description.dst_desc()}}) {
            memory buffer(desc, engine_);
            auto* const values = static_cast<float*>(buffer.get_data_handle());
            std::fill(values, values + desc.get_size() / sizeof(float), 0.5F);
            arguments_.emplace(argument, buffer);
        }
    }
    void run() {
        for (int i = 0; i < kTimes; ++i) {
            conv_.execute(stream_, arguments_);
        }
        stream_.wait();
    }

private:
    dnnl::engine engine_;
    dnnl::stream stream_;
    dnnl::convolution_forward conv_;
    std::unordered_map<int, dnnl::memory> arguments_;
};

std::uint32_t round_up(std::uint32_t value, std::uint32_t to) { return (value + to - 1) / to * to; }

// Shards as the models choose them: by rows where the image is large, in blocks where the channels are many.
MemoryConfig sharded(const ConvShape& shape) {
    const std::uint32_t pixels = shape.size * shape.size;
    const std::uint32_t channels = round_up(shape.in, shape.in < 32 ? 16 : 32);
    if (pixels >= 400 && shape.in <= 512) {
        const std::uint32_t height = round_up((pixels + 63) / 64, 32);
        const std::uint32_t cores = (pixels + height - 1) / height;
        return MemoryConfig(
            TensorMemoryLayout::HEIGHT_SHARDED, BufferType::L1,
            ShardSpec(tt::tt_metal::num_cores_to_corerangeset(cores, CoreCoord{8, 8}, true), {height, channels}));
    }
    const std::uint32_t height = round_up((pixels + 7) / 8, 32);
    const std::uint32_t width = round_up((channels + 7) / 8, 32);
    return MemoryConfig(
        TensorMemoryLayout::BLOCK_SHARDED, BufferType::L1,
        ShardSpec(
            CoreRangeSet(CoreRange({0, 0}, {(channels + width - 1) / width - 1, (pixels + height - 1) / height - 1})),
            {height, width}));
}

void conv_against_onednn(benchmark::State& state, const ConvShape& shape, DataType activations) {
    auto device = open_mesh_device(0, 32768, 1 << 20);
    const bool narrow = shape.in < 32;
    const DataType in_dtype = narrow ? DataType::BFLOAT16 : activations;
    const Layout layout = narrow ? Layout::ROW_MAJOR : Layout::TILE;
    const Tensor input = op_bench::random_tensor(
        TensorSpec(
            Shape{1, 1, shape.size * shape.size, round_up(shape.in, narrow ? 16 : 32)},
            TensorLayout(in_dtype, PageConfig(layout), sharded(shape))),
        device.get());
    const auto host = [](const Shape& dims) {
        return op_bench::random_tensor(
            TensorSpec(dims, TensorLayout(DataType::FLOAT32, PageConfig(Layout::ROW_MAJOR), MemoryConfig())), nullptr);
    };
    Tensor weights = host(Shape{shape.out, shape.in / shape.groups, shape.kernel, shape.kernel});
    std::optional<Tensor> bias = host(Shape{1, 1, 1, shape.out});
    Conv2dConfig config{.weights_dtype = DataType::BFLOAT8_B};
    config.activation = operations::unary::UnaryWithParam(operations::unary::UnaryOpType::RELU);
    const auto conv = [&] {
        return conv2d(
            input, weights, device.get(), shape.in, shape.out, 1, shape.size, shape.size, {shape.kernel, shape.kernel},
            {shape.stride, shape.stride}, std::array<std::uint32_t, 2>{shape.padding(), shape.padding()}, {1, 1},
            shape.groups, activations, bias, config, std::nullopt, std::nullopt, std::nullopt, false, true);
    };
    const auto [first, prepared] = std::get<std::tuple<Tensor, std::tuple<Tensor, std::optional<Tensor>>>>(conv());
    std::tie(weights, bias) = prepared;
    const auto trace = operations::trace::begin_trace_capture(device.get(), std::nullopt);
    for (int i = 0; i < kTimes; ++i) {
        conv();
    }
    operations::trace::end_trace_capture(device.get(), trace, std::nullopt);
    op_bench::compare<RawConv>(
        state, kTimes * shape.operations(), [&] { return RawConv(shape); },
        [&] { operations::trace::execute_trace(device.get(), trace, std::nullopt, true); });
    operations::trace::release_trace(device.get(), trace);
}

}  // namespace

int main(int argc, char** argv) {
    for (const ConvShape& shape : kShapes) {
        for (const auto& [name, dtype] :
             {std::pair{"bfloat16", DataType::BFLOAT16}, std::pair{"bfloat8_b", DataType::BFLOAT8_B}}) {
            benchmark::RegisterBenchmark(
                (std::string(shape.name) + "/" + name).c_str(), conv_against_onednn, shape, dtype)
                ->UseRealTime();
        }
    }
    benchmark::Initialize(&argc, argv);
    if (benchmark::ReportUnrecognizedArguments(argc, argv)) {
        return 1;
    }
    benchmark::RunSpecifiedBenchmarks();
    benchmark::Shutdown();
    return 0;
}
