// SPDX-License-Identifier: Apache-2.0
#include "models/resnet.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <utility>

#include "golden.hpp"
#include "models/resnet/images.hpp"
#include "models/resnet/modules.hpp"
#include "models/resnet/runner.hpp"
#include "source_dir.hpp"
#include "vision/module_list.hpp"
#include "vision/vision_model.hpp"
#include "zoo/class_names.hpp"
#include "zoo/error.hpp"
#include "zoo/fetched_weights.hpp"
#include "zoo/image/resize.hpp"
#include "zoo/image/tensor.hpp"
#ifdef ZOO_WITH_TORCH
#include "models/resnet/torch_resnet.hpp"
#endif

namespace zoo::apps {
namespace {

constexpr const char* kCifarWeights = "tests/data/resnet18-cifar.safetensors";

std::vector<std::string> class_names_of(const resnet::Config& config) {
    for (const auto* known : {&imagenet_class_names(), &cifar10_class_names()}) {
        if (std::ssize(*known) == config.num_labels) {
            return *known;
        }
    }
    std::vector<std::string> names;
    for (std::int64_t i = 0; i < config.num_labels; ++i) {
        names.push_back(fmt::format("class {}", i));
    }
    return names;
}

// The test pictures of CIFAR-10: one PNG with a picture of 32x32 in each row.
std::optional<LabelledSet> cifar_test_set() {
    const auto directory = fetched_weights("cifar10");
    if (!directory) {
        return std::nullopt;
    }
    const auto sheet = std::make_shared<const Image>(read_image(*directory / "test_batch.png"));
    std::ifstream file(*directory / "test_labels.json");
    const auto labels =
        std::make_shared<const std::vector<std::int64_t>>(nlohmann::json::parse(file).get<std::vector<std::int64_t>>());
    if (sheet->width != 32 * 32 || sheet->height != std::ssize(*labels)) {
        fail(
            "cifar10", (*directory / "test_batch.png").string(), " is ", sheet->width, " x ", sheet->height,
            " pixels; it must be 1024 wide and have one row for each of ", labels->size(), " labels");
    }
    return LabelledSet{
        .name = "CIFAR-10 test pictures (fetched)",
        .size = sheet->height,
        .picture =
            [sheet](std::int64_t index) {
                const std::uint8_t* row = sheet->at(0, index);
                return Image{.width = 32, .height = 32, .pixels = {row, row + 32 * 32 * 3}};
            },
        .label = [labels](std::int64_t index) { return (*labels)[static_cast<std::size_t>(index)]; }};
}

class ResnetApp : public Classifier {
public:
    explicit ResnetApp(const ModelFlags& flags) : preset_(flags.preset) {
        std::string path = flags.weights;
        if (path.empty() && preset_.starts_with("resnet50")) {
            if (const auto fetched = fetched_weights("resnet50")) {
                // These weights are of the first version: its strides, its preprocessing.
                preset_ = "resnet50-v1";
                path = fetched->string();
                source_ = "resnet50 (fetched)";
            }
        }
        if (path.empty() && preset_ == "resnet18-cifar") {
            path = source_path(kCifarWeights);
            source_ = kCifarWeights;
        }
        config_ = resnet::preset(preset_);
        trained_ = !path.empty() && path != "random";
        if (trained_) {
            weights_ = resnet::load(*open_checkpoint(path), config_);
            source_ = source_.empty() ? path : source_;
        } else {
            weights_ = resnet::random(config_, flags.seed);
            source_ = fmt::format("random (seed {})", flags.seed);
        }
        names_ = class_names_of(config_);
    }

    std::string preset() const override { return preset_; }
    std::string source() const override { return source_; }
    bool trained() const override { return trained_; }
    const std::vector<std::string>& class_names() const override { return names_; }

    // As torchvision prepares ImageNet: the shorter side is 256 for a crop of 224. Small pictures are taken whole.
    HostTensor prepare(const Image& picture) const override {
        const std::int64_t side = config_.image_size;
        const std::int64_t shorter = config_.small_images ? side : side * 256 / 224;
        const Image image = resize_and_crop(picture, shorter, side);
        return to_tensor(std::span(&image, 1), {config_.image_mean, config_.image_std});
    }

    NamedTensors parameters() const override { return resnet::tensors(weights_, config_); }

    std::vector<HostTensor> golden(const HostTensor& pictures) const override {
#ifdef ZOO_WITH_TORCH
        return {resnet::golden::resnet(config_, weights_, pictures)};
#else
        (void)pictures;
        require_golden("golden");
        return {};
#endif
    }

    std::function<void()> peer(const HostTensor& pictures) const override {
#ifdef ZOO_WITH_TORCH
        return [network = resnet::golden::fast_resnet(config_, weights_), pictures] { (void)network(pictures); };
#else
        return Classifier::peer(pictures);
#endif
    }

