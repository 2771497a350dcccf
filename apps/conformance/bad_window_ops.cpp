// SPDX-License-Identifier: Apache-2.0
#include "conformance/refusals.hpp"
#include "ttnn/operations/conv/conv2d/conv2d.hpp"
#include "ttnn/operations/pool/generic/generic_pools.hpp"
#include "ttnn/operations/pool/upsample/upsample.hpp"
#include "ttnn/operations/reduction/argmax/argmax.hpp"
#include "zoo/unpackaged_ops.hpp"

namespace zoo::conformance {

namespace {

using ttnn::DataType;
using ttnn::Layout;
using ttnn::MeshDevice;
using ttnn::TensorMemoryLayout;
using SliceType = ttnn::Conv2dSliceConfig::SliceType;
using Pair = std::array<std::uint32_t, 2>;

constexpr Layout kRows = Layout::ROW_MAJOR;

// A 3x3 convolution of one 16x16 picture of 32 channels to 64.
struct Convolution {
    std::uint32_t in_channels = 32;
    std::uint32_t out_channels = 64;
    std::vector<std::uint32_t> input = {1, 1, 16 * 16, 32};
    std::vector<std::uint32_t> weights = {64, 32, 3, 3};
    std::vector<std::uint32_t> bias = {1, 1, 1, 64};
    Pair kernel = {3, 3};
    Pair stride = {1, 1};
    Pair padding = {1, 1};
    std::uint32_t groups = 1;
    std::optional<DataType> dtype = {};  // of the result
    ttnn::Conv2dConfig config = {};
    ttnn::MemoryConfig memory = {};
    std::optional<ttnn::Conv2dSliceConfig> slices = {};
};

BadCall convolution(std::string name, const Convolution& conv, std::string known_difference = {}) {
    return {
        std::move(name),
        [conv](MeshDevice& device) {
            const auto host = [](const std::vector<std::uint32_t>& dims) {
                const ttnn::Shape shape(ttsl::SmallVector<std::uint32_t>(dims.begin(), dims.end()));
                return ttnn::Tensor::from_vector(
                    std::vector<float>(shape.volume()),
                    tt::tt_metal::TensorSpec(
                        shape, tt::tt_metal::TensorLayout(
                                   DataType::BFLOAT16, tt::tt_metal::PageConfig(kRows), ttnn::MemoryConfig{})));
            };
            (void)ttnn::conv2d(
                tensor(device, conv.input, DataType::BFLOAT16, kRows, conv.memory), host(conv.weights), &device,
                conv.in_channels, conv.out_channels, 1, 16, 16, conv.kernel, conv.stride, conv.padding, Pair{1, 1},
                conv.groups, conv.dtype, host(conv.bias), conv.config, std::nullopt, std::nullopt, conv.slices);
        },
        std::move(known_difference)};
}

BadCall pool(std::string name, Pair kernel, Pair stride, Pair padding, std::uint32_t channels = 32) {
    return {std::move(name), [=](MeshDevice& device) {
                (void)ttnn::max_pool2d(
                    tensor(device, {1, 1, 16 * 16, 32}, DataType::BFLOAT16, kRows), 1, 16, 16, channels, kernel, stride,
                    padding, Pair{1, 1}, false);
            }};
}

// A 2x2 pool of that picture.
struct Pooling {
    DataType input = DataType::BFLOAT16;
    ttnn::MemoryConfig memory = {};
    std::optional<const TensorMemoryLayout> scheme = {};
    std::optional<ttnn::operations::op_slicing::Op2DSliceConfig> slices = {};
    DataType dtype = DataType::BFLOAT16;
};

BadCall pool(std::string name, const Pooling& call) {
    return {std::move(name), [call](MeshDevice& device) {
                (void)ttnn::max_pool2d(
                    tensor(device, {1, 1, 16 * 16, 32}, call.input, kRows, call.memory), 1, 16, 16, 32, Pair{2, 2},
                    Pair{2, 2}, Pair{0, 0}, Pair{1, 1}, false, std::nullopt, call.slices, call.scheme, false, true,
                    false, call.dtype);
            }};
}

}  // namespace

std::vector<BadCall> bad_window_ops() {
    return {
        convolution(
            "conv2d: groups that do not divide the channels", {.groups = 5},
            "the real library rounds the channels of a group down and goes on"),
        convolution("conv2d: kernel larger than the picture", {.weights = {64, 32, 24, 24}, .kernel = {24, 24}}),
        convolution("conv2d: picture of another size", {.input = {1, 1, 15 * 16, 32}}),
        convolution("conv2d: a bias for other channels", {.bias = {1, 1, 1, 32}}),
        convolution(
            "conv2d: blocks of part of a tile", {.config = {.act_block_h_override = 48}},
            "the real library takes it for an input in DRAM"),
        convolution(
            "conv2d: row-major result in block floats",
            {.dtype = DataType::BFLOAT8_B, .config = {.output_layout = kRows}}),
        convolution(
            "conv2d: own sharding without cores",
            {.config = {.override_sharding_config = true, .shard_layout = TensorMemoryLayout::HEIGHT_SHARDED},
             .memory = sharded(TensorMemoryLayout::HEIGHT_SHARDED, 8, 1, 32, 32)}),
        convolution(
            "conv2d: own sharding and the best", {.config =
                                                      {.reshard_if_not_optimal = true,
                                                       .override_sharding_config = true,
                                                       .shard_layout = TensorMemoryLayout::HEIGHT_SHARDED},
                                                  .memory = sharded(TensorMemoryLayout::HEIGHT_SHARDED, 8, 1, 32, 32)}),
        convolution(
            "conv2d: more slices than rows",
            {.slices = ttnn::Conv2dSliceConfig{.slice_type = SliceType::DRAM_HEIGHT, .num_slices = 20}}),
        pool("max_pool2d: input in float32", {.input = DataType::FLOAT32}),
        pool("max_pool2d: row-major result in block floats", {.dtype = DataType::BFLOAT8_B}),
        pool("max_pool2d: result in float32", {.dtype = DataType::FLOAT32}),
        pool(
            "max_pool2d: a way to shard what is sharded",
            {.memory = sharded(TensorMemoryLayout::HEIGHT_SHARDED, 8, 1, 32, 32),
             .scheme = TensorMemoryLayout::HEIGHT_SHARDED}),
        pool(
            "max_pool2d: more slices than rows", {.slices = {{.slice_type = SliceType::DRAM_HEIGHT, .num_slices = 9}}}),
        pool("max_pool2d: padding of more than half the kernel", {2, 2}, {2, 2}, {2, 2}),
        pool("max_pool2d: other channels than the tensor's", {2, 2}, {2, 2}, {0, 0}, 48),
        {"upsample: mode that does not exist",
         [](MeshDevice& device) {
             (void)ttnn::upsample(
                 tensor(device, {1, 16, 16, 32}, DataType::BFLOAT16, kRows), std::array<int, 2>{2, 2}, "cubic");
         }},
        {"fold: stride that does not divide the picture",
         [](MeshDevice& device) {
             (void)ttnn::fold(tensor(device, {1, 16, 16, 32}, DataType::BFLOAT16, kRows), 3, 3);
         }},
        {"argmax: dimension out of range",
         [](MeshDevice& device) {
             (void)ttnn::argmax(tensor(device, {1, 1, 64, 64}, DataType::BFLOAT16, kRows), 4);
         }},
        {"topk: dimension out of range",
         [](MeshDevice& device) {
             (void)ttnn::topk(tensor(device, {1, 1, 64, 64}), 8, 4, true, true);
         }},
        {"topk: more than there are",
         [](MeshDevice& device) {
             (void)ttnn::topk(tensor(device, {1, 1, 64, 64}), 128, -1, true, true);
         }},
    };
}

}  // namespace zoo::conformance
