// SPDX-License-Identifier: Apache-2.0
#include "zoo/encoder/inputs.hpp"

#include <algorithm>
#include <span>
#include <string>
#include <string_view>

#include "zoo/error.hpp"
#include "zoo/random.hpp"

namespace zoo::encoder {
namespace {

std::string where_of(const Limits& limits) { return std::string(limits.model) + "::Inputs"; }

void require_below(
    const std::string& where, std::string_view name, const std::vector<std::uint32_t>& values, std::size_t count,
    std::int64_t bound, std::string_view bound_name) {
    if (values.size() != count) {
        fail(where, name, " has ", values.size(), " values; batch times sequence is ", count);
    }
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (values[i] >= bound) {
            fail(where, name, "[", i, "] is ", values[i], "; it must be below ", bound_name, " ", bound);
        }
    }
}

}  // namespace

void validate(const Limits& limits, const Inputs& inputs) {
    const std::string where = where_of(limits);
    if (inputs.batch <= 0 || inputs.sequence <= 0) {
        fail(where, "batch is ", inputs.batch, " and sequence ", inputs.sequence, "; both must be positive");
    }
    if (inputs.sequence > limits.max_position_embeddings) {
        fail(
            where, "sequence is ", inputs.sequence, "; it must be at most max_position_embeddings ",
            limits.max_position_embeddings);
    }
    const auto count = static_cast<std::size_t>(inputs.batch * inputs.sequence);
    require_below(where, "input_ids", inputs.input_ids, count, limits.vocab_size, "vocab_size");
    require_below(where, "token_type_ids", inputs.token_type_ids, count, limits.type_vocab_size, "type_vocab_size");
    require_below(where, "attention_mask", inputs.attention_mask, count, 2, "the limit");
    const auto length = static_cast<std::size_t>(inputs.sequence);
    for (std::size_t row = 0; row < count; row += length) {
        const std::span mask = std::span(inputs.attention_mask).subspan(row, length);
        if (std::ranges::count(mask, 1U) == 0) {
            fail(where, "attention_mask of sequence ", row / length, " is all 0; a sequence needs at least one token");
        }
    }
}

Inputs random_inputs(const Limits& limits, std::int64_t batch, std::int64_t sequence, std::uint64_t seed) {
    Random random(seed);
    const auto count = static_cast<std::size_t>(batch * sequence);
    Inputs inputs{.batch = batch, .sequence = sequence};
    inputs.input_ids.assign(count, static_cast<std::uint32_t>(limits.pad_token_id));
    inputs.token_type_ids.assign(count, 0);
    inputs.attention_mask.assign(count, 0);
    for (std::int64_t row = 0; row < batch; ++row) {
        const std::int64_t length = random.integer(std::max<std::int64_t>(1, sequence * 3 / 4), sequence);
        const std::int64_t question = random.integer(0, std::max<std::int64_t>(1, sequence / 8));
        for (std::int64_t i = 0; i < length; ++i) {
            const auto at = static_cast<std::size_t>(row * sequence + i);
            inputs.input_ids[at] = static_cast<std::uint32_t>(random.integer(0, limits.vocab_size - 1));
            inputs.token_type_ids[at] = limits.type_vocab_size > 1 && i >= question ? 1 : 0;
            inputs.attention_mask[at] = 1;
        }
    }
    validate(limits, inputs);
    return inputs;
}

Inputs pad(const Limits& limits, const Inputs& inputs, std::int64_t batch, std::int64_t sequence) {
    if (batch < inputs.batch || sequence < inputs.sequence) {
        fail(
            where_of(limits), inputs.batch, " sequences of ", inputs.sequence, " do not fit ", batch, " of ", sequence,
            "; padding only adds");
    }
    const auto widen = [&](const std::vector<std::uint32_t>& values, std::uint32_t filler) {
        std::vector<std::uint32_t> wide(static_cast<std::size_t>(batch * sequence), filler);
        for (std::int64_t row = 0; row < inputs.batch; ++row) {
            const auto from = values.begin() + row * inputs.sequence;
            std::copy(from, from + inputs.sequence, wide.begin() + row * sequence);
        }
        return wide;
    };
    Inputs padded{
        .batch = batch,
        .sequence = sequence,
        .input_ids = widen(inputs.input_ids, static_cast<std::uint32_t>(limits.pad_token_id)),
        .token_type_ids = widen(inputs.token_type_ids, 0),
        .attention_mask = widen(inputs.attention_mask, 0)};
    for (std::int64_t row = inputs.batch; row < batch; ++row) {
        padded.attention_mask[static_cast<std::size_t>(row * sequence)] = 1;
    }
    return padded;
}

HostTensor additive_mask(const Inputs& inputs) {
    HostTensor mask = zeros({inputs.batch, 1, 1, inputs.sequence});
    for (std::size_t i = 0; i < mask.data.size(); ++i) {
        mask.data[i] = inputs.attention_mask[i] != 0 ? 0.0F : kMasked;
    }
    return mask;
}

}  // namespace zoo::encoder
