// SPDX-License-Identifier: Apache-2.0
// The softmax functions against libtorch.
#include <ttnn/operations/normalization/softmax/softmax.hpp>
#include <ttnn/operations/transformer/attention_softmax/attention_softmax.hpp>

#include "op_fixture.hpp"
#include "support/printed_name.hpp"
#include "support/torch_bridge.hpp"

namespace {

using namespace op_test;
using zoo::test::normal;
namespace torch_ref = zoo::test::torch_ref;

const ttnn::DeviceComputeKernelConfig kClose{
    .math_fidelity = tt::tt_metal::MathFidelity::HiFi4, .math_approx_mode = false};

ttnn::DeviceComputeKernelConfig close_config(DataType dtype) {
    ttnn::DeviceComputeKernelConfig config = kClose;
    config.fp32_dest_acc_en = dtype == DataType::FLOAT32;
    return config;
}

// One rounding at the end: 1.7e-3 of bfloat16 on average, 4e-3 measured for bfloat8_b rows with one exponent for 16
// values. On a card sums and probabilities of 16 bits: 6.9e-3.
Bounds close_bounds(DataType dtype) {
    if (dtype == DataType::FLOAT32) {
        return {{.pcc = 0.999999, .relative_error = 1e-5}, 1e-5};
    }
    return dtype == DataType::BFLOAT8_B ? Bounds{{.pcc = 0.9995, .relative_error = 3e-2}, 2.32e-2}
                                        : Bounds{{.pcc = 0.9999, .relative_error = 4e-3}, 6.9e-3};
}

// By default the exponential is off by up to 3 % and the reciprocal by up to 4 %, as on the card: 2.4e-2 measured.
constexpr Bound kQuick{.pcc = 0.999, .relative_error = 4.5e-2};

// Half of the keys masked, as for padded sentences.
Array padding_mask(std::int64_t batch, std::int64_t width) {
    Array mask{
        .shape = {batch, 1, 1, width}, .data = std::vector<float>(static_cast<std::size_t>(batch * width), 0.0F)};
    for (std::size_t i = 0; i < mask.data.size(); ++i) {
        mask.data[i] = static_cast<std::int64_t>(i) % width >= width / 2 ? -10000.0F : 0.0F;
    }
    return mask;
}

struct Case {
    zoo::test::Dims shape;
    DataType dtype;
};

void PrintTo(const Case& test, std::ostream* out) {
    *out << zoo::to_string(test.shape) << " " << zoo::test::name_of(test.dtype);
}

class Softmax : public OpTest, public ::testing::WithParamInterface<Case> {};

TEST_P(Softmax, OverTheLastDimension) {
    const Array x = rounded(normal(GetParam().shape, 1, 0.0F, 3.0F), GetParam().dtype);
    const Tensor input = upload(x, GetParam().dtype);
    const Array expected = torch_ref::softmax(x, -1);
    for (const bool stable : {true, false}) {
        EXPECT_WITHIN(
            expected, download(ttnn::softmax(input, -1, std::nullopt, close_config(GetParam().dtype), stable)),
            bound(close_bounds(GetParam().dtype)));
        EXPECT_WITHIN(expected, download(ttnn::softmax(input, -1, std::nullopt, std::nullopt, stable)), kQuick);
    }
}

TEST_P(Softmax, OverTheOtherDimensions) {
    const Array x = rounded(normal(GetParam().shape, 2, 0.0F, 2.0F), GetParam().dtype);
    const Tensor input = upload(x, GetParam().dtype);
    for (int dim = 0; dim + 1 < static_cast<int>(x.shape.size()); ++dim) {
        EXPECT_WITHIN(
            torch_ref::softmax(x, dim),
            download(ttnn::softmax(input, dim, std::nullopt, close_config(GetParam().dtype))),
            bound(close_bounds(GetParam().dtype)))
            << "dimension " << dim;
    }
}

class MaskedSoftmax : public Softmax {};

TEST_P(MaskedSoftmax, AttentionWithAMaskAndWithout) {
    const Array x = rounded(normal(GetParam().shape, 3, 0.0F, 8.0F), GetParam().dtype);
    const Array mask = padding_mask(x.shape[0], x.shape[3]);
    Tensor input = upload(x, GetParam().dtype);
    const Tensor mask_tensor = upload(mask);
    const Array expected = torch_ref::scale_mask_softmax(x, 0.125F, mask);
    EXPECT_WITHIN(expected, download(ttnn::transformer::attention_softmax(input, 64, mask_tensor)), kQuick);
    EXPECT_WITHIN(
        expected,
        download(
            ttnn::scale_mask_softmax(input, 0.125F, mask_tensor, std::nullopt, false, close_config(GetParam().dtype))),
        bound(close_bounds(GetParam().dtype)));
    EXPECT_WITHIN(
        torch_ref::scale_mask_softmax(x, 0.125F), download(ttnn::transformer::attention_softmax(input, 64)), kQuick);
    const Tensor in_place = ttnn::transformer::attention_softmax_(input, 64, mask_tensor);
    EXPECT_EQ(in_place.buffer(), input.buffer());
    EXPECT_WITHIN(expected, download(input), kQuick);
}

TEST_P(Softmax, AWrongExpectationIsSeen) {
    const Array x = rounded(normal(GetParam().shape, 1, 0.0F, 3.0F), GetParam().dtype);
    const Array wrong = torch_ref::softmax(torch_ref::binary("multiply", x, 1.05F), -1);
    EXPECT_OUTSIDE(
        wrong, download(ttnn::softmax(upload(x, GetParam().dtype), -1, std::nullopt, close_config(GetParam().dtype))),
        bound(close_bounds(GetParam().dtype)));
}

INSTANTIATE_TEST_SUITE_P(
    Shapes, Softmax,
    ::testing::Values(
        Case{{1, 16, 384, 384}, DataType::BFLOAT16}, Case{{1, 16, 384, 384}, DataType::BFLOAT8_B},
        Case{{8, 12, 128, 128}, DataType::BFLOAT8_B}, Case{{2, 3, 40, 70}, DataType::BFLOAT16},
        Case{{2, 3, 40, 70}, DataType::FLOAT32}, Case{{2, 64, 96}, DataType::BFLOAT16},
        Case{{2, 2, 3, 40, 64}, DataType::BFLOAT16}),
    zoo::test::printed_name);

INSTANTIATE_TEST_SUITE_P(
    Shapes, MaskedSoftmax,
    ::testing::Values(
        Case{{1, 16, 384, 384}, DataType::BFLOAT16}, Case{{8, 12, 128, 128}, DataType::BFLOAT8_B},
        Case{{2, 3, 40, 70}, DataType::BFLOAT16}, Case{{2, 3, 40, 70}, DataType::FLOAT32}),
    zoo::test::printed_name);

TEST_F(OpTest, SoftmaxCausalMaskHasARowForEachRow) {
    const Array x = rounded(normal({2, 4, 64, 64}, 4, 0.0F, 2.0F), DataType::BFLOAT16);
    Array mask{.shape = {2, 1, 64, 64}, .data = std::vector<float>(2 * 64 * 64, 0.0F)};
    for (std::size_t i = 0; i < mask.data.size(); ++i) {
        mask.data[i] = i % 64 > i / 64 % 64 ? -10000.0F : 0.0F;
    }
    Tensor input = upload(x);
    (void)ttnn::scale_mask_softmax_in_place(input, 0.5F, upload(mask), {}, true, kClose, true);
    EXPECT_WITHIN(
        torch_ref::scale_mask_softmax(x, 0.5F, mask), download(input), bound(close_bounds(DataType::BFLOAT16)));
}

class ShardedSoftmax : public OpTest {
protected:
    // 8 heads of 64 x 64, two a core.
    const Array x_ = rounded(normal({2, 4, 64, 64}, 5, 0.0F, 2.0F), DataType::BFLOAT16);
    const MemoryConfig memory_ = sharded(TensorMemoryLayout::HEIGHT_SHARDED, {128, 64}, {4, 1});
    const ttnn::SoftmaxProgramConfig config_ = ttnn::SoftmaxShardedMultiCoreProgramConfig{
        .compute_with_storage_grid_size = {4, 1}, .subblock_w = 2, .block_h = 4, .block_w = 2};
};

TEST_F(ShardedSoftmax, InPlaceWithoutAMask) {
    Tensor input = upload(x_, DataType::BFLOAT16, memory_);
    EXPECT_EQ(ttnn::softmax_in_place(input, -1, config_, kClose).buffer(), input.buffer());
    EXPECT_WITHIN(torch_ref::softmax(x_, -1), download(input), bound(close_bounds(DataType::BFLOAT16)));
}

TEST_F(ShardedSoftmax, EveryFormOfTheMask) {
    const Array line = padding_mask(2, 64);
    const Array expected = torch_ref::scale_mask_softmax(x_, 0.25F, line);
    const Array as_rows{.shape = {2, 1, 2, 32}, .data = line.data};
    for (const Tensor& mask : {upload(line), upload(as_rows, DataType::BFLOAT16, {}, Layout::ROW_MAJOR)}) {
        Tensor input = upload(x_, DataType::BFLOAT16, memory_);
        (void)ttnn::scale_mask_softmax_in_place(input, 0.25F, mask, config_, false, kClose, true);
        EXPECT_WITHIN(expected, download(input), bound(close_bounds(DataType::BFLOAT16)));
    }
    const Array full = rounded(normal({2, 4, 64, 64}, 6), DataType::BFLOAT16);
    Tensor input = upload(x_, DataType::BFLOAT16, memory_);
    (void)ttnn::scale_mask_softmax_in_place(
        input, 0.25F, upload(full, DataType::BFLOAT16, memory_), config_, true, kClose, true);
    EXPECT_WITHIN(
        torch_ref::scale_mask_softmax(x_, 0.25F, full), download(input), bound(close_bounds(DataType::BFLOAT16)));

    const Array one = rounded(normal({1, 1, 64, 64}, 7), DataType::BFLOAT16);
    Tensor hw_input = upload(x_, DataType::BFLOAT16, memory_);
    (void)ttnn::scale_causal_mask_hw_dims_softmax_in_place(hw_input, 0.25F, upload(one), config_, kClose, true);
    EXPECT_WITHIN(
        torch_ref::scale_mask_softmax(x_, 0.25F, one), download(hw_input), bound(close_bounds(DataType::BFLOAT16)));
}

}  // namespace
