// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "pickle.hpp"
#include "zoo/host_tensor.hpp"

namespace zoo {

// The memory that tensors are views of.
struct TensorStorage {
    std::string_view dtype;  // the safetensors word
    std::string key;
    std::uint64_t elements = 0;
};

struct TensorView {
    TensorStorage storage;
    std::uint64_t offset = 0;  // in elements
    Shape shape;
    Shape stride;
};

// What a pickle of tensors may ask for, for read_pickle.
[[nodiscard]] std::span<const std::string_view> state_dict_globals();

// The tensors of a pickle by their path, sorted. What is no tensor is passed over; `source` opens the messages of Errors, for a
// tensor that is not what torch writes, a path that appears twice, and containers that hold themselves.
[[nodiscard]] std::vector<std::pair<std::string, TensorView>> read_state_dict(
    const std::string& source, const Pickle& pickle);

}  // namespace zoo