    VisionRunner start(ttnn::MeshDevice& device, const VisionRunnerOptions& options) const override {
        auto runner = std::make_shared<resnet::Runner>(
            device, config_, weights_,
            resnet::Runner::Options{.batch = options.batch, .mode = options.mode, .plan = options.plan});
        return [runner](const HostTensor& pictures) { return std::vector{runner->run(pictures)}; };
    }

    std::vector<CheckedModule> modules(ttnn::MeshDevice& device, std::int64_t batch, std::uint64_t seed) const override;

    std::optional<LabelledSet> labelled_set() const override {
        return preset_ == "resnet18-cifar" ? cifar_test_set() : std::nullopt;
    }

private:
    std::string preset_;
    resnet::Config config_;
    resnet::Weights weights_;
    std::vector<std::string> names_;
    std::string source_;
    bool trained_ = false;
};

#ifdef ZOO_WITH_TORCH

std::vector<CheckedModule> ResnetApp::modules(ttnn::MeshDevice& device, std::int64_t batch, std::uint64_t seed) const {
    namespace golden = resnet::golden;
    using resnet::Modules;
    ModuleList<Modules> list(config_, weights_, batch, device);
    // Random weights expect values of deviation 1; trained ones what their own preparation gives.
    const HostTensor images = trained_ ? made_up(*this, batch, seed) : resnet::random_images(config_, batch, seed);
    list.add(
        "stem", images, [this](const HostTensor& input) { return golden::stem(config_, weights_.stem, input); },
        [](const Modules& modules, const HostTensor& input) { return modules.stem(input); });
    HostTensor x = golden::stem(config_, weights_.stem, images);
    list.add(
        config_.bottleneck() ? "bottleneck" : "basic_block", x,
        [this](const HostTensor& input) {
            const auto block = config_.bottleneck() ? golden::bottleneck : golden::basic_block;
            return block(config_, weights_.layers[0][0], 1, input);
        },
        [](const Modules& modules, const HostTensor& input) { return modules.block(0, 0, input); });
    for (std::size_t stage = 0; stage < resnet::kStages; ++stage) {
        list.add(
            fmt::format("layer{}", stage + 1), x,
            [this, stage](const HostTensor& input) {
                return golden::layer(config_, weights_.layers[stage], stage, input);
            },
            [stage](const Modules& modules, const HostTensor& input) { return modules.layer(stage, input); });
        x = golden::layer(config_, weights_.layers[stage], stage, x);
    }
    list.add(
        "head", x, [this](const HostTensor& input) { return golden::head(config_, weights_.fc, input); },
        [](const Modules& modules, const HostTensor& input) { return modules.head(input); });
    list.add(
        "resnet", images, [this](const HostTensor& input) { return golden::resnet(config_, weights_, input); },
        [](const Modules& modules, const HostTensor& input) { return modules.resnet(input); });
    return std::move(list).take();
}

#else

std::vector<CheckedModule> ResnetApp::modules(ttnn::MeshDevice&, std::int64_t, std::uint64_t) const {
    require_golden("check");
    return {};
}

#endif

ModelInfo info_of(const std::string& preset) {
    const resnet::Config config = resnet::preset(preset);
    ModelInfo info{
        .model = "resnet",
        .preset = preset,
        .summary = fmt::format(
            "{} blocks of kind {}, up to {} channels, {} x {} pixels, {} classes",
            config.depths[0] + config.depths[1] + config.depths[2] + config.depths[3], config.layer_type,
            config.hidden_sizes.back(), config.image_size, config.image_size, config.num_labels),
        .config =
            {{"image_size", config.image_size},
             {"embedding_size", config.embedding_size},
             {"num_labels", config.num_labels}},
        .parts = {},
        .note = "The optimized version keeps weights and activations in bfloat8_b; batch norms are folded."};
    for (const resnet::PartSize& part : resnet::part_sizes(config)) {
        info.parts.push_back({part.name, part.parameters});
    }
    return info;
}

}  // namespace

ModelEntry resnet_entry() {
    return classifier_entry(
        {.name = "resnet",
         .summary = "ResNet-18 and ResNet-50 for pictures, both stride placements; ResNet-18 for CIFAR-10",
         .presets = resnet::preset_names(),
         .default_preset = "resnet50",
         .weights_are = "A .safetensors or .pth file with torchvision's names, or a TensorFlow.js ResNet-50 of Keras",
         .l1_small_size = resnet::kL1SmallSize,
         .most_batch = 16,
         .batches = {1, 16},
         .open = [](const ModelFlags& flags) { return std::make_unique<ResnetApp>(flags); },
         .info = info_of,
         .demo_presets = {"resnet50", "resnet18-cifar"}});
}

}  // namespace zoo::apps
