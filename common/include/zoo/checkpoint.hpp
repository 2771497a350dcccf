// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "zoo/host_tensor.hpp"

namespace zoo {

struct TensorInfo {
    std::string name;
    std::string dtype;  // the safetensors word, whatever the file format: "F32", "BF16", "I64", ...
    Shape shape;
};

// Named tensors in files. Opening reads the directory of the file only; load() reads one tensor and may be called from
// several threads.
class Checkpoint {
public:
    virtual ~Checkpoint() = default;
    Checkpoint() = default;
    Checkpoint(const Checkpoint&) = delete;
    Checkpoint& operator=(const Checkpoint&) = delete;

    // Sorted by name.
    [[nodiscard]] virtual const std::vector<TensorInfo>& tensors() const = 0;

    // Values of any dtype as float32: F64 and the 32 and 64 bit integers are rounded to nearest, the rest is exact.
    [[nodiscard]] virtual HostTensor load(std::string_view name) const = 0;

    // The path that was opened, for messages.
    [[nodiscard]] virtual std::string source() const = 0;

    // Free-form text that came with the tensors: safetensors' __metadata__. Empty for other formats.
    [[nodiscard]] virtual const std::map<std::string, std::string>& metadata() const;

    [[nodiscard]] bool contains(std::string_view name) const { return find(name) != nullptr; }
    // Null where there is no such tensor.
    [[nodiscard]] const TensorInfo* find(std::string_view name) const;
};

// Opens what `path` turns out to be:
//   - a .safetensors file, or a *.safetensors.index.json that lists shards beside it;
//   - a directory with model.safetensors or model.safetensors.index.json;
//   - a TensorFlow.js model: its model.json, or the directory that holds it;
//   - a TensorFlow bundle: a directory with variables.index (or variables/variables.index), its .index file, or the
//     prefix that .index and .data-00000-of-00001 follow;
//   - a file of torch.save (.pth, .pt, pytorch_model.bin), or a directory with exactly one: zoo/pth.hpp.
// Tensors whose names match one of `ignored` are left out, even when their dtype is not known here. Patterns may hold
// any number of '*', each standing for any text: "*.position_ids", "optimizer.*".
[[nodiscard]] std::unique_ptr<Checkpoint> open_checkpoint(
    const std::filesystem::path& path, const std::vector<std::string>& ignored = {});

// One line of a model's name table.
struct WeightRow {
    std::string name;
    Shape shape;  // of `target`, once loaded
    HostTensor* target = nullptr;
    bool transpose = false;  // the checkpoint holds the matrix as [shape[1], shape[0]]
    bool optional = false;   // when absent from the checkpoint, `target` stays as it is
};

struct LoadOptions {
    // Names in the checkpoint that need no row; patterns as for open_checkpoint.
    std::vector<std::string> ignored;
    // Row names turn into checkpoint names: strip_prefix is taken off where a row's name starts with it, then
    // add_prefix is put in front. A bare BertModel file read by a table of "bert." names: {.strip_prefix = "bert."}.
    std::string strip_prefix;
    std::string add_prefix;
};

// Fills the targets of all rows. Missing, surplus and misshapen names are reported together in one Error. No target
// changes unless everything loads.
void load_weights(const Checkpoint& checkpoint, std::span<const WeightRow> rows, const LoadOptions& options = {});

// A network's tensors by the names that a checkpoint has for them.
using NamedTensors = std::vector<std::pair<std::string, const HostTensor*>>;

// Those of a table of weights, whose rows have a name and a target.
template <class Rows>
[[nodiscard]] NamedTensors named_tensors(const Rows& rows) {
    NamedTensors result;
    for (const auto& row : rows) {
        result.emplace_back(row.name, row.target);
    }
    return result;
}

// Writes float32 tensors. The file appears under its name only once it is complete; an existing file is replaced.
void save_safetensors(
    const std::filesystem::path& path, std::span<const std::pair<std::string, const HostTensor*>> tensors,
    const std::map<std::string, std::string>& metadata = {});

// Whether `name` matches a pattern with '*' for any text, or one of several such patterns.
[[nodiscard]] bool matches_pattern(std::string_view name, std::string_view pattern);
[[nodiscard]] bool matches_any(std::string_view name, std::span<const std::string> patterns);

}  // namespace zoo
