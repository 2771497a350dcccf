// SPDX-License-Identifier: Apache-2.0
#include "models/mobilenetv2.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <utility>

#include "golden.hpp"
#include "models/mobilenetv2/modules.hpp"
#include "models/mobilenetv2/runner.hpp"
#include "vision/module_list.hpp"
#include "vision/vision_model.hpp"
#include "zoo/class_names.hpp"
#include "zoo/fetched_weights.hpp"
#include "zoo/image/resize.hpp"
#include "zoo/image/tensor.hpp"
#include "zoo/random.hpp"
#ifdef ZOO_WITH_TORCH
#include "models/mobilenetv2/torch_mobilenetv2.hpp"
#endif

namespace zoo::apps {
namespace {

namespace fs = std::filesystem;

class MobileNetV2App : public Classifier {
public:
    explicit MobileNetV2App(const ModelFlags& flags) : preset_(flags.preset), config_(mobilenetv2::preset(preset_)) {
        const auto fetched = flags.weights.empty() && preset_ == "mobilenetv2" ? fetched_weights("mobilenetv2")
                                                                               : std::optional<fs::path>();
        if (fetched) {
            weights_ = mobilenetv2::load(*open_checkpoint(*fetched), config_);
            source_ = "mobilenetv2 (fetched)";
        } else if (flags.weights.empty() || flags.weights == "random") {
            weights_ = mobilenetv2::random(config_, flags.seed);
            source_ = fmt::format("random (seed {})", flags.seed);
            trained_ = false;
        } else {
            const fs::path path = flags.weights;
            if (fs::exists(path / "config.json")) {
                config_ = mobilenetv2::from_json(path / "config.json");
            }
            weights_ = mobilenetv2::load(*open_checkpoint(path), config_);
            source_ = flags.weights;
        }
        if (config_.num_classes != std::ssize(names_)) {
            names_.clear();
            for (std::int64_t i = 0; i < config_.num_classes; ++i) {
                names_.push_back(fmt::format("class {}", i));
            }
        }
    }

    std::string preset() const override { return preset_; }
    std::string source() const override { return source_; }
    bool trained() const override { return trained_; }
    const std::vector<std::string>& class_names() const override { return names_; }

    // As torchvision prepares ImageNet: the shorter side is 256 for a crop of 224.
    HostTensor prepare(const Image& picture) const override {
        const std::int64_t side = config_.image_size;
        const Image cropped = resize_and_crop(picture, side * 256 / 224, side);
        return to_tensor({&cropped, 1}, {config_.image_mean, config_.image_std});
    }

    NamedTensors parameters() const override { return mobilenetv2::tensors(weights_, config_); }

    std::vector<HostTensor> golden(const HostTensor& pictures) const override {
#ifdef ZOO_WITH_TORCH
        return {mobilenetv2::golden::mobilenetv2(config_, weights_, pictures)};
#else
        (void)pictures;
        require_golden("golden");
        return {};
#endif
    }

#ifdef ZOO_WITH_TORCH
    std::function<void()> peer(const HostTensor& pictures) const override {
        return [run = mobilenetv2::golden::fastest(config_, weights_, pictures)] { (void)run(); };
    }
#endif

    VisionRunner start(ttnn::MeshDevice& device, const VisionRunnerOptions& options) const override {
        auto runner = std::make_shared<mobilenetv2::Runner>(
            device, config_, weights_,
            mobilenetv2::Runner::Options{.batch = options.batch, .mode = options.mode, .plan = options.plan});
        return [runner](const HostTensor& pictures) { return std::vector{runner->run(pictures)}; };
    }

