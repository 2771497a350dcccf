// SPDX-License-Identifier: Apache-2.0
#include "models/mnist.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "golden.hpp"
#include "models/mnist/digits.hpp"
#include "models/mnist/modules.hpp"
#include "models/mnist/runner.hpp"
#include "source_dir.hpp"
#include "vision/module_list.hpp"
#include "vision/vision_model.hpp"
#include "zoo/class_names.hpp"
#include "zoo/fetched_weights.hpp"
#include "zoo/image/resize.hpp"
#include "zoo/image/tensor.hpp"
#include "zoo/random.hpp"
#ifdef ZOO_WITH_TORCH
#include "models/mnist/torch_mnist.hpp"
#endif

namespace zoo::apps {
namespace {

// Whether the border of a picture is lighter than its middle gray: ink on paper, where MNIST has light on dark.
bool on_paper(const Image& picture) {
    std::int64_t sum = 0;
    std::int64_t count = 0;
    const auto add = [&](std::int64_t x, std::int64_t y) {
        const std::uint8_t* pixel = picture.at(x, y);
        sum += pixel[0] + pixel[1] + pixel[2];
        count += 3;
    };
    for (std::int64_t x = 0; x < picture.width; ++x) {
        add(x, 0);
        add(x, picture.height - 1);
    }
    for (std::int64_t y = 0; y < picture.height; ++y) {
        add(0, y);
        add(picture.width - 1, y);
    }
    return sum > count * 127;
}

class MnistApp : public Classifier {
public:
    explicit MnistApp(const ModelFlags& flags) {
        if (flags.weights == "random") {
            weights_ = mnist::random(config_, flags.seed);
            source_ = fmt::format("random (seed {})", flags.seed);
            trained_ = false;
            return;
        }
        const bool own = flags.weights.empty();
        const std::string path = own ? source_path("models/mnist/mnist.safetensors") : flags.weights;
        weights_ = mnist::load(*open_checkpoint(path), config_);
        source_ = own ? "models/mnist/mnist.safetensors" : path;
    }

    std::string preset() const override { return "mnist"; }
    std::string source() const override { return source_; }
    bool trained() const override { return trained_; }
    const std::vector<std::string>& class_names() const override { return digit_class_names(); }

    // In gray, light on dark. A picture of MNIST's own size is put in the middle; any other is shrunk or grown to it.
    HostTensor prepare(const Image& picture) const override {
        constexpr std::int64_t kDigit = 28;
        const Image small = picture.width == kDigit && picture.height == kDigit
                                ? picture
                                : letterbox(picture, kDigit, kDigit, on_paper(picture) ? 255 : 0).image;
        const bool invert = on_paper(small);
        mnist::Digits digit{.count = 1, .height = kDigit, .width = kDigit, .pixels = {}, .labels = {}};
        for (std::int64_t i = 0; i < kDigit * kDigit; ++i) {
            const std::uint8_t* pixel = small.at(i % kDigit, i / kDigit);
            const int gray = (299 * pixel[0] + 587 * pixel[1] + 114 * pixel[2] + 500) / 1000;
            digit.pixels.push_back(static_cast<std::uint8_t>(invert ? 255 - gray : gray));
        }
        return mnist::digit_images(config_, digit, 0, 1);
    }

    NamedTensors parameters() const override { return mnist::tensors(weights_, config_); }

    std::vector<HostTensor> golden(const HostTensor& pictures) const override {
#ifdef ZOO_WITH_TORCH
        return {mnist::golden::mnist(config_, weights_, pictures)};
#else
        (void)pictures;
        require_golden("golden");
        return {};
#endif
    }

    VisionRunner start(ttnn::MeshDevice& device, const VisionRunnerOptions& options) const override {
        auto runner = std::make_shared<mnist::Runner>(
            device, config_, weights_,
            mnist::Runner::Options{.batch = options.batch, .mode = options.mode, .plan = options.plan});
        return [runner](const HostTensor& pictures) { return std::vector{runner->run(pictures)}; };
    }

    std::vector<CheckedModule> modules(ttnn::MeshDevice& device, std::int64_t batch, std::uint64_t seed) const override;

