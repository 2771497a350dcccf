// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <nlohmann/json.hpp>
#include <set>

#include "json_file.hpp"
#include "message.hpp"
#include "pending_file.hpp"
#include "zoo/checkpoint.hpp"
#include "zoo/error.hpp"

namespace zoo {
namespace {

constexpr std::string_view kWhere = "save_safetensors";

using Entries = std::span<const std::pair<std::string, const HostTensor*>>;

std::string header_text(
    const std::filesystem::path& path, Entries tensors, const std::map<std::string, std::string>& metadata) {
    nlohmann::ordered_json header = nlohmann::ordered_json::object();
    if (!metadata.empty()) {
        header["__metadata__"] = metadata;
    }
    std::set<std::string_view> names{"__metadata__"};
    std::uint64_t offset = 0;
    for (const auto& [name, tensor] : tensors) {
        if (!names.insert(name).second) {
            fail(
                kWhere, path.string(), ": tensor ", in_quotes(name),
                name == "__metadata__" ? " has a reserved name" : " is given twice");
        }
        if (element_count(tensor->shape) != tensor->size()) {
            fail(
                kWhere, path.string(), ": tensor ", in_quotes(name), " has shape ", to_string(tensor->shape), " but ",
                tensor->size(), " values");
        }
        const std::uint64_t end = offset + tensor->size() * sizeof(float);
        header[name] = {{"dtype", "F32"}, {"shape", tensor->shape}, {"data_offsets", {offset, end}}};
        offset = end;
    }
    std::string text;
    try {
        text = header.dump();
    } catch (const nlohmann::json::exception& error) {
        fail(kWhere, path.string(), ": a name or the metadata is not UTF-8: ", in_quotes(complaint_of(error), 160));
    }
    // Spaces round the header up, so that the data is aligned once mapped.
    constexpr std::size_t kAlignment = 8;
    text.resize((text.size() + kAlignment - 1) / kAlignment * kAlignment, ' ');
    return text;
}

}  // namespace

void save_safetensors(
    const std::filesystem::path& path, Entries tensors, const std::map<std::string, std::string>& metadata) {
    const std::string header = header_text(path, tensors, metadata);
    PendingFile file(kWhere, path);
    const std::uint64_t length = header.size();
    file.write(&length, sizeof(length));
    file.write(header.data(), header.size());
    for (const auto& [name, tensor] : tensors) {
        file.write(tensor->data.data(), tensor->size() * sizeof(float));
    }
    file.commit();
}

}  // namespace zoo
