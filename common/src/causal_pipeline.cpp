// SPDX-License-Identifier: Apache-2.0
#include "zoo/causal_pipeline.hpp"

#include <algorithm>
#include <utility>

#include <tt-metalium/mesh_device.hpp>

#include "ttnn/operations/core/core.hpp"
#include "ttnn/tensor/tensor_ops.hpp"
#include "zoo/device_tensor.hpp"
#include "zoo/error.hpp"

namespace zoo {
namespace {

using ttnn::Tensor;

constexpr const char* kWhere = "CausalPipeline";
constexpr std::int64_t kTile = 32;
constexpr std::int64_t kMostUsers = 32;

tt::tt_metal::TensorSpec row_spec(std::span<const std::int64_t> shape, ttnn::DataType dtype) {
    return tensor_spec(shape, {.dtype = dtype, .layout = ttnn::Layout::ROW_MAJOR});
}

}  // namespace

CausalPipeline::CausalPipeline(ttnn::MeshDevice& device, Mode mode, const Sizes& sizes, CausalBody body)
    : device_(device), mode_(mode), sizes_(sizes), body_(std::move(body)) {
    if (sizes.batch < 1 || sizes.batch > kMostUsers) {
        fail(kWhere, "batch is ", sizes.batch, "; it must be 1 to ", kMostUsers);
    }
    require_mode(kWhere, mode, device);
    const auto make = [&](const Shape& shape, ttnn::DataType dtype) {
        return ttnn::create_device_tensor(row_spec(shape, dtype), &device);
    };
    inputs_ = {
        .ids = make({1, sizes.batch}, ttnn::DataType::UINT32),
        .positions = make({1, sizes.batch}, ttnn::DataType::UINT32),
        .cur_pos = make({sizes.batch}, ttnn::DataType::INT32)};
    // Position 0 of every cache is written here and then again by the first prefill.
    const std::vector<std::int32_t> zeros(static_cast<std::size_t>(sizes.batch), 0);
    (void)decode(zeros, zeros, false);
    if (traced(mode)) {
        trace_ = std::make_unique<Trace>(device, kComputeQueue, [this] {
            const StepOutputs outputs = body_.decode(inputs_);
            return std::vector{outputs.logits, outputs.best};
        });
    }
}

CausalPipeline::~CausalPipeline() = default;

void CausalPipeline::require_token(std::int32_t token) const {
    if (token < 0 || token >= sizes_.vocab_size) {
        fail(kWhere, "token ", token, " has no row in the vocabulary; ids are 0 to ", sizes_.vocab_size - 1);
    }
}

NextToken CausalPipeline::prefill(std::int64_t user, std::span<const std::int32_t> tokens, bool logits) {
    if (user < 0 || user >= sizes_.batch) {
        fail(kWhere, "user is ", user, "; it must be 0 to ", sizes_.batch - 1);
    }
    const std::int64_t length = std::ssize(tokens);
    if (length == 0 || length > sizes_.context) {
        fail(kWhere, "a text of ", length, " tokens was given; it must have 1 to ", sizes_.context);
    }
    const std::int64_t padded = (length + kTile - 1) / kTile * kTile;
    std::vector<std::uint32_t> ids(static_cast<std::size_t>(padded), 0);
    std::vector<std::uint32_t> positions(ids.size());
    for (std::size_t i = 0; i < ids.size(); ++i) {
        if (i < tokens.size()) {
            require_token(tokens[i]);
            ids[i] = static_cast<std::uint32_t>(tokens[i]);
        }
        positions[i] =
            static_cast<std::uint32_t>(std::min<std::int64_t>(static_cast<std::int64_t>(i), sizes_.context - 1));
    }
    const Shape shape{1, padded};
    StepInputs inputs{
        .ids = from_ids(ids, shape, &device_), .positions = from_ids(positions, shape, &device_), .cur_pos = Tensor()};
    StepOutputs outputs = body_.prefill(inputs, user, length);
    NextToken next = std::move(read(outputs, logits).front());
    for (Tensor* tensor : {&inputs.ids, &inputs.positions, &outputs.logits, &outputs.best}) {
        ttnn::deallocate(*tensor);
    }
    return next;
}

void CausalPipeline::write(const std::vector<Tensor>& host) {
    const ttnn::QueueId queue = two_queues(mode_) ? kTransferQueue : kComputeQueue;
    // The last step is done: its results have been read.
    ttnn::copy_to_device(host[0], inputs_.ids, queue);
    ttnn::copy_to_device(host[1], inputs_.positions, queue);
    ttnn::copy_to_device(host[2], inputs_.cur_pos, queue);
    if (two_queues(mode_)) {
        ttnn::events::wait_for_mesh_event(kComputeQueue, ttnn::events::record_mesh_event(&device_, kTransferQueue));
    }
}

std::vector<NextToken> CausalPipeline::read(const StepOutputs& outputs, bool logits) const {
    ttnn::QueueId queue = kComputeQueue;
    if (two_queues(mode_)) {
        queue = kTransferQueue;
        ttnn::events::wait_for_mesh_event(queue, ttnn::events::record_mesh_event(&device_, kComputeQueue));
    }
    const std::vector<std::uint32_t> best = outputs.best.cpu(/*blocking=*/true, queue).to_vector<std::uint32_t>();
    std::vector<NextToken> result(best.size());
    for (std::size_t i = 0; i < best.size(); ++i) {
        result[i].best = static_cast<std::int32_t>(best[i]);
    }
    if (logits) {
        const std::vector<float> values = outputs.logits.cpu(/*blocking=*/true, queue).to_vector<float>();
        const std::size_t width = values.size() / best.size();
        for (std::size_t i = 0; i < best.size(); ++i) {
            const auto from = values.begin() + static_cast<std::ptrdiff_t>(i * width);
            result[i].logits.assign(from, from + static_cast<std::ptrdiff_t>(width));
        }
    }
    return result;
}

std::vector<NextToken> CausalPipeline::decode(
    std::span<const std::int32_t> tokens, std::span<const std::int32_t> positions, bool logits) {
    if (std::ssize(tokens) != sizes_.batch || std::ssize(positions) != sizes_.batch) {
        fail(
            kWhere, tokens.size(), " tokens and ", positions.size(),
            " positions were given; there must be one for each of ", sizes_.batch, " users");
    }
    std::vector<std::uint32_t> ids(tokens.size(), 0);
    std::vector<std::uint32_t> places(tokens.size(), 0);
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        if (positions[i] < 0) {
            continue;
        }
        require_token(tokens[i]);
        if (positions[i] >= sizes_.context) {
            fail(kWhere, "position ", positions[i], " is past the context of ", sizes_.context, " tokens");
        }
        ids[i] = static_cast<std::uint32_t>(tokens[i]);
        places[i] = static_cast<std::uint32_t>(positions[i]);
    }
    const Shape shape{1, sizes_.batch};
    const std::vector<std::int32_t> cur_pos(positions.begin(), positions.end());
    write(
        {from_ids(ids, shape), from_ids(places, shape),
         Tensor::from_vector(cur_pos, row_spec(Shape{sizes_.batch}, ttnn::DataType::INT32))});
    if (trace_) {
        trace_->replay();
        return read({.logits = trace_->outputs()[0], .best = trace_->outputs()[1]}, logits);
    }
    StepOutputs outputs = body_.decode(inputs_);
    std::vector<NextToken> result = read(outputs, logits);
    ttnn::deallocate(outputs.logits);
    ttnn::deallocate(outputs.best);
    return result;
}

}  // namespace zoo
