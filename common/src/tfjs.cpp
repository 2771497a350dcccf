// SPDX-License-Identifier: Apache-2.0
#include "zoo/tfjs.hpp"

#include <algorithm>
#include <cstddef>
#include <map>
#include <nlohmann/json.hpp>
#include <utility>

#include "element_type.hpp"
#include "json_file.hpp"
#include "mapped_file.hpp"
#include "message.hpp"
#include "zoo/error.hpp"

namespace zoo {
namespace {

constexpr const char* kWhere = "open_tfjs";

// Where a tensor lies in the bytes of its group's shards, one after the other.
struct Place {
    std::size_t group = 0;
    std::size_t offset = 0;
    std::size_t bytes = 0;
};

class Tfjs : public Checkpoint {
public:
    Tfjs(const std::filesystem::path& file, const std::vector<std::string>& ignored) : source_(file.string()) {
        const nlohmann::json model = read_json_object(kWhere, file);
        const auto manifest = model.find("weightsManifest");
        if (manifest == model.end() || !manifest->is_array()) {
            fail(kWhere, source_, " has no list weightsManifest; it is no TensorFlow.js model");
        }
        try {
            for (const nlohmann::json& group : *manifest) {
                add_group(group, file.parent_path(), ignored);
            }
        } catch (const nlohmann::json::exception&) {
            fail(
                kWhere, source_,
                ": weightsManifest is not as TensorFlow.js writes it: paths and weights with name, shape, dtype");
        }
        std::sort(infos_.begin(), infos_.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
    }

    [[nodiscard]] const std::vector<TensorInfo>& tensors() const override { return infos_; }
    [[nodiscard]] std::string source() const override { return source_; }

    [[nodiscard]] HostTensor load(std::string_view name) const override {
        const TensorInfo* info = find(name);
        if (info == nullptr) {
            fail(kWhere, source_, " has no tensor ", in_quotes(name));
        }
        const Place& place = places_.find(name)->second;
        std::vector<std::byte> bytes;
        bytes.reserve(place.bytes);
        std::size_t begin = place.offset;
        for (const MappedFile& shard : groups_[place.group]) {
            const std::span<const std::byte> all = shard.bytes();
            if (begin < all.size() && bytes.size() < place.bytes) {
                const auto part = all.subspan(begin, std::min(all.size() - begin, place.bytes - bytes.size()));
                bytes.insert(bytes.end(), part.begin(), part.end());
            }
            begin -= std::min(begin, all.size());
        }
        return {info->shape, to_float32(info->dtype, bytes)};
    }

private:
    void add_group(
        const nlohmann::json& group, const std::filesystem::path& directory, const std::vector<std::string>& ignored) {
        std::size_t held = 0;
        std::vector<MappedFile>& shards = groups_.emplace_back();
        for (const nlohmann::json& path : group.at("paths")) {
            const auto& name = path.get_ref<const std::string&>();
            // A model may be someone else's: its shards are beside it and nowhere else.
            if (name.empty() || name.front() == '.' || name.find_first_of("/\\") != std::string::npos) {
                fail(kWhere, source_, ": shard ", in_quotes(name), " is no plain file name");
            }
            held += shards.emplace_back(kWhere, directory / name).bytes().size();
        }
        std::size_t offset = 0;
        for (const nlohmann::json& weight : group.at("weights")) {
            TensorInfo info{weight.at("name").get<std::string>(), word(weight), weight.at("shape").get<Shape>()};
            const std::size_t bytes = element_count(info.shape) * element_bytes(info.dtype).value();
            if (bytes > held - offset) {
                fail(
                    kWhere, source_, ": tensor ", in_quotes(info.name), " ends ", bytes - (held - offset),
                    " bytes behind its shards, which hold ", held);
            }
            if (!matches_any(info.name, ignored)) {
                if (!places_.emplace(info.name, Place{groups_.size() - 1, offset, bytes}).second) {
                    fail(kWhere, source_, ": tensor ", in_quotes(info.name), " is there twice");
                }
                infos_.push_back(std::move(info));
            }
            offset += bytes;
        }
        if (offset != held) {
            fail(kWhere, source_, ": the shards hold ", held, " bytes; their tensors are ", offset);
        }
    }

    // safetensors' word for the dtype of a weight.
    [[nodiscard]] std::string word(const nlohmann::json& weight) const {
        const auto& name = weight.at("name").get_ref<const std::string&>();
        const auto& dtype = weight.at("dtype").get_ref<const std::string&>();
        if (weight.contains("quantization")) {
            fail(kWhere, source_, ": tensor ", in_quotes(name), " is quantised; only plain numbers are read");
        }
        static const std::map<std::string, std::string, std::less<>> kWords{
            {"float32", "F32"}, {"float16", "F16"}, {"int32", "I32"}, {"uint8", "U8"}, {"bool", "BOOL"}};
        const auto found = kWords.find(dtype);
        if (found == kWords.end() || !element_bytes(found->second)) {
            fail(kWhere, source_, ": tensor ", in_quotes(name), " has dtype ", in_quotes(dtype), ", which is not read");
        }
        return found->second;
    }

    std::string source_;
    std::vector<TensorInfo> infos_;
    std::map<std::string, Place, std::less<>> places_;
    std::vector<std::vector<MappedFile>> groups_;
};

}  // namespace

std::unique_ptr<Checkpoint> open_tfjs(
    const std::filesystem::path& model_json, const std::vector<std::string>& ignored) {
    return std::make_unique<Tfjs>(model_json, ignored);
}

}  // namespace zoo
