// SPDX-License-Identifier: Apache-2.0
#include "zoo/encoder/runner.hpp"

#include <utility>
#include <vector>

#include "zoo/device_tensor.hpp"
#include "zoo/error.hpp"

namespace zoo::encoder {
namespace {

constexpr std::int64_t kTile = 32;

std::vector<tt::tt_metal::TensorSpec> input_specs(const Limits& limits, const RunnerOptions& options) {
    // Any valid inputs will do.
    const Inputs one{.batch = 1, .sequence = 1, .input_ids = {0}, .token_type_ids = {0}, .attention_mask = {1}};
    std::vector<tt::tt_metal::TensorSpec> specs;
    for (const ttnn::Tensor& input : preprocess(limits, pad(limits, one, options.batch, options.sequence)).list()) {
        specs.push_back(input.tensor_spec());
    }
    return specs;
}

}  // namespace

RunnerOptions whole_tiles(std::string_view where, const Limits& limits, RunnerOptions options) {
    const std::int64_t asked = options.sequence;
    options.sequence = (asked + kTile - 1) / kTile * kTile;
    if (asked <= 0 || options.sequence > limits.max_position_embeddings) {
        fail(
            where, "sequence is ", asked, ", ", options.sequence,
            " in whole tiles; it must be between 1 and max_position_embeddings ", limits.max_position_embeddings);
    }
    return options;
}

Runner::Runner(
    ttnn::MeshDevice& device, std::string where, const Limits& limits, const Options& options, Compute compute)
    : where_(std::move(where)),
      limits_(limits),
      options_(options),
      pipeline_(
          device, options.mode, input_specs(limits, options),
          [compute = std::move(compute)](std::span<const ttnn::Tensor> inputs) {
              return std::vector{compute(DeviceInputs::from_list(inputs))};
          }) {}

// result is [batch, 1 or sequence, width] of the options; asked is {batch, sequence}.
HostTensor Runner::crop(const HostTensor& result, const Shape& asked) const {
    const bool tokens = has_a_row_a_token(options_.task);
    const std::int64_t rows = tokens ? asked[1] : 1;
    const auto width = static_cast<std::size_t>(result.shape[2]);
    HostTensor cropped{tokens ? Shape{asked[0], rows, result.shape[2]} : Shape{asked[0], result.shape[2]}, {}};
    for (std::int64_t batch = 0; batch < asked[0]; ++batch) {
        const auto from = result.data.begin() + batch * result.shape[1] * result.shape[2];
        cropped.data.insert(cropped.data.end(), from, from + rows * static_cast<std::ptrdiff_t>(width));
    }
    return cropped;
}

HostTensor Runner::run(const Inputs& inputs) {
    submit(inputs);
    return next();
}

void Runner::submit(const Inputs& inputs) {
    validate(limits_, inputs);
    if (inputs.batch > options_.batch || inputs.sequence > options_.sequence) {
        fail(
            where_, "inputs are ", inputs.batch, " sequences of ", inputs.sequence, "; this runner takes up to ",
            options_.batch, " of ", options_.sequence);
    }
    pipeline_.submit(preprocess(limits_, pad(limits_, inputs, options_.batch, options_.sequence)).list());
    submitted_.push_back({inputs.batch, inputs.sequence});
}

HostTensor Runner::next() {
    const std::vector<ttnn::Tensor> outputs = pipeline_.next();
    const Shape asked = std::move(submitted_.front());
    submitted_.pop_front();
    return crop(to_host(outputs.front()), asked);
}

}  // namespace zoo::encoder
