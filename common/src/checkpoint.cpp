// SPDX-License-Identifier: Apache-2.0
#include "zoo/checkpoint.hpp"

#include <algorithm>
#include <optional>
#include <set>

#include "message.hpp"
#include "zoo/error.hpp"
#include "zoo/pth.hpp"
#include "zoo/safetensors.hpp"
#include "zoo/tensor_bundle.hpp"
#include "zoo/tfjs.hpp"

namespace zoo {
namespace {

bool is_pth(const std::filesystem::path& path) {
    const std::string name = path.filename().string();
    return name.ends_with(".pth") || name.ends_with(".pt") || name == "pytorch_model.bin";
}

// The file of torch.save in a directory, if there is exactly one.
std::optional<std::filesystem::path> only_pth(const std::filesystem::path& directory) {
    std::optional<std::filesystem::path> found;
    for (const auto& entry : std::filesystem::directory_iterator(directory)) {
        if (is_pth(entry.path())) {
            if (found) {
                return std::nullopt;
            }
            found = entry.path();
        }
    }
    return found;
}

std::unique_ptr<Checkpoint> open_directory(const std::filesystem::path& path, const std::vector<std::string>& ignored) {
    if (exists(path / "model.safetensors")) {
        return open_safetensors(path / "model.safetensors", ignored);
    }
    if (exists(path / "model.safetensors.index.json")) {
        return open_safetensors_index(path / "model.safetensors.index.json", ignored);
    }
    if (exists(path / "variables.index")) {
        return open_tensor_bundle(path / "variables", ignored);
    }
    if (exists(path / "variables" / "variables.index")) {
        return open_tensor_bundle(path / "variables" / "variables", ignored);
    }
    if (exists(path / "model.json")) {
        return open_tfjs(path / "model.json", ignored);
    }
    if (const std::optional<std::filesystem::path> file = only_pth(path)) {
        return open_pth(*file, ignored);
    }
    fail(
        "open_checkpoint", path.string(),
        " holds none of model.safetensors, model.safetensors.index.json, variables.index, variables/variables.index, "
        "model.json, "
        "nor exactly one file of torch.save (.pth, .pt, pytorch_model.bin)");
}

std::string checkpoint_name(const std::string& row_name, const LoadOptions& options) {
    std::string_view name = row_name;
    if (name.starts_with(options.strip_prefix)) {
        name.remove_prefix(options.strip_prefix.size());
    }
    return options.add_prefix + std::string(name);
}

Shape stored_shape(const WeightRow& row) {
    if (!row.transpose) {
        return row.shape;
    }
    if (row.shape.size() != 2) {
        fail(
            "load_weights", "row ", in_quotes(row.name), " asks to transpose shape ", to_string(row.shape),
            "; only matrices can be");
    }
    return {row.shape[1], row.shape[0]};
}

// What is wrong with a checkpoint, gathered for one message.
struct Problems {
    std::vector<std::string> missing;
    std::vector<std::string> surplus;
    std::vector<std::string> misshapen;

    [[nodiscard]] bool empty() const { return missing.empty() && surplus.empty() && misshapen.empty(); }

