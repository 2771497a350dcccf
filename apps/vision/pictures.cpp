// SPDX-License-Identifier: Apache-2.0
#include "vision/pictures.hpp"

#include <algorithm>
#include <filesystem>
#include <limits>

#include "stopwatch.hpp"

namespace zoo::apps {

namespace {

// Runs batch after batch and joins what comes out.
template <class Run>
std::vector<HostTensor> in_batches(const HostTensor& pictures, std::int64_t batch, const Run& run) {
    std::vector<HostTensor> joined;
    for (std::int64_t begin = 0; begin < pictures.shape[0]; begin += batch) {
        const std::vector<HostTensor> outputs =
            run(slice_batch(pictures, begin, std::min(batch, pictures.shape[0] - begin)));
        joined.resize(outputs.size());
        for (std::size_t i = 0; i < outputs.size(); ++i) {
            if (joined[i].data.empty()) {
                joined[i] = outputs[i];
            } else {
                joined[i].shape[0] += outputs[i].shape[0];
                joined[i].data.insert(joined[i].data.end(), outputs[i].data.begin(), outputs[i].data.end());
            }
        }
    }
    return joined;
}

template <class Run>
VersionRun timed(std::string version, int repeats, const Run& run) {
    VersionRun result{std::move(version), {}, std::numeric_limits<double>::infinity()};
    for (int i = 0; i < repeats; ++i) {
        const Stopwatch watch;
        result.outputs = run();
        result.milliseconds = std::min(result.milliseconds, watch.milliseconds());
    }
    return result;
}

}  // namespace

std::vector<Picture> read_pictures(std::span<const std::string> files) {
    std::vector<Picture> pictures;
    for (const std::string& file : files) {
        pictures.push_back({std::filesystem::path(file).filename().string(), read_image(file)});
    }
    return pictures;
}

HostTensor prepare_all(const VisionModel& model, std::span<const Picture> pictures) {
    std::vector<HostTensor> inputs;
    for (const Picture& picture : pictures) {
        inputs.push_back(model.prepare(picture.image));
    }
    return concat(inputs, 0);
}

HostTensor slice_batch(const HostTensor& pictures, std::int64_t begin, std::int64_t count) {
    const auto stride = static_cast<std::ptrdiff_t>(pictures.size()) / pictures.shape[0];
    HostTensor result{pictures.shape, {}};
    result.shape[0] = count;
    result.data.assign(pictures.data.begin() + begin * stride, pictures.data.begin() + (begin + count) * stride);
    return result;
}

VersionRun run_on_device(
    const VisionModel& model, ttnn::MeshDevice& device, const VisionRunnerOptions& options, const HostTensor& pictures,
    int repeats) {
    const VisionRunner runner = model.start(device, options);
    return timed(
        std::string(to_string(options.plan)), repeats, [&] { return in_batches(pictures, options.batch, runner); });
}

VersionRun run_golden(const VisionModel& model, const HostTensor& pictures, int repeats) {
    // A batch at a time as well: activations of many pictures in float32 would fill the memory.
    constexpr std::int64_t kBatch = 16;
    return timed("golden", repeats, [&] {
        return in_batches(pictures, kBatch, [&](const HostTensor& batch) { return model.golden(batch); });
    });
}

Comparison compare_runs(const VersionRun& golden, const VersionRun& run) {
    std::vector<float> expected;
    std::vector<float> actual;
    for (std::size_t i = 0; i < golden.outputs.size(); ++i) {
        const auto& from = golden.outputs[i].data;
        expected.insert(expected.end(), from.begin(), from.end());
        const auto& to = run.outputs.at(i).data;
        actual.insert(actual.end(), to.begin(), to.end());
    }
    return compare(expected, actual);
}

}  // namespace zoo::apps
