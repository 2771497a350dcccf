// SPDX-License-Identifier: Apache-2.0
#include "models/yolov4.hpp"

#include <filesystem>
#include <span>

#include <fmt/format.h>

#include "models/yolov4/modules.hpp"
#include "models/yolov4/runner.hpp"
#include "models/yolov4_modules.hpp"
#include "vision/vision_model.hpp"
#include "zoo/class_names.hpp"
#include "zoo/error.hpp"
#include "zoo/fetched_weights.hpp"
#include "zoo/image/resize.hpp"
#include "zoo/image/tensor.hpp"
#ifdef ZOO_WITH_TORCH
#include "models/yolov4/torch_yolov4.hpp"
#endif

namespace zoo::apps {

namespace {

namespace fs = std::filesystem;

struct Opened {
    yolov4::Config config;
    yolov4::Weights weights;
    std::string source;
    bool trained = true;
};

// A Darknet cfg of the same name beside its weights decides anchors, masks and classes; the preset decides the size.
yolov4::Config config_for(const std::string& preset, const fs::path& weights) {
    const yolov4::Config named = yolov4::preset(preset);
    const fs::path cfg = fs::path(weights).replace_extension(".cfg");
    if (weights.extension() != ".weights" || !fs::exists(cfg)) {
        return named;
    }
    const yolov4::Config config = yolov4::from_cfg(cfg);
    if (config.architecture != named.architecture) {
        fail(
            "--weights", cfg.string(), " describes ", yolov4::to_string(config.architecture), "; the preset ", preset,
            " is ", yolov4::to_string(named.architecture));
    }
    return yolov4::with_size(config, named.height, named.width);
}

Opened open(const ModelFlags& flags) {
    if (flags.weights == "random") {
        const yolov4::Config config = yolov4::preset(flags.preset);
        return {config, yolov4::random(config, flags.seed), fmt::format("random, seed {}", flags.seed), false};
    }
    fs::path path = flags.weights;
    std::string source = flags.weights;
    if (path.empty()) {
        const auto fetched = fetched_weights(flags.preset);
        if (!fetched) {
            ModelFlags random = flags;
            random.weights = "random";
            return open(random);
        }
        path = *fetched / (flags.preset + ".weights");
        source = flags.preset + " (fetched)";
    }
    const yolov4::Config config = config_for(flags.preset, path);
    return {config, yolov4::load(path, config), source, true};
}

class Yolov4App final : public Detector {
public:
    explicit Yolov4App(const ModelFlags& flags) : preset_(flags.preset), opened_(open(flags)) {
        if (opened_.config.num_classes == std::ssize(coco_class_names())) {
            names_ = coco_class_names();
        }
        for (auto i = std::ssize(names_); i < opened_.config.num_classes; ++i) {
            names_.push_back(fmt::format("class {}", i));
        }
    }

    [[nodiscard]] std::string preset() const override { return preset_; }
    [[nodiscard]] std::string source() const override { return opened_.source; }
    [[nodiscard]] bool trained() const override { return opened_.trained; }
    [[nodiscard]] const std::vector<std::string>& class_names() const override { return names_; }

    // Darknet stretches the picture to the network's size.
    [[nodiscard]] HostTensor prepare(const Image& picture) const override {
        const Image resized = resize(picture, opened_.config.width, opened_.config.height);
        return to_tensor(std::span(&resized, 1));
    }

    [[nodiscard]] NamedTensors parameters() const override { return yolov4::tensors(opened_.weights); }

    [[nodiscard]] std::vector<HostTensor> golden(const HostTensor& pictures) const override {
#ifdef ZOO_WITH_TORCH
        return each(pictures, [&](const HostTensor& one) {
            return yolov4::golden::yolov4(opened_.config, opened_.weights, one);
        });
#else
        (void)pictures;
        fail("yolov4", "built without libtorch");
#endif
    }

    [[nodiscard]] std::function<void()> peer(const HostTensor& pictures) const override {
#ifdef ZOO_WITH_TORCH
        const auto folded = std::make_shared<yolov4::Weights>(yolov4::fold(opened_.weights));
        return [this, pictures, folded] {
            (void)each(
                pictures, [&](const HostTensor& one) { return yolov4::golden::yolov4(opened_.config, *folded, one); });
        };
#else
        return Detector::peer(pictures);
#endif
    }