    std::optional<LabelledSet> labelled_set() const override {
        const auto directory = fetched_weights("mnist-digits");
        if (!directory) {
            return std::nullopt;
        }
        const auto digits = std::make_shared<mnist::Digits>(mnist::read_digits(*directory, "t10k"));
        return LabelledSet{
            .name = "MNIST test digits (fetched)",
            .size = digits->count,
            .picture =
                [digits](std::int64_t index) {
                    Image image = filled_image(digits->width, digits->height, 0, 0, 0);
                    const std::int64_t pixels = digits->width * digits->height;
                    for (std::int64_t i = 0; i < pixels; ++i) {
                        const std::uint8_t gray = digits->pixels[static_cast<std::size_t>(index * pixels + i)];
                        std::fill_n(image.at(i % digits->width, i / digits->width), 3, gray);
                    }
                    return image;
                },
            .label =
                [digits](std::int64_t index) { return std::int64_t{digits->labels[static_cast<std::size_t>(index)]}; }};
    }

private:
    mnist::Config config_;
    mnist::Weights weights_;
    std::string source_;
    bool trained_ = true;
};

#ifdef ZOO_WITH_TORCH

std::vector<CheckedModule> MnistApp::modules(ttnn::MeshDevice& device, std::int64_t batch, std::uint64_t seed) const {
    namespace golden = mnist::golden;
    using mnist::Modules;
    ModuleList<Modules> list(config_, weights_, batch, device);
    const HostTensor images = digit_images(config_, mnist::drawn_digits(batch, seed), 0, batch);
    HostTensor x = images;
    for (std::size_t block = 0; block < mnist::kConvolutions; ++block) {
        list.add(
            fmt::format("block {}", block + 1), x,
            [this, block](const HostTensor& input) {
                return golden::block(config_, weights_.convolutions[block], input);
            },
            [block](const Modules& modules, const HostTensor& input) { return modules.block(block, input); });
        x = golden::block(config_, weights_.convolutions[block], x);
    }
    list.add(
        "features", images, [this](const HostTensor& input) { return golden::features(config_, weights_, input); },
        [](const Modules& modules, const HostTensor& input) { return modules.features(input); });
    list.add(
        "classifier", x, [this](const HostTensor& input) { return golden::classifier(config_, weights_, input); },
        [](const Modules& modules, const HostTensor& input) { return modules.classifier(input); });
    list.add(
        "mnist", images, [this](const HostTensor& input) { return golden::mnist(config_, weights_, input); },
        [](const Modules& modules, const HostTensor& input) { return modules.mnist(input); });
    return std::move(list).take();
}

#else

std::vector<CheckedModule> MnistApp::modules(ttnn::MeshDevice&, std::int64_t, std::uint64_t) const {
    require_golden("check");
    return {};
}

#endif

ModelInfo info_of(const std::string& preset) {
    const mnist::Config config = mnist::preset(preset);
    ModelInfo info{
        .model = "mnist",
        .preset = preset,
        .summary = fmt::format(
            "{} convolutions with max-pools, 2 linear layers, {} x {} pixels, {} classes", mnist::kConvolutions,
            config.image_size, config.image_size, config.num_classes),
        .config =
            {{"image_size", config.image_size},
             {"hidden_size", config.hidden_size},
             {"num_classes", config.num_classes}},
        .parts = {},
        .note = "The optimized version keeps weights in bfloat8_b."};
    std::int64_t channels = config.num_channels;
    std::int64_t convolutions = 0;
    for (const std::int64_t out : config.conv_channels) {
        convolutions += (channels * 9 + 1) * out;
        channels = out;
    }
    info.parts = {
        {"convolutions", convolutions},
        {"fc1", (config.features() + 1) * config.hidden_size},
        {"fc2", (config.hidden_size + 1) * config.num_classes}};
    return info;
}

}  // namespace

ModelEntry mnist_entry() {
    return classifier_entry(
        {.name = "mnist",
         .summary = "Small convolutional network for digits, with weights trained by this project",
         .presets = mnist::preset_names(),
         .default_preset = "mnist",
         .weights_are = "A .safetensors or .pth file with the names of scripts/train_mnist.py",
         .l1_small_size = mnist::kL1SmallBytes,
         .most_batch = 64,
         .batches = {1, 64},
         .open = [](const ModelFlags& flags) { return std::make_unique<MnistApp>(flags); },
         .info = info_of});
}

}  // namespace zoo::apps