    std::vector<CheckedModule> modules(ttnn::MeshDevice& device, std::int64_t batch, std::uint64_t seed) const override;

private:
    std::string preset_;
    mobilenetv2::Config config_;
    mobilenetv2::Weights weights_;
    std::string source_;
    bool trained_ = true;
    std::vector<std::string> names_ = imagenet_class_names();
};

#ifdef ZOO_WITH_TORCH

std::vector<CheckedModule> MobileNetV2App::modules(
    ttnn::MeshDevice& device, std::int64_t batch, std::uint64_t seed) const {
    namespace golden = mobilenetv2::golden;
    using mobilenetv2::Modules;
    ModuleList<Modules> list(config_, weights_, batch, device);
    const HostTensor images = random_images(batch, config_.size(), seed);
    list.add(
        "stem", images, [this](const HostTensor& x) { return golden::stem(config_, weights_.stem, x); },
        [](const Modules& modules, const HostTensor& x) { return modules.stem(x); });
    const std::vector<mobilenetv2::BlockShape> shapes = config_.blocks();
    for (std::size_t block = 0; block < shapes.size(); ++block) {
        const mobilenetv2::BlockShape shape = shapes[block];
        const HostTensor x = Random(seed)
                                 .stream(fmt::format("block {}", block))
                                 .normal({batch, shape.in, shape.side, shape.side}, 0.0F, 1.0F);
        list.add(
            fmt::format("inverted_residual {}", block + 1), x,
            [this, block, shape](const HostTensor& input) {
                return golden::inverted_residual(config_, weights_.blocks[block], shape, input);
            },
            [block](const Modules& modules, const HostTensor& input) {
                return modules.inverted_residual(block, input);
            });
    }
    list.add(
        "features", images, [this](const HostTensor& x) { return golden::features(config_, weights_, x); },
        [](const Modules& modules, const HostTensor& x) { return modules.features(x); });
    const std::int64_t side = config_.last_side();
    list.add(
        "classifier", Random(seed).stream("classifier").uniform({batch, config_.last_width(), side, side}, 0.0F, 6.0F),
        [this](const HostTensor& x) { return golden::classifier(config_, weights_.classifier, x); },
        [](const Modules& modules, const HostTensor& x) { return modules.classifier(x); });
    list.add(
        "mobilenetv2", images, [this](const HostTensor& x) { return golden::mobilenetv2(config_, weights_, x); },
        [](const Modules& modules, const HostTensor& x) { return modules.mobilenetv2(x); });
    return std::move(list).take();
}

#else

std::vector<CheckedModule> MobileNetV2App::modules(ttnn::MeshDevice&, std::int64_t, std::uint64_t) const {
    require_golden("check");
    return {};
}

#endif

ModelInfo info_of(const std::string& preset) {
    const mobilenetv2::Config config = mobilenetv2::preset(preset);
    ModelInfo info{
        .model = "mobilenetv2",
        .preset = preset,
        .summary = fmt::format(
            "{} inverted residual blocks, width {}, {} x {} pixels, {} classes", config.blocks().size(),
            config.width_mult, config.image_size, config.image_size, config.num_classes),
        .config =
            {{"image_size", config.image_size},
             {"stem_channels", config.stem_width()},
             {"last_channels", config.last_width()},
             {"blocks", std::ssize(config.blocks())},
             {"num_classes", config.num_classes}},
        .parts = {},
        .note = "The optimized version keeps activations in L1, and batch norms in their convolutions."};
    const auto conv_norm = [](std::int64_t weights, std::int64_t out) { return weights + 2 * out; };
    info.parts.push_back({"stem", conv_norm(config.stem_width() * config.num_channels * 9, config.stem_width())});
    std::int64_t blocks = 0;
    for (const mobilenetv2::BlockShape& shape : config.blocks()) {
        blocks += shape.expands() ? conv_norm(shape.in * shape.hidden, shape.hidden) : 0;
        blocks += conv_norm(shape.hidden * 9, shape.hidden) + conv_norm(shape.hidden * shape.out, shape.out);
    }
    info.parts.push_back({"blocks", blocks});
    info.parts.push_back(
        {"last convolution", conv_norm(config.blocks().back().out * config.last_width(), config.last_width())});
    info.parts.push_back({"classifier", (config.last_width() + 1) * config.num_classes});
    return info;
}

}  // namespace

ModelEntry mobilenetv2_entry() {
    return classifier_entry(
        {.name = "mobilenetv2",
         .summary = "Convolutional network for pictures: 1000 classes of ImageNet, small and quick",
         .presets = mobilenetv2::preset_names(),
         .default_preset = "mobilenetv2",
         .weights_are = "A .safetensors or .pth file, or a directory with one; torchvision's names",
         .l1_small_size = mobilenetv2::kL1SmallBytes,
         .most_batch = 16,
         .batches = {1, 10},
         .open = [](const ModelFlags& flags) { return std::make_unique<MobileNetV2App>(flags); },
         .info = info_of});
}

}  // namespace zoo::apps
