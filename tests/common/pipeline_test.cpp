// SPDX-License-Identifier: Apache-2.0
#include "zoo/pipeline.hpp"

#include <gtest/gtest.h>

#include "support/throws.hpp"
#include "ttnn/device.hpp"
#include "ttnn/operations/eltwise/binary/binary.hpp"
#include "ttnn/operations/eltwise/unary/unary.hpp"
#include "zoo/device_tensor.hpp"
#include "zoo/error.hpp"

namespace {

using namespace zoo;
using ttnn::Tensor;

const Shape kShape{1, 1, 64, 64};

HostTensor filled(float value) {
    HostTensor tensor = zeros(kShape);
    for (std::size_t i = 0; i < tensor.size(); ++i) {
        tensor.data[i] = value + static_cast<float>(i % 7);
    }
    return tensor;
}

class PipelineModes : public testing::TestWithParam<Mode> {
protected:
    std::shared_ptr<ttnn::MeshDevice> device_ = ttnn::open_mesh_device(0, 0, 1 << 20, 2);
    Pipeline pipeline_{
        *device_, GetParam(), std::vector{tensor_spec(kShape), tensor_spec(kShape)},
        [](std::span<const Tensor> inputs) {
            const Tensor sum = ttnn::add(inputs[0], inputs[1]);
            return std::vector<Tensor>{ttnn::relu(sum), ttnn::multiply(sum, 2.0F)};
        }};

    static std::vector<float> expected_sum(float a, float b) {
        std::vector<float> values = filled(a).data;
        const std::vector<float> other = filled(b).data;
        for (std::size_t i = 0; i < values.size(); ++i) {
            values[i] += other[i];
        }
        return values;
    }
};

TEST_P(PipelineModes, EachRunSeesItsOwnInputs) {
    for (const float value : {1.0F, -20.0F, 3.0F}) {
        const std::vector<Tensor> inputs{from_host(filled(value)), from_host(filled(0.0F))};
        const std::vector<Tensor> outputs = pipeline_.run(inputs);
        ASSERT_EQ(outputs.size(), 2U);
        std::vector<float> expected = expected_sum(value, 0.0F);
        std::vector<float> doubled = expected;
        for (std::size_t i = 0; i < expected.size(); ++i) {
            expected[i] = std::max(expected[i], 0.0F);
            doubled[i] *= 2;
        }
        EXPECT_EQ(outputs[0].to_vector<float>(), expected);
        EXPECT_EQ(outputs[1].to_vector<float>(), doubled);
    }
}

TEST_P(PipelineModes, RunsMayOverlapAndKeepTheirOrder) {
    constexpr int kRuns = 12;
    for (int run = 0; run < kRuns; ++run) {
        const std::vector<Tensor> inputs{from_host(filled(static_cast<float>(run))), from_host(filled(1.0F))};
        pipeline_.submit(inputs);
    }
    for (int run = 0; run < kRuns; ++run) {
        EXPECT_EQ(pipeline_.next()[0].to_vector<float>(), expected_sum(static_cast<float>(run), 1.0F)) << run;
    }
    EXPECT_THROWS_WITH((void)pipeline_.next(), "with no run submitted");
}

TEST_P(PipelineModes, RefusesAWrongNumberOfInputs) {
    EXPECT_THROWS_WITH(pipeline_.submit(std::vector{from_host(filled(1.0F))}), "1 inputs were given; the body takes 2");
    const std::vector<Tensor> shapes{from_host(zeros({1, 1, 32, 32})), from_host(filled(0.0F))};
    EXPECT_THROWS_WITH(pipeline_.submit(shapes), "different shape [1, 1, 32, 32]");
}

INSTANTIATE_TEST_SUITE_P(
    Modes, PipelineModes, testing::Values(Mode::Plain, Mode::Traced, Mode::TwoQueues, Mode::TracedTwoQueues),
    [](const auto& tested) {
        switch (tested.param) {
            case Mode::Plain:
                return "Plain";
            case Mode::Traced:
                return "Traced";
            case Mode::TwoQueues:
                return "TwoQueues";
            default:
                return "TracedTwoQueues";
        }
    });

// A device's memory holds whatever was there before, and ids read from it would have no row in a table.
TEST(Pipeline, TheRunThatWarmsUpSeesZeros) {
    const auto device = ttnn::open_mesh_device(0, 0, 1 << 20, 2);
    const Shape shape{1, 32};
    for (const Mode mode : {Mode::Plain, Mode::TwoQueues}) {
        std::vector<Tensor> before(4);
        for (Tensor& tensor : before) {
            tensor = from_ids(std::vector<std::uint32_t>(32, 77), shape, device.get());
        }
        for (Tensor& tensor : before) {
            tensor.deallocate(/*force=*/true);
        }
        std::vector<std::vector<std::uint32_t>> seen;
        const Pipeline pipeline(
            *device, mode,
            std::vector{tensor_spec(shape, {.dtype = ttnn::DataType::UINT32, .layout = ttnn::Layout::ROW_MAJOR})},
            [&](std::span<const Tensor> inputs) {
                seen.push_back(inputs[0].to_vector<std::uint32_t>());
                return std::vector<Tensor>{};
            });
        ASSERT_EQ(seen.size(), 1U);
        EXPECT_EQ(seen[0], std::vector<std::uint32_t>(32, 0)) << to_string(mode);
    }
}

TEST(Pipeline, TwoQueuesNeedADeviceThatHasThem) {
    auto device = ttnn::open_mesh_device(0);
    const auto body = [](std::span<const Tensor> inputs) { return std::vector<Tensor>{ttnn::relu(inputs[0])}; };
    EXPECT_THROWS_WITH(
        Pipeline(*device, Mode::TracedTwoQueues, std::vector{tensor_spec(kShape)}, body),
        "needs a device opened with 2 command queues; this one has 1");
}

TEST(Pipeline, ModesHaveNames) {
    for (const Mode mode : {Mode::Plain, Mode::Traced, Mode::TwoQueues, Mode::TracedTwoQueues}) {
        EXPECT_EQ(mode_from_string(to_string(mode)), mode);
    }
    EXPECT_THROWS_WITH(
        (void)mode_from_string("quick"), "mode 'quick' is not known; it must be plain, trace, 2cq or trace-2cq");
}

TEST(Trace, ACaptureThatThrowsIsReleased) {
    auto device = ttnn::open_mesh_device(0, 0, 1 << 20);
    const auto failing = []() -> std::vector<Tensor> { fail("test", "the body failed"); };
    EXPECT_THROWS_WITH(Trace(*device, kComputeQueue, failing), "the body failed");
    const Tensor input = from_host(filled(1.0F), {}, device.get());
    Trace trace(*device, kComputeQueue, [&] { return std::vector<Tensor>{ttnn::relu(input)}; });
    trace.replay();
    EXPECT_EQ(trace.outputs()[0].to_vector<float>(), filled(1.0F).data);
}

}  // namespace
