// SPDX-License-Identifier: Apache-2.0
#include "zoo/preprocess.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "scratch.hpp"
#include "support/arrays.hpp"
#include "support/throws.hpp"
#include "ttnn/device.hpp"
#include "zoo/error.hpp"

namespace zoo {
namespace {

using ::testing::ElementsAre;
using testing::expect_error;
using ttnn::DataType;
using ttnn::Layout;

HostTensor numbers(Shape shape) {
    HostTensor tensor = zeros(std::move(shape));
    for (std::size_t i = 0; i < tensor.size(); ++i) {
        tensor.data[i] = static_cast<float>(i + 1);
    }
    return tensor;
}

ModuleTree module_of(std::string type, std::vector<std::pair<std::string, HostTensor>> parameters = {}) {
    ModuleTree module;
    module.type = std::move(type);
    for (auto& [name, values] : parameters) {
        module.add(name, std::move(values));
    }
    return module;
}

ModuleTree linear_of(std::int64_t out, std::int64_t in) {
    return module_of("Linear", {{"weight", numbers({out, in})}, {"bias", numbers({out})}});
}

// embeddings, encoder.{0, 1}.{dense, norm, dropout}, head (no bias).
ModuleTree small_model() {
    ModuleTree model = module_of("Net");
    model.add("embeddings", module_of("Embedding", {{"weight", numbers({5, 4})}}));
    ModuleTree& encoder = model.add("encoder", module_of("ModuleList"));
    for (const char* name : {"0", "1"}) {
        ModuleTree& layer = encoder.add(name, module_of("Layer"));
        layer.add("dense", linear_of(3, 4));
        layer.add("norm", module_of("LayerNorm", {{"weight", numbers({4})}, {"bias", numbers({4})}}));
        layer.add("dropout", module_of("Dropout"));
    }
    model.add("head", module_of("Linear", {{"weight", numbers({2, 4})}}));
    return model;
}

std::vector<std::string> paths_of(const ParameterTree& tree) {
    std::vector<std::string> paths;
    tree.for_each([&](const std::string& path, const ParameterValue&) { paths.push_back(path); });
    return paths;
}

TEST(PreprocessSteps, LinearIsTransposedAndItsBiasARow) {
    const ttnn::Tensor weight = preprocess_linear_weight(numbers({2, 3}));
    EXPECT_EQ(weight.logical_shape(), (ttnn::Shape{3, 2}));
    EXPECT_EQ(weight.dtype(), DataType::BFLOAT16);
    EXPECT_EQ(weight.layout(), Layout::TILE);
    EXPECT_EQ(weight.device(), nullptr);
    EXPECT_THAT(to_host(weight).data, ElementsAre(1, 4, 2, 5, 3, 6));

    const ttnn::Tensor bias = preprocess_linear_bias(numbers({3}), {.dtype = DataType::FLOAT32});
    EXPECT_EQ(bias.logical_shape(), (ttnn::Shape{1, 3}));
    EXPECT_EQ(bias.dtype(), DataType::FLOAT32);
    EXPECT_THAT(to_host(bias).data, ElementsAre(1, 2, 3));
}

TEST(PreprocessSteps, NormsEmbeddingsAndConvolutions) {
    const ttnn::Tensor gamma = preprocess_layernorm_parameter(numbers({4}));
    EXPECT_EQ(gamma.logical_shape(), (ttnn::Shape{1, 4}));
    EXPECT_EQ(gamma.layout(), Layout::TILE);

    const ttnn::Tensor table = preprocess_embedding_weight(numbers({5, 4}));
    EXPECT_EQ(table.logical_shape(), (ttnn::Shape{5, 4}));
    EXPECT_EQ(table.layout(), Layout::ROW_MAJOR);
    EXPECT_EQ(table.dtype(), DataType::BFLOAT16);

    const ttnn::Tensor kernel = preprocess_conv2d_weight(numbers({2, 3, 1, 1}), DataType::FLOAT32);
    EXPECT_EQ(kernel.logical_shape(), (ttnn::Shape{2, 3, 1, 1}));
    EXPECT_EQ(kernel.layout(), Layout::ROW_MAJOR);
    EXPECT_EQ(kernel.dtype(), DataType::FLOAT32);
    EXPECT_EQ(preprocess_conv2d_bias(numbers({2})).logical_shape(), (ttnn::Shape{1, 1, 1, 2}));
}

TEST(PreprocessSteps, RefuseWrongShapesAndTypes) {
    expect_error(
        [] { (void)preprocess_linear_weight(numbers({3})); },
        {"[preprocess_linear_weight] shape [3] has 1 dimensions", "[out, in]"});
    expect_error(
        [] {
            (void)preprocess_linear_bias(numbers({1, 3}));
        },
        {"[preprocess_linear_bias] shape [1, 3]", "[n]"});
    expect_error(
        [] {
            (void)preprocess_layernorm_parameter(numbers({2, 3}));
        },
        {"[preprocess_layernorm_parameter] shape [2, 3]"});
    expect_error(
        [] { (void)preprocess_embedding_weight(numbers({3})); }, {"[preprocess_embedding_weight]", "[rows, width]"});
    expect_error(
        [] {
            (void)preprocess_conv2d_weight(numbers({2, 3}));
        },
        {"[preprocess_conv2d_weight] shape [2, 3]", "[out, in, height, width]"});
    expect_error(
        [] {
            (void)preprocess_linear_weight(
                numbers({2, 3}), {.dtype = DataType::BFLOAT8_B, .layout = Layout::ROW_MAJOR});
        },
        {"BFLOAT8_B", "TILE layout only"});
    expect_error(
        [] {
            (void)preprocess_linear_weight(numbers({2, 3}), {.dtype = DataType::UINT32});
        },
        {"an integer type"});
    expect_error(
        [] {
            (void)preprocess_conv2d_weight(numbers({2, 3, 1, 1}), DataType::BFLOAT8_B);
        },
        {"TILE layout only"});
}

TEST(FuseQkv, StacksOrInterleavesHeads) {
    const HostTensor query{.shape = {4, 1}, .data = {1, 2, 3, 4}};
    const HostTensor key{.shape = {4, 1}, .data = {11, 12, 13, 14}};
    const HostTensor value{.shape = {4, 1}, .data = {21, 22, 23, 24}};
    const HostTensor stacked = fuse_qkv(query, key, value, QkvOrder::Stacked, 2);
    EXPECT_EQ(stacked.shape, (Shape{12, 1}));
    EXPECT_THAT(stacked.data, ElementsAre(1, 2, 3, 4, 11, 12, 13, 14, 21, 22, 23, 24));
    const HostTensor by_head = fuse_qkv(query, key, value, QkvOrder::ByHead, 2);
    EXPECT_EQ(by_head.shape, (Shape{12, 1}));
    EXPECT_THAT(by_head.data, ElementsAre(1, 2, 11, 12, 21, 22, 3, 4, 13, 14, 23, 24));
}

TEST(FuseQkv, KeepsRowsOfMatricesAndTakesBiases) {
    const HostTensor weight = numbers({2, 3});
    const HostTensor by_head = fuse_qkv(weight, weight, weight, QkvOrder::ByHead, 2);
    EXPECT_EQ(by_head.shape, (Shape{6, 3}));
    EXPECT_THAT(by_head.data, ElementsAre(1, 2, 3, 1, 2, 3, 1, 2, 3, 4, 5, 6, 4, 5, 6, 4, 5, 6));
    EXPECT_THAT(
        fuse_qkv(numbers({2}), numbers({2}), numbers({2}), QkvOrder::ByHead, 2).data, ElementsAre(1, 1, 1, 2, 2, 2));
    // Grouped heads: fewer keys and values.
    EXPECT_EQ(fuse_qkv(numbers({4, 2}), numbers({2, 2}), numbers({2, 2}), QkvOrder::Stacked, 2).shape, (Shape{8, 2}));
}

TEST(FuseQkv, RefusesWhatDoesNotFit) {
    const HostTensor four = numbers({4, 2});
    expect_error([&] { (void)fuse_qkv(four, four, four, QkvOrder::ByHead, 3); }, {"3 heads do not divide the 4 rows"});
    expect_error(
        [&] {
            (void)fuse_qkv(four, numbers({2, 2}), four, QkvOrder::ByHead, 2);
        },
        {"key [2, 2]", "must be alike"});
    expect_error([&] { (void)fuse_qkv(four, numbers({4}), four, QkvOrder::Stacked, 2); }, {"[4, 2] and [4]"});
    expect_error(
        [&] {
            (void)fuse_qkv(numbers({1, 2, 3}), four, four, QkvOrder::Stacked, 1);
        },
        {"neither [out, in] nor [out]"});
}

TEST(PreprocessModel, TreeFollowsTheModules) {
    const ParameterTree parameters = preprocess_model_parameters(small_model());
    EXPECT_THAT(
        paths_of(parameters),
        ElementsAre(
            "embeddings.weight", "encoder.0.dense.weight", "encoder.0.dense.bias", "encoder.0.norm.weight",
            "encoder.0.norm.bias", "encoder.1.dense.weight", "encoder.1.dense.bias", "encoder.1.norm.weight",
            "encoder.1.norm.bias", "head.weight"));
    EXPECT_FALSE(parameters["encoder"][0].contains("dropout"));
    EXPECT_EQ(parameters["encoder"][1]["dense"].tensor("weight").logical_shape(), (ttnn::Shape{4, 3}));
    EXPECT_EQ(parameters["encoder"][1]["norm"].tensor("bias").logical_shape(), (ttnn::Shape{1, 4}));
    EXPECT_EQ(parameters["embeddings"].tensor("weight").layout(), Layout::ROW_MAJOR);
}

TEST(PreprocessModel, DataTypesByRole) {
    const ParameterTree parameters = preprocess_model_parameters(
        small_model(),
        {.weight_dtype = DataType::BFLOAT8_B, .bias_dtype = DataType::FLOAT32, .norm_dtype = DataType::FLOAT32});
    const ParameterTree& layer = parameters["encoder"][0];
    EXPECT_EQ(layer["dense"].tensor("weight").dtype(), DataType::BFLOAT8_B);
    EXPECT_EQ(layer["dense"].tensor("bias").dtype(), DataType::FLOAT32);
    EXPECT_EQ(layer["norm"].tensor("weight").dtype(), DataType::FLOAT32);
    EXPECT_EQ(parameters["embeddings"].tensor("weight").dtype(), DataType::BFLOAT16);
}

TEST(PreprocessModel, PutsTensorsOnTheDeviceButKernelsOfConv2d) {
    const auto device = ttnn::open_mesh_device(0);
    ModuleTree model = small_model();
    model.add("conv", module_of("Conv2d", {{"weight", numbers({2, 3, 1, 1})}, {"bias", numbers({2})}}));
    model.add("scale", HostTensor{.shape = {}, .data = {2.5F}});
    const ParameterTree parameters = preprocess_model_parameters(
        model, {.device = device.get(), .weight_dtype = DataType::BFLOAT8_B, .memory_config = ttnn::L1_MEMORY_CONFIG});

    const ttnn::Tensor& weight = parameters["head"].tensor("weight");
    EXPECT_EQ(weight.device(), device.get());
    EXPECT_EQ(weight.memory_config(), ttnn::L1_MEMORY_CONFIG);
    EXPECT_EQ(parameters["embeddings"].tensor("weight").device(), device.get());
    EXPECT_EQ(parameters["conv"].tensor("weight").device(), nullptr);
    EXPECT_EQ(parameters["conv"].tensor("weight").dtype(), DataType::FLOAT32);
    EXPECT_EQ(parameters["conv"].tensor("bias").device(), nullptr);
    EXPECT_EQ(parameters.tensor("scale").device(), device.get());
    EXPECT_EQ(to_host(parameters.tensor("scale")).data, (std::vector<float>{2.5F}));
}

TEST(PreprocessModel, LeavesBuffersToCustomPreprocessors) {
    ModuleTree model = module_of("BatchNorm2d", {{"weight", numbers({2})}, {"running_mean", numbers({2})}});
    model.parameters[1].is_buffer = true;
    EXPECT_THAT(paths_of(preprocess_model_parameters(model)), ElementsAre("weight"));
    EXPECT_THAT(model.tensor("running_mean").data, ElementsAre(1, 2));
}

TEST(PreprocessHooks, SeeEveryModuleWithItsPath) {
    std::vector<std::string> custom;
    std::vector<std::string> convert;
    PreprocessOptions options{.prefix = "net"};
    options.custom_preprocessor = [&](const ModuleTree& module, std::string_view path, const Preprocessor&) {
        custom.push_back(std::string(path) + ":" + module.type);
        return std::nullopt;
    };
    options.convert_to_ttnn = [&](const ModuleTree& module, std::string_view path) {
        convert.push_back(std::string(path) + ":" + module.type);
        return true;
    };
    ModuleTree model = module_of("Net");
    model.add("list", module_of("ModuleList")).add("0", linear_of(2, 2));
    model.add("drop", module_of("Dropout"));
    const ParameterTree parameters = preprocess_model_parameters(model, options);
    EXPECT_THAT(custom, ElementsAre("net:Net", "net.list.0:Linear", "net.drop:Dropout"));
    EXPECT_THAT(convert, ElementsAre("net:Net", "net.list.0:Linear", "net.drop:Dropout"));
    EXPECT_EQ(parameters["list"][0].path(), "net.list.0");
}

TEST(PreprocessHooks, WhatIsNotConvertedStaysOnTheHost) {
    const auto device = ttnn::open_mesh_device(0);
    const ParameterTree parameters = preprocess_model_parameters(
        small_model(), {.device = device.get(), .convert_to_ttnn = [](const ModuleTree&, std::string_view path) {
                            return !path.starts_with("encoder.0");
                        }});
    const HostTensor& weight = parameters["encoder"][0]["dense"].host_tensor("weight");
    // As the functional form multiplies it: x @ weight.
    EXPECT_EQ(weight.shape, (Shape{4, 3}));
    EXPECT_EQ(weight.data, transpose(numbers({3, 4})).data);
    EXPECT_EQ(parameters["encoder"][0]["dense"].host_tensor("bias").shape, (Shape{3}));
    EXPECT_EQ(parameters["encoder"][0]["norm"].host_tensor("weight").shape, (Shape{4}));
    EXPECT_EQ(parameters["encoder"][1]["dense"].tensor("weight").device(), device.get());
    EXPECT_EQ(parameters.totals().host_tensors, 4U);
}

TEST(PreprocessHooks, CustomParametersReplaceAModule) {
    const auto device = ttnn::open_mesh_device(0);
    PreprocessOptions options{.device = device.get()};
    std::vector<std::string> seen;
    options.custom_preprocessor = [&](const ModuleTree& module, std::string_view path,
                                      const Preprocessor& default_steps) -> std::optional<ParameterTree> {
        seen.emplace_back(path);
        if (module.type != "SelfAttention") {
            return std::nullopt;
        }
        const auto fused = [&](std::string_view name) {
            return fuse_qkv(
                module.child("query").tensor(name), module.child("key").tensor(name),
                module.child("value").tensor(name), QkvOrder::ByHead, 2);
        };
        ParameterTree qkv;
        qkv.add("weight", preprocess_linear_weight(fused("weight"), {.dtype = DataType::BFLOAT8_B}));
        qkv.add("bias", preprocess_linear_bias(fused("bias")));
        ParameterTree result;
        result.add("query_key_value", std::move(qkv));
        result.add("output", default_steps(module.child("output"), join_path(path, "output")));
        return result;
    };

    ModuleTree model = module_of("Net");
    ModuleTree& attention = model.add("attention", module_of("SelfAttention"));
    for (const char* name : {"query", "key", "value", "output"}) {
        attention.add(name, linear_of(4, 4));
    }
    const ParameterTree parameters = preprocess_model_parameters(model, options);
    EXPECT_THAT(
        paths_of(parameters), ElementsAre(
                                  "attention.query_key_value.weight", "attention.query_key_value.bias",
                                  "attention.output.weight", "attention.output.bias"));
    // The custom answer stands for the children, which are not offered again.
    EXPECT_THAT(seen, ElementsAre("", "attention"));
    const ttnn::Tensor& weight = parameters["attention"]["query_key_value"].tensor("weight");
    EXPECT_EQ(weight.logical_shape(), (ttnn::Shape{4, 12}));
    EXPECT_EQ(weight.dtype(), DataType::BFLOAT8_B);
    EXPECT_EQ(weight.device(), device.get());
    EXPECT_EQ(parameters["attention"]["query_key_value"].path(), "attention.query_key_value");
}

TEST(PreprocessHooks, ShardedWeightsGoToTheirBanks) {
    const auto device = ttnn::open_mesh_device(0);
    SKIP_UNLESS_WORMHOLE(*device);
    PreprocessOptions options{.device = device.get()};
    options.custom_preprocessor = [&](const ModuleTree& module, std::string_view,
                                      const Preprocessor&) -> std::optional<ParameterTree> {
        const ModuleParameter* weight = module.find_parameter("weight");
        if (module.type != "Linear") {
            return std::nullopt;
        }
        ParameterTree result;
        const auto memory = dram_width_sharded(weight->shape[1], weight->shape[0], *device);
        result.add(
            "weight",
            preprocess_linear_weight(weight->read(), {.dtype = DataType::BFLOAT8_B, .memory_config = memory}));
        return result;
    };
    ModuleTree model = module_of("Net");
    model.add("wide", module_of("Linear", {{"weight", test::uniform({4096, 64}, 1)}}));
    model.add("narrow", module_of("Linear", {{"weight", test::uniform({40, 64}, 2)}}));
    const ParameterTree parameters = preprocess_model_parameters(model, options);

    const ttnn::Tensor& wide = parameters["wide"].tensor("weight");
    ASSERT_TRUE(wide.is_sharded());
    EXPECT_TRUE(wide.memory_config().is_dram());
    // 128 tiles over the 12 banks of an n150: 11 each.
    EXPECT_EQ(wide.shard_spec()->shape, (std::array<std::uint32_t, 2>{64, 352}));
    EXPECT_EQ(wide.shard_spec()->num_cores(), 12U);
    EXPECT_EQ(parameters["narrow"].tensor("weight").shard_spec()->num_cores(), 2U);
    const ttnn::Tensor plain =
        preprocess_linear_weight(model.child("wide").tensor("weight"), {.dtype = DataType::BFLOAT8_B});
    EXPECT_EQ(to_host(wide).data, to_host(plain).data);

    expect_error([&] { (void)dram_width_sharded(40, 64, *device); }, {"[40, 64]", "multiple of 32"});
}

TEST(PreprocessModel, ErrorsNameTheParameter) {
    ModuleTree model = small_model();
    model.add("bad", module_of("Linear", {{"weight", numbers({2, 3})}, {"bias", numbers({3})}}));
    expect_error(
        [&] { (void)preprocess_model_parameters(model, {.prefix = "net"}); },
        {"[preprocess_model_parameters] 'net.bad.bias' (Linear)", "[3] does not go with the weight's [2, 3]",
         "[2] is needed"});

    ModuleTree adapted = module_of("Net");
    adapted.add("dense", linear_of(2, 2)).add("lora_a", numbers({1, 2}));
    expect_error(
        [&] { (void)preprocess_model_parameters(adapted); },
        {"'dense.lora_a' (Linear)", "weight, bias and not 'lora_a'", "custom_preprocessor"});

    ModuleTree norm = module_of("Net");
    norm.add("norm", module_of("LayerNorm", {{"weight", numbers({2, 2})}}));
    expect_error([&] { (void)preprocess_model_parameters(norm); }, {"'norm.weight' (LayerNorm)", "[2, 2]"});

    const auto device = ttnn::open_mesh_device(0);
    const auto sharded = dram_width_sharded(32, 32, *device);
    expect_error(
        [&] { (void)preprocess_model_parameters(small_model(), {.memory_config = sharded}); },
        {"memory_config is sharded", "custom_preprocessor"});
}

TEST(PreprocessModel, ErrorsOfHooksNameTheModuleOnce) {
    PreprocessOptions options;
    options.custom_preprocessor = [](const ModuleTree& module, std::string_view path,
                                     const Preprocessor& default_steps) -> std::optional<ParameterTree> {
        if (path == "encoder.1.dense") {
            (void)module.tensor("kernel");
        }
        return path.empty() ? std::optional(default_steps(module, path)) : std::nullopt;
    };
    try {
        (void)preprocess_model_parameters(small_model(), options);
        ADD_FAILURE() << "no zoo::Error";
    } catch (const Error& error) {
        EXPECT_STREQ(
            error.what(),
            "[preprocess_model_parameters] 'encoder.1.dense' (Linear): [ModuleTree] the module of type Linear has no "
            "parameter 'kernel'; its parameters: weight, bias");
    }
}

}  // namespace
}  // namespace zoo