    [[nodiscard]] VisionRunner start(ttnn::MeshDevice& device, const VisionRunnerOptions& options) const override {
        const auto runner = std::make_shared<yolov4::Runner>(
            device, opened_.config, opened_.weights,
            yolov4::Runner::Options{.mode = options.mode, .plan = options.plan});
        return [this, runner](const HostTensor& pictures) {
            return each(pictures, [&](const HostTensor& one) { return runner->run(one); });
        };
    }

    [[nodiscard]] std::vector<CheckedModule> modules(
        ttnn::MeshDevice& device, std::int64_t, std::uint64_t seed) const override {
        return yolov4_modules(opened_.config, opened_.weights, device, seed);
    }

    [[nodiscard]] std::vector<Detection> detections(
        const std::vector<HostTensor>& outputs, std::int64_t index, const Image&,
        const DetectionLimits& limits) const override {
        const yolov4::Predictions one{part(outputs[0], index), part(outputs[1], index)};
        std::vector<Detection> found;
        for (const yolov4::Detection& detection : yolov4::detections(one, {.score = limits.score, .iou = limits.iou})) {
            const yolov4::Box& box = detection.box;
            found.push_back({box.x_min, box.y_min, box.x_max, box.y_max, detection.class_id, detection.score});
        }
        return found;
    }

private:
    // [batch, ...] to the part of one picture, without the batch.
    static HostTensor part(const HostTensor& batch, std::int64_t index) {
        HostTensor one{Shape(batch.shape.begin() + 1, batch.shape.end()), {}};
        const auto size = static_cast<std::ptrdiff_t>(element_count(one.shape));
        one.data.assign(batch.data.begin() + index * size, batch.data.begin() + (index + 1) * size);
        return one;
    }

    // Boxes [batch, boxes, 4] and scores [batch, boxes, classes], picture by picture.
    template <class Run>
    [[nodiscard]] std::vector<HostTensor> each(const HostTensor& pictures, const Run& run) const {
        const std::int64_t batch = pictures.shape[0];
        HostTensor boxes{{batch, opened_.config.boxes(), 4}, {}};
        HostTensor scores{{batch, opened_.config.boxes(), opened_.config.num_classes}, {}};
        for (std::int64_t i = 0; i < batch; ++i) {
            HostTensor one = part(pictures, i);
            one.shape.insert(one.shape.begin(), 1);
            const yolov4::Predictions found = run(one);
            boxes.data.insert(boxes.data.end(), found.boxes.data.begin(), found.boxes.data.end());
            scores.data.insert(scores.data.end(), found.scores.data.begin(), found.scores.data.end());
        }
        return {std::move(boxes), std::move(scores)};
    }

    std::string preset_;
    Opened opened_;
    std::vector<std::string> names_;
};

ModelInfo info(const std::string& preset) {
    const yolov4::Config config = yolov4::preset(preset);
    yolov4::Weights weights = yolov4::empty_weights(config);
    ModelInfo info{
        .model = "yolov4",
        .preset = preset,
        .summary = {},
        .config =
            {{"height", config.height},
             {"width", config.width},
             {"num_classes", config.num_classes},
             {"base_channels", config.base_channels},
             {"boxes", config.boxes()}},
        .parts = {},
        .note = "optimized: kernels in bfloat8_b, maps sharded in L1, boxes in float32"};
    const auto layers = yolov4::layers(weights);
    for (const yolov4::Layer& layer : layers) {
        const std::string part =
            layer.name.find('.') == std::string::npos ? "stem" : layer.name.substr(0, layer.name.find('.'));
        if (info.parts.empty() || info.parts.back().name != part) {
            info.parts.push_back({part, 0});
        }
        info.parts.back().parameters += static_cast<std::int64_t>(element_count(layer.conv->shape())) +
                                        layer.conv->out * (layer.conv->norm ? 2 : 1);
    }
    info.summary = fmt::format(
        "{} convolutions, {} heads, pictures of {} x {}", layers.size(), config.scales.size(), config.width,
        config.height);
    return info;
}

}  // namespace

ModelEntry yolov4_entry() {
    return detector_entry(
        {.name = "yolov4",
         .summary = "Objects in pictures: YOLOv4 at 320 and 640, yolov4-tiny with COCO weights",
         .presets = yolov4::preset_names(),
         .default_preset = "yolov4-tiny",
         .weights_are = "A Darknet .weights file (a .cfg of its name beside it is read too), or .safetensors",
         .l1_small_size = 32 << 10,
         .most_batch = 1,
         .open = [](const ModelFlags& flags) { return std::make_unique<Yolov4App>(flags); },
         .info = info});
}

}  // namespace zoo::apps
