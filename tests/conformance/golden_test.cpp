// SPDX-License-Identifier: Apache-2.0
// Every golden file, in both numerics, against the bars of docs/numerics.md.
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

#include <ttnn_cpu/device_options.hpp>

#include "common/scratch.hpp"
#include "conformance/golden_report.hpp"
#include "source_dir.hpp"
#include "support/throws.hpp"
#include "ttnn/device.hpp"
#include "zoo/checkpoint.hpp"

namespace {

using namespace zoo::conformance;

const std::filesystem::path kDirectory = ZOO_TEST_DATA_DIR "/golden";

bool starts_with_any(const std::string& name, std::initializer_list<const char*> prefixes) {
    return std::any_of(prefixes.begin(), prefixes.end(), [&](const char* prefix) { return name.starts_with(prefix); });
}

std::vector<std::string> names() {
    std::vector<std::string> result;
    for (const auto& file : golden_files(kDirectory)) {
        result.push_back(file.stem().string());
    }
    return result;
}

class GoldenCases : public testing::TestWithParam<std::string> {
protected:
    GoldenRow row(ttnn_cpu::Numerics numerics) {
        ttnn_cpu::set_default_device_options({.numerics = numerics});
        const auto device = ttnn::open_mesh_device(0, 32768);
        return run_case(GoldenCase::load(kDirectory / (GetParam() + ".safetensors")), *device);
    }
};

// Formats and data movement are exact in both modes. Everything else comes as close to the real answer as 1.5 times that answer's own
// distance from exact arithmetic.
TEST_P(GoldenCases, FastIsAsCloseAsTheCardIsToTheTruth) {
    const GoldenRow result = row(ttnn_cpu::Numerics::Fast);
    ASSERT_EQ(result.problem, "");
    if (starts_with_any(
            GetParam(), {"format.", "embedding.", "transformer.split", "transformer.concat", "reduce.argmax",
                         "pool.max", "pool.upsample"})) {
        EXPECT_EQ(result.ulp.exact, result.ulp.count);
        return;
    }
    ASSERT_TRUE(result.own_error.has_value());
    EXPECT_GE(result.comparison.pcc, 0.9999);
    EXPECT_LE(result.comparison.relative_error, 1.5 * *result.own_error);
}

// Bit for bit, but for what the vector unit computes: within one step, and 95 % exact.
TEST_P(GoldenCases, WormholeIsExact) {
    const GoldenRow result = row(ttnn_cpu::Numerics::Wormhole);
    ASSERT_EQ(result.problem, "");
    if (starts_with_any(
            GetParam(), {"unary.exp", "unary.gelu", "unary.log", "unary.mish", "unary.sigmoid", "unary.silu",
                         "unary.tanh", "linear.bias.gelu", "linear.bias.silu", "linear.bfloat8_b.gelu", "softmax.",
                         "layer_norm.", "transformer.attention", "transformer.sdpa", "pool.avg"})) {
        EXPECT_EQ(result.ulp.within_1, result.ulp.count);
        EXPECT_GE(result.ulp.exact_share(), 0.95);
    } else {
        EXPECT_EQ(result.ulp.exact, result.ulp.count);
    }
}

INSTANTIATE_TEST_SUITE_P(Real, GoldenCases, testing::ValuesIn(names()), [](const auto& tested) {
    std::string name = tested.param;
    std::replace(name.begin(), name.end(), '.', '_');
    return name;
});

// docs/numerics.md shows what `tt-zoo conformance golden --numerics wormhole --markdown` prints.
TEST(GoldenDocs, TheTableInTheDocumentIsTheCommands) {
    ttnn_cpu::set_default_device_options({.numerics = ttnn_cpu::Numerics::Wormhole});
    const auto device = ttnn::open_mesh_device(0, 32768);
    const std::string table = markdown(run_directory(kDirectory, *device));
    std::ifstream file(zoo::apps::source_path("docs/numerics.md"));
    const std::string document((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
    EXPECT_NE(document.find(table), std::string::npos) << table;
}

// A directory of our own with one case, written by `change` from a good one.
class OtherCases : public zoo::testing::Scratch {
protected:
    GoldenReport report(
        const std::string& args, const zoo::HostTensor& input, const zoo::HostTensor& output,
        const std::string& name = "case") {
        const std::filesystem::path directory = path("golden_cases");
        std::filesystem::remove_all(directory);
        std::filesystem::create_directories(directory);
        const std::vector<std::pair<std::string, const zoo::HostTensor*>> tensors{{"in0", &input}, {"out", &output}};
        zoo::save_safetensors(directory / (name + ".safetensors"), tensors, {{"args", args}});
        ttnn_cpu::set_default_device_options({});
        const auto device = ttnn::open_mesh_device(0, 32768);
        return run_directory(directory, *device);
    }

    const zoo::HostTensor ones_{{32, 32}, std::vector<float>(1024, 1.0F)};
};

TEST_F(OtherCases, AnUnknownOpIsARowThatSaysSo) {
    const GoldenReport found = report(R"({"op": "fold space"})", ones_, ones_);
    ASSERT_EQ(found.rows.size(), 1U);
    EXPECT_EQ(found.rows[0].problem, "op 'fold space' is not known");
    EXPECT_EQ(found.answered(), 0U);
}

// It did not matter where the answer is the same in every value.
TEST_F(OtherCases, AnUnknownArgumentThatMayMatterIsARowThatSaysSo) {
    const std::string args = R"({"op": "relu", "dtype": "BFLOAT16", "rounding": "up"})";
    zoo::HostTensor other = ones_;
    other.data[5] = 1.0078125F;
    EXPECT_EQ(report(args, ones_, other).rows[0].problem, "op 'relu': argument not known: rounding=\"up\"");
    EXPECT_EQ(report(args, ones_, ones_).exact(), 1U);
    EXPECT_EQ(
        report(R"({"op": "relu", "dtype": "FLOAT7"})", ones_, ones_).rows[0].problem,
        "data type 'FLOAT7' is not known");
}

TEST_F(OtherCases, ArgumentsThatCannotBeAreRowsThatSaySo) {
    const zoo::HostTensor image{{1, 32, 4, 4}, std::vector<float>(512, 1.0F)};
    const auto problem = [&](const std::string& args) { return report(args, image, ones_).rows[0].problem; };
    const std::string whole = "it must be a whole number from 1 to 65536";
    EXPECT_EQ(problem(R"({"op": "max_pool2d", "k": -1})"), "argument 'k' is '-1'; " + whole);
    EXPECT_EQ(problem(R"({"op": "max_pool2d", "k": 2, "s": 0})"), "argument 's' is '0'; " + whole);
    EXPECT_EQ(problem(R"({"op": "conv2d", "cout": -1})"), "op 'conv2d' needs tensor in1, which the file lacks");
    EXPECT_THAT(
        report(R"({"op": "conv2d"})", ones_, ones_).rows[0].problem,
        testing::HasSubstr("in0 has shape [32, 32]; op 'conv2d' needs one of rank 4"));
    EXPECT_THAT(
        report(R"({"op": "softmax", "dim": 1099511627776})", ones_, ones_).rows[0].problem,
        testing::HasSubstr("it must be a whole number from -8 to 8"));
}

TEST_F(OtherCases, AWrongAnswerIsSeen) {
    zoo::HostTensor other = ones_;
    other.data[5] = 1.0078125F;  // one step of bfloat16
    const GoldenReport found = report(R"({"op": "relu"})", ones_, other);
    EXPECT_EQ(found.rows[0].problem, "");
    EXPECT_EQ(found.rows[0].ulp.exact, 1023U);
    EXPECT_EQ(found.rows[0].ulp.worst, 1U);
    EXPECT_EQ(found.exact(), 0U);
    EXPECT_EQ(report(R"({"op": "relu"})", ones_, ones_).exact(), 1U);
}

// What the arguments leave out is in the name of the case, or follows from the size of the result.
TEST_F(OtherCases, TheNameSaysWhatATypecastStartsFrom) {
    // In one block with 64 a block float keeps whole numbers only.
    zoo::HostTensor input = ones_;
    input.data[0] = 1.25F;
    input.data[1] = 64.0F;
    zoo::HostTensor packed = input;
    packed.data[0] = 1.0F;
    const std::string args = R"({"op": "typecast", "to": "FLOAT32"})";
    for (const auto& [name, output] :
         {std::pair("BFLOAT16_to_FLOAT32", &input), std::pair("BFLOAT8_B_to_FLOAT32", &packed)}) {
        const GoldenReport found = report(args, input, *output, name);
        EXPECT_EQ(found.exact(), 1U) << name << ": " << found.rows[0].problem;
    }
}

// Neighbours of the published cases: other parameters, modes, types and ways to write them. Ones go in, so that the answer is known.
TEST_F(OtherCases, NeighboursAreAnswered) {
    const std::vector<std::pair<std::string, float>> cases{
        {R"({"op": "leaky_relu", "negative_slope": 0.25})", 1.0F},
        {R"({"op": "power_3"})", 1.0F},
        {R"({"op": "pow", "exponent": 2, "dtype": "FLOAT32"})", 1.0F},
        {R"({"op": "clamp", "min": -0.5, "max": 0.5})", 0.5F},
        {R"({"op": "relu_max", "parameter": 0.5})", 0.5F},
        {R"({"op": "sqrt", "fast_and_approximate_mode": true})", 1.0F},
        {R"({"op": "hardtanh", "min_val": -0.5, "max_val": 0.75})", 0.75F},
        {R"({"op": "add by -3"})", -2.0F},
        {R"({"op": "multiply scalar", "scalar": 0.5, "activation": "neg"})", -0.5F},
        {R"({"op": "multiply by 2", "dtype_out": "BFLOAT8_B", "activations": ["relu"]})", 2.0F},
        {R"({"op": "softmax", "dim": -1, "math_approx_mode": false, "fidelity": "MathFidelity.HiFi4"})", 1.0F / 32},
        {R"({"op": "softmax dim=-2", "dtype": "BFLOAT8_B"})", 1.0F / 32},
        {R"({"op": "identity", "dtype": "BFLOAT4_B"})", 1.0F},
        {R"({"op": "rms_norm", "epsilon": 0, "fp32_dest_acc_en": true, "fidelity": "HiFi3"})", 1.0F},
    };
    for (const auto& [args, value] : cases) {
        const zoo::HostTensor expected{{32, 32}, std::vector<float>(1024, value)};
        const GoldenReport found = report(args, ones_, expected);
        EXPECT_EQ(found.rows[0].problem, "") << args;
        EXPECT_LE(found.rows[0].comparison.relative_error, 0.01) << args;
    }
    const zoo::HostTensor sums{{32, 1}, std::vector<float>(32, 16.0F)};
    const GoldenReport sum =
        report(R"({"op": "sum", "dim": -1, "scalar": 0.5, "fp32_dest_acc_en": false})", ones_, sums);
    EXPECT_EQ(sum.rows[0].problem, "");
    EXPECT_EQ(sum.rows[0].ulp.exact, 32U);
    const zoo::HostTensor pictures{{2, 32, 4, 4}, std::vector<float>(1024, 1.0F)};
    const zoo::HostTensor means{{2, 32}, std::vector<float>(64, 1.0F)};
    const GoldenReport mean = report(R"({"op": "avg_pool2d; out is [n, c]", "k": 4})", pictures, means);
    EXPECT_EQ(mean.rows[0].problem, "");
    EXPECT_EQ(mean.rows[0].ulp.exact, 64U);
}

TEST_F(OtherCases, TheResultSaysHowAPoolWalks) {
    const zoo::HostTensor image{{1, 32, 8, 8}, std::vector<float>(32 * 64, 1.0F)};
    for (const auto& [name, places] :
         {std::pair("max_2x2", 16), std::pair("max_3x3", 64), std::pair("max_3x3s2", 16), std::pair("avg_2x2", 16)}) {
        const zoo::HostTensor result{{places, 32}, std::vector<float>(32 * static_cast<std::size_t>(places), 1.0F)};
        const std::string op = std::string(name).substr(0, 3) + "_pool2d; out is [oh*ow, c]";
        const GoldenReport found = report(R"({"op": ")" + op + "\"}", image, result, name);
        EXPECT_EQ(found.rows[0].problem, "") << name;
        EXPECT_EQ(found.exact(), 1U) << name;
    }
}

TEST_F(OtherCases, AResultOfAnotherSizeIsARowThatSaysSo) {
    const zoo::HostTensor half{{16, 32}, std::vector<float>(512, 1.0F)};
    EXPECT_EQ(report(R"({"op": "relu"})", ones_, half).rows[0].problem, "gives 1024 values; the file has 512");
}

TEST_F(OtherCases, AFileThatIsNoneIsARowAndADirectoryThatIsNoneAnError) {
    (void)report(R"({"op": "relu"})", ones_, ones_);
    const std::filesystem::path directory = path("golden_cases");
    std::filesystem::resize_file(directory / "case.safetensors", 100);
    const auto device = ttnn::open_mesh_device(0);
    EXPECT_THAT(run_directory(directory, *device).rows.at(0).problem, testing::HasSubstr("case.safetensors"));
    EXPECT_THROWS_WITH(run_directory(directory / "none", *device), "cannot list");
    std::filesystem::remove(directory / "case.safetensors");
    EXPECT_THROWS_WITH(run_directory(directory, *device), "holds no .safetensors file");
}

}  // namespace
