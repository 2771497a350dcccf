// SPDX-License-Identifier: Apache-2.0
#include "fake_vision.hpp"

#include "zoo/error.hpp"
#include "zoo/image/resize.hpp"
#include "zoo/image/tensor.hpp"

namespace zoo::testing {

namespace {

using apps::VisionRunner;
using apps::VisionRunnerOptions;

// [batch, 3]: the mean of each channel.
HostTensor means(const HostTensor& pictures) {
    HostTensor result{{pictures.shape[0], 3}, {}};
    const auto area = static_cast<std::size_t>(pictures.shape[2] * pictures.shape[3]);
    for (std::size_t i = 0; i < pictures.size(); i += area) {
        float sum = 0;
        for (std::size_t k = 0; k < area; ++k) {
            sum += pictures.data[i + k];
        }
        result.data.push_back(8 * sum / static_cast<float>(area));
    }
    return result;
}

HostTensor with_error(HostTensor tensor, Plan plan) {
    float sign = 1;
    for (float& value : tensor.data) {
        value += sign * (plan == Plan::Functional ? 0.001F : 0.01F);
        sign = -sign;
    }
    return tensor;
}

// What both networks share.
template <class Base>
class Fake : public Base {
public:
    explicit Fake(std::string preset) : preset_(std::move(preset)) {}

    [[nodiscard]] std::string preset() const override { return preset_; }
    [[nodiscard]] std::string source() const override { return "made up"; }
    [[nodiscard]] bool trained() const override { return preset_ != "dark"; }
    [[nodiscard]] const std::vector<std::string>& class_names() const override {
        static const std::vector<std::string> names{"red <b>", "green", "blue"};
        return names;
    }
    [[nodiscard]] HostTensor prepare(const Image& picture) const override {
        const std::vector<Image> small{resize(picture, 8, 8)};
        return to_tensor(small);
    }
    [[nodiscard]] std::vector<apps::CheckedModule> modules(
        ttnn::MeshDevice&, std::int64_t batch, std::uint64_t seed) const override {
        const HostTensor input{{batch, 3}, std::vector<float>(static_cast<std::size_t>(3 * batch), float(seed))};
        HostTensor ramp = input;
        ramp.data.front() += 1;
        return {
            {"mean", [=] { return ramp; }, [=] { return ramp; }, [=] { return with_error(ramp, Plan::Optimized); }}};
    }

private:
    std::string preset_;
};

class FakeClassifier : public Fake<apps::Classifier> {
public:
    using Fake::Fake;

    [[nodiscard]] std::vector<HostTensor> golden(const HostTensor& pictures) const override {
        return {means(pictures)};
    }
    [[nodiscard]] VisionRunner start(ttnn::MeshDevice&, const VisionRunnerOptions& options) const override {
        return [options](const HostTensor& pictures) {
            if (pictures.shape[0] > options.batch) {
                fail("fake", "batch is ", pictures.shape[0]);
            }
            return std::vector{with_error(means(pictures), options.plan)};
        };
    }
    [[nodiscard]] std::optional<apps::LabelledSet> labelled_set() const override {
        if (preset() != "plain") {
            return std::nullopt;
        }
        return apps::LabelledSet{
            .name = "colours",
            .size = 5,
            .picture = [](std::int64_t i) { return filled_image(4, 4, i == 0 ? 255 : 0, i == 0 ? 0 : 255, 9); },
            .label = [](std::int64_t i) { return i < 3 ? std::min<std::int64_t>(i, 1) : 2; }};
    }
};

class FakeDetector : public Fake<apps::Detector> {
public:
    using Fake::Fake;

    [[nodiscard]] std::vector<HostTensor> golden(const HostTensor& pictures) const override {
        return {means(pictures)};
    }
    [[nodiscard]] VisionRunner start(ttnn::MeshDevice&, const VisionRunnerOptions& options) const override {
        return [options](const HostTensor& pictures) { return std::vector{with_error(means(pictures), options.plan)}; };
    }
    [[nodiscard]] std::vector<apps::Detection> detections(
        const std::vector<HostTensor>& outputs, std::int64_t index, const Image&,
        const apps::DetectionLimits& limits) const override {
        const float score = outputs.front().data[static_cast<std::size_t>(3 * index + 1)] / 8;
        if (score < limits.score) {
            return {};
        }
        return {{.x_min = 0.0F, .y_min = 0.25F, .x_max = 0.5F, .y_max = 0.75F, .class_id = 1, .score = score}};
    }
};

apps::ModelInfo info_of(const std::string& preset) {
    return {"fake", preset, "means of colours", {{"classes", 3}}, {{"none", 0}}, ""};
}

}  // namespace

apps::VisionSpec<apps::Classifier> fake_classifier() {
    return {
        .name = "fake",
        .summary = "The strongest colour",
        .presets = {"plain", "dark", "broken"},
        .default_preset = "plain",
        .most_batch = 2,
        .batches = {1, 2},
        .open = [](const apps::ModelFlags& flags) -> std::unique_ptr<apps::Classifier> {
            if (flags.preset == "broken") {
                fail("fake", "the weights are broken");
            }
            return std::make_unique<FakeClassifier>(flags.preset);
        },
        .info = info_of};
}

apps::VisionSpec<apps::Classifier> fake_classifier_with_troubles() {
    apps::VisionSpec<apps::Classifier> spec = fake_classifier();
    spec.demo_presets = {"plain", "dark", "broken"};
    return spec;
}

apps::VisionSpec<apps::Detector> fake_detector() {
    return {
        .name = "finder",
        .summary = "The left half",
        .presets = {"plain-finder"},
        .default_preset = "plain-finder",
        .open = [](const apps::ModelFlags& flags) -> std::unique_ptr<apps::Detector> {
            return std::make_unique<FakeDetector>(flags.preset);
        },
        .info = info_of};
}

}  // namespace zoo::testing
