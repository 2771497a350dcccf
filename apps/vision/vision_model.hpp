// SPDX-License-Identifier: Apache-2.0
#pragma once

// What a network for pictures gives to the program. A model's file in apps/models implements Classifier or Detector and returns
// classifier_entry(spec) or detector_entry(spec) for the registry; run, check, bench, info and its place in `demo vision` follow.
//
//     class ResnetApp : public Classifier { ... };                       // apps/models/resnet.cpp
//     ModelEntry resnet_entry() { return classifier_entry(resnet_spec()); }
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model_check.hpp"
#include "model_flags.hpp"
#include "model_info.hpp"
#include "registry.hpp"
#include "ttnn/types.hpp"
#include "zoo/checkpoint.hpp"
#include "zoo/host_tensor.hpp"
#include "zoo/image/image.hpp"

namespace zoo::apps {

struct VisionRunnerOptions {
    std::int64_t batch = 1;
    Plan plan = Plan::Optimized;
    Mode mode = Mode::Plain;
};

// From prepared pictures [batch or fewer, 3, height, width] to the outputs of the network, each with the batch in front.
using VisionRunner = std::function<std::vector<HostTensor>(const HostTensor& pictures)>;

// Pictures with known answers, to count how many the network gets right.
struct LabelledSet {
    std::string name;  // "CIFAR-10 test images (fetched)"
    std::int64_t size = 0;
    std::function<Image(std::int64_t index)> picture;
    std::function<std::int64_t(std::int64_t index)> label;
};

// A network with its weights, on the host.
class VisionModel {
public:
    virtual ~VisionModel() = default;
    VisionModel() = default;
    VisionModel(const VisionModel&) = delete;
    VisionModel& operator=(const VisionModel&) = delete;

    [[nodiscard]] virtual std::string preset() const = 0;
    [[nodiscard]] virtual std::string source() const = 0;  // where the weights come from, for people
    [[nodiscard]] virtual bool trained() const = 0;        // false for seeded random weights
    [[nodiscard]] virtual const std::vector<std::string>& class_names() const = 0;

    // A picture as the network takes it: resized, cropped, normalised; [1, 3, height, width].
    [[nodiscard]] virtual HostTensor prepare(const Image& picture) const = 0;
    // libtorch in float32, the outputs of a VisionRunner. Called only where golden_available().
    [[nodiscard]] virtual std::vector<HostTensor> golden(const HostTensor& pictures) const = 0;
    // The weights that golden reads.
    [[nodiscard]] virtual NamedTensors parameters() const { return {}; }
    // Optional: the same by libtorch at its best (channels last, fused), for `bench --compare torch`; golden without it.
    [[nodiscard]] virtual std::function<void()> peer(const HostTensor& pictures) const {
        return [this, pictures] { (void)golden(pictures); };
    }
    // Puts the network on the device. The runner must not outlive the model or the device.
    [[nodiscard]] virtual VisionRunner start(ttnn::MeshDevice& device, const VisionRunnerOptions& options) const = 0;
    // For `check`: every module in its three versions, on random input. Called only where golden_available(). What the functions need
    // of the device they keep alive themselves.
    [[nodiscard]] virtual std::vector<CheckedModule> modules(
        ttnn::MeshDevice& device, std::int64_t batch, std::uint64_t seed) const = 0;
};

// Pictures of nothing, as spread as photos, prepared as the network wants its own.
[[nodiscard]] HostTensor made_up(const VisionModel& model, std::int64_t batch, std::uint64_t seed);

// Outputs: one tensor of logits, [batch, classes].
class Classifier : public VisionModel {
public:
    // For `run --accuracy`: nothing when there is none, or it was not fetched.
    [[nodiscard]] virtual std::optional<LabelledSet> labelled_set() const { return std::nullopt; }
};

struct Detection {
    // Corners as parts of the picture's width and height, in [0, 1].
    float x_min = 0;
    float y_min = 0;
    float x_max = 0;
    float y_max = 0;
    std::int64_t class_id = 0;
    float score = 0;
};

struct DetectionLimits {
    float score = 0.25F;  // at least
    float iou = 0.45F;    // of two boxes of a class that overlap more, the better one stays
};

class Detector : public VisionModel {
public:
    // Of picture `index` of the outputs of a run, the best first, in parts of the picture that was given to prepare (a Detector that
    // letterboxes maps back by the picture's size).
    [[nodiscard]] virtual std::vector<Detection> detections(
        const std::vector<HostTensor>& outputs, std::int64_t index, const Image& picture,
        const DetectionLimits& limits) const = 0;
};

template <class Model>
struct VisionSpec {
    std::string_view name;     // of the model: "resnet"
    std::string_view summary;  // for `tt-zoo list`
    std::vector<std::string_view> presets;
    std::string default_preset;
    std::string weights_are = "A .safetensors file";  // what --weights may name
    std::size_t l1_small_size = 32 << 10;             // bytes a core for the halo of convolutions
    std::int64_t most_batch = 64;                     // that --batch may name
    // Batches that the network is placed for. Without --batch, `run` takes the largest that the pictures fill.
    std::vector<std::int64_t> batches = {1};
    // Weights from --weights, else what was fetched for the preset, else seeded random ones. `flags.preset` is never empty here.
    std::function<std::unique_ptr<Model>(const ModelFlags& flags)> open;
    std::function<ModelInfo(const std::string& preset)> info;
    std::vector<std::string> demo_presets =
        {};  // shown by `demo vision` where their weights are here; none: the default preset
};

ModelEntry classifier_entry(const VisionSpec<Classifier>& spec);
ModelEntry detector_entry(const VisionSpec<Detector>& spec);

}  // namespace zoo::apps
