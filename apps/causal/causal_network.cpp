// SPDX-License-Identifier: Apache-2.0
#include "causal/causal_network.hpp"

#include <numeric>
#include <utility>

namespace zoo::apps {

CheckedText::CheckedText(std::vector<std::int32_t> tokens, ttnn::MeshDevice& on) : ids(std::move(tokens)), device(&on) {
    std::vector<std::uint32_t> places(ids.size());
    std::iota(places.begin(), places.end(), 0U);
    const Shape shape{1, std::ssize(ids)};
    inputs = {
        .ids = from_ids({ids.begin(), ids.end()}, shape, device),
        .positions = from_ids(places, shape, device),
        .cur_pos = ttnn::Tensor()};
}

ttnn::Tensor CheckedText::placed(const ttnn::MemoryConfig& memory) const {
    return from_host(reshape(hidden, {1, 1, hidden.shape[1], hidden.shape[2]}), {.memory_config = memory}, device);
}

}  // namespace zoo::apps