    [[nodiscard]] std::string text() const {
        std::string result;
        const auto add = [&](std::string_view kind, const std::vector<std::string>& names) {
            if (!names.empty()) {
                result += "; " + std::to_string(names.size()) + " " + std::string(kind) + ": " + listed(names);
            }
        };
        add("missing", missing);
        add("surplus", surplus);
        add("misshapen", misshapen);
        return result;
    }
};

}  // namespace

const std::map<std::string, std::string>& Checkpoint::metadata() const {
    static const std::map<std::string, std::string> none;
    return none;
}

const TensorInfo* Checkpoint::find(std::string_view name) const {
    const auto& infos = tensors();
    const auto found = std::lower_bound(
        infos.begin(), infos.end(), name, [](const TensorInfo& info, std::string_view key) { return info.name < key; });
    return found != infos.end() && found->name == name ? &*found : nullptr;
}

std::unique_ptr<Checkpoint> open_checkpoint(
    const std::filesystem::path& path, const std::vector<std::string>& ignored) {
    std::error_code error;
    const std::filesystem::file_status status = std::filesystem::status(path, error);
    if (is_directory(status)) {
        return open_directory(path, ignored);
    }
    std::filesystem::path index = path;
    index += ".index";
    if (!exists(status) && std::filesystem::exists(index, error)) {
        return open_tensor_bundle(path, ignored);
    }
    if (!exists(status)) {
        fail("open_checkpoint", path.string(), " does not exist");
    }
    const std::string name = path.filename().string();
    if (name.ends_with(".safetensors")) {
        return open_safetensors(path, ignored);
    }
    if (name.ends_with(".index.json")) {
        return open_safetensors_index(path, ignored);
    }
    if (name == "model.json") {
        return open_tfjs(path, ignored);
    }
    if (name.ends_with(".index")) {
        return open_tensor_bundle(std::filesystem::path(path).replace_extension(), ignored);
    }
    if (is_pth(path)) {
        return open_pth(path, ignored);
    }
    fail(
        "open_checkpoint", path.string(),
        " has an unknown ending; known are .safetensors, .index.json, model.json, .index, .pth, .pt and "
        "pytorch_model.bin");
}

void load_weights(const Checkpoint& checkpoint, std::span<const WeightRow> rows, const LoadOptions& options) {
    Problems problems;
    std::vector<std::pair<const WeightRow*, const TensorInfo*>> matches;
    std::set<const TensorInfo*> used;
    for (const WeightRow& row : rows) {
        if (row.target == nullptr) {
            fail("load_weights", "row ", in_quotes(row.name), " has no target");
        }
        const std::string name = checkpoint_name(row.name, options);
        const TensorInfo* info = checkpoint.find(name);
        if (info == nullptr) {
            if (!row.optional) {
                problems.missing.push_back(in_quotes(name));
            }
            continue;
        }
        used.insert(info);
        if (const Shape stored = stored_shape(row); info->shape != stored) {
            problems.misshapen.push_back(
                in_quotes(name) + " is " + to_string(info->shape) + " where " + to_string(stored) + " is needed");
            continue;
        }
        matches.emplace_back(&row, info);
    }
    for (const TensorInfo& info : checkpoint.tensors()) {
        if (!used.contains(&info) && !matches_any(info.name, options.ignored)) {
            problems.surplus.push_back(in_quotes(info.name));
        }
    }
    if (!problems.empty()) {
        fail(
            "load_weights", checkpoint.source(), " does not fit the model of ", rows.size(), " weights",
            problems.text());
    }
    // Damaged data shows only now; targets change once everything is read.
    std::vector<HostTensor> loaded;
    for (const auto& [row, info] : matches) {
        HostTensor tensor = checkpoint.load(info->name);
        require_finite("load_weights", checkpoint.source(), in_quotes(info->name), tensor.data);
        loaded.push_back(row->transpose ? transpose(tensor) : std::move(tensor));
    }
    for (std::size_t i = 0; i < matches.size(); ++i) {
        *matches[i].first->target = std::move(loaded[i]);
    }
}

bool matches_pattern(std::string_view name, std::string_view pattern) {
    // Greedy: on a mismatch only the last '*' needs to take one more letter, so the time is bounded by the product of
    // the lengths.
    std::size_t at_name = 0;
    std::size_t at_pattern = 0;
    std::size_t star = std::string_view::npos;
    std::size_t star_name = 0;
    while (at_name < name.size()) {
        if (at_pattern < pattern.size() && pattern[at_pattern] == '*') {
            star = at_pattern++;
            star_name = at_name;
        } else if (at_pattern < pattern.size() && pattern[at_pattern] == name[at_name]) {
            ++at_pattern;
            ++at_name;
        } else if (star != std::string_view::npos) {
            at_pattern = star + 1;
            at_name = ++star_name;
        } else {
            return false;
        }
    }
    return pattern.find_first_not_of('*', at_pattern) == std::string_view::npos;
}

bool matches_any(std::string_view name, std::span<const std::string> patterns) {
    return std::any_of(
        patterns.begin(), patterns.end(), [&](const std::string& pattern) { return matches_pattern(name, pattern); });
}

}  // namespace zoo
