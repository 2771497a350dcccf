// SPDX-License-Identifier: Apache-2.0
// ttnn::matmul and ttnn::linear against results of the real TTNN.
#include <gtest/gtest.h>

#include <ttnn/device.hpp>
#include <ttnn/operations/matmul/matmul.hpp>
#include <ttnn_cpu/device_options.hpp>
#include <zoo/metrics.hpp>

#include <map>

#include "support/golden_file.hpp"

namespace {

using namespace ttnn;
using tt::tt_metal::MathFidelity;
using tt::tt_metal::PageConfig;
using tt::tt_metal::TensorLayout;
using tt::tt_metal::TensorSpec;
using zoo::testing::GoldenFile;
using zoo::testing::GoldenTensor;

Tensor upload(const GoldenTensor& values, DataType dtype, MeshDevice& device) {
    Shape::Container dims(values.shape.begin(), values.shape.end());
    const TensorSpec spec(Shape(dims), TensorLayout(dtype, PageConfig(Layout::TILE), MemoryConfig()));
    return Tensor::from_vector(values.values, spec, &device);
}

DataType dtype_of(const nlohmann::json& args, const char* key) {
    return args.value(key, "BFLOAT16") == "BFLOAT8_B" ? DataType::BFLOAT8_B : DataType::BFLOAT16;
}

// The call that made the file.
std::vector<float> run(const GoldenFile& golden, MeshDevice& device) {
    const nlohmann::json& args = golden.args;
    if (args.at("op") == "linear") {
        const DataType dtype = dtype_of(args, "dtype");
        const Tensor a = upload(golden.at("in0"), dtype, device);
        const Tensor b = upload(golden.at("in1"), dtype, device);
        const Tensor bias = upload(golden.at("in2"), dtype, device);
        std::optional<const Activation> activation;
        if (args.at("activation").is_string()) {
            activation.emplace(args.at("activation").get<std::string>());
        }
        return linear(
                   a, b, bias, false, false, std::nullopt, std::nullopt, std::nullopt, activation, std::nullopt,
                   CoreGrid(8, 8))
            .to_vector<float>();
    }
    const Tensor a = upload(golden.at("in0"), dtype_of(args, "dtype0"), device);
    const Tensor b = upload(golden.at("in1"), dtype_of(args, "dtype1"), device);
    std::optional<DeviceComputeKernelConfig> config;
    if (args.contains("fidelity")) {
        static const std::map<std::string, MathFidelity> names{
            {"LoFi", MathFidelity::LoFi},
            {"HiFi2", MathFidelity::HiFi2},
            {"HiFi3", MathFidelity::HiFi3},
            {"HiFi4", MathFidelity::HiFi4}};
        config = DeviceComputeKernelConfig{
            .math_fidelity = names.at(args.at("fidelity")),
            .math_approx_mode = false,
            .fp32_dest_acc_en = args.at("fp32_dest_acc_en"),
            .packer_l1_acc = args.at("packer_l1_acc")};
    }
    return matmul(a, b, false, false, std::nullopt, std::nullopt, std::nullopt, std::nullopt, config)
        .to_vector<float>();
}

class MatmulGolden : public ::testing::TestWithParam<std::string> {
protected:
    const GoldenFile golden_ = zoo::testing::read_golden(GetParam());
    std::shared_ptr<MeshDevice> device_ = open_mesh_device(0);
};

// What exact arithmetic on the stored operands gives, without an activation.
std::vector<float> exact_product(const GoldenFile& golden) {
    const GoldenTensor& in0 = golden.at("in0");
    const GoldenTensor& in1 = golden.at("in1");
    const std::size_t m = in0.shape[in0.shape.size() - 2];
    const std::size_t k = in0.shape.back();
    const std::size_t n = in1.shape.back();
    const std::size_t batch = in0.values.size() / (m * k);
    std::vector<float> out(batch * m * n);
    for (std::size_t b = 0; b < batch; ++b) {
        for (std::size_t row = 0; row < m; ++row) {
            for (std::size_t col = 0; col < n; ++col) {
                double sum = golden.tensors.contains("in2") ? golden.at("in2").values[col] : 0.0;
                for (std::size_t i = 0; i < k; ++i) {
                    sum += static_cast<double>(in0.values[(b * m + row) * k + i]) * in1.values[(b * k + i) * n + col];
                }
                out[(b * m + row) * n + col] = static_cast<float>(sum);
            }
        }
    }
    return out;
}

// 1.5 times the golden's own error, which bfloat16 accumulation makes as large as 1e-2 for K = 4096.
TEST_P(MatmulGolden, FastIsAsCloseAsTheCard) {
    ttnn_cpu::set_numerics(*device_, ttnn_cpu::Numerics::Fast);
    const std::vector<float> actual = run(golden_, *device_);
    const std::vector<float>& expected = golden_.at("out").values;
    const zoo::Comparison found = zoo::compare(expected, actual);
    if (golden_.args.value("activation", nlohmann::json()).is_null()) {
        const double own = zoo::compare(exact_product(golden_), expected).relative_error;
        EXPECT_LE(found.relative_error, 1.5 * own);
    }
    EXPECT_GE(found.pcc, 0.9999);
}

TEST_P(MatmulGolden, WormholeIsExact) {
    ttnn_cpu::set_numerics(*device_, ttnn_cpu::Numerics::Wormhole);
    const std::vector<float> actual = run(golden_, *device_);
    const std::vector<float>& expected = golden_.at("out").values;
    const zoo::UlpHistogram found = zoo::ulp_histogram(expected, actual);
    EXPECT_EQ(found.exact, found.count) << zoo::describe(found);
}

std::vector<std::string> cases() {
    std::vector<std::string> names = zoo::testing::golden_names("matmul.");
    for (const std::string& name : zoo::testing::golden_names("linear.")) {
        names.push_back(name);
    }
    return names;
}

INSTANTIATE_TEST_SUITE_P(Golden, MatmulGolden, ::testing::ValuesIn(cases()), [](const auto& golden) {
    std::string name = golden.param;
    for (char& c : name) {
        c = c == '.' ? '_' : c;
    }
    return name;
});

}  // namespace
