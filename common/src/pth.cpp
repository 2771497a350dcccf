// SPDX-License-Identifier: Apache-2.0
#include "zoo/pth.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <map>
#include <optional>
#include <utility>

#include "element_type.hpp"
#include "mapped_file.hpp"
#include "message.hpp"
#include "pickle.hpp"
#include "state_dict.hpp"
#include "stored_zip.hpp"
#include "wire_reader.hpp"
#include "zoo/error.hpp"

namespace zoo {
namespace {

constexpr std::string_view kWhere = "pth";
// What the first pickle of a stream must be, as the bytes of a number.
constexpr std::string_view kMagic("\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19", 10);
constexpr std::int64_t kStreamVersion = 1001;

using Bytes = std::span<const std::byte>;
using Kind = PickleNode::Kind;
using Ref = std::uint32_t;

class Pth final : public Checkpoint {
public:
    Pth(const std::filesystem::path& file, const std::vector<std::string>& ignored)
        : source_(file.string()), file_(kWhere, file) {
        const Bytes bytes = file_.bytes();
        static constexpr std::array kZip{std::byte{'P'}, std::byte{'K'}, std::byte{3}, std::byte{4}};
        if (bytes.size() >= kZip.size() && std::equal(kZip.begin(), kZip.end(), bytes.begin())) {
            read_zip(bytes);
        } else {
            read_stream(bytes);
        }
        std::erase_if(views_, [&](const auto& view) { return matches_any(view.first, ignored); });
        for (const auto& [name, view] : views_) {
            check(name, view);
            tensors_.push_back({.name = name, .dtype = std::string(view.storage.dtype), .shape = view.shape});
        }
    }

    const std::vector<TensorInfo>& tensors() const override { return tensors_; }
    std::string source() const override { return source_; }
    HostTensor load(std::string_view name) const override;

private:
    template <class... Parts>
    [[noreturn]] void refuse(Parts&&... parts) const {
        fail(kWhere, source_, ": ", std::forward<Parts>(parts)...);
    }

    void read_zip(Bytes bytes);
    void read_stream(Bytes bytes);
    void check(std::string_view name, const TensorView& view) const;

    std::string source_;
    MappedFile file_;
    std::vector<std::pair<std::string, TensorView>> views_;
    std::map<std::string, Bytes, std::less<>> storages_;
    std::vector<TensorInfo> tensors_;
};

// NAME/data.pkl and a member NAME/data/KEY for each storage.
void Pth::read_zip(Bytes bytes) {
    const auto members = read_stored_zip(source_, bytes);
    const auto main = std::find_if(members.begin(), members.end(), [](const auto& member) {
        const std::string& name = member.first;
        return name.ends_with("/data.pkl") && name.find('/') == name.size() - std::strlen("/data.pkl");
    });
    if (main == members.end()) {
        refuse("is a zip archive without a member NAME/data.pkl; torch.save writes one");
    }
    const std::string folder = main->first.substr(0, main->first.find('/'));
    if (const auto order = members.find(folder + "/byteorder"); order != members.end()) {
        const std::string_view text(reinterpret_cast<const char*>(order->second.data()), order->second.size());
        if (text != "little") {
            refuse("has the byte order ", in_quotes(text), "; only little is read");
        }
    }
    views_ = read_state_dict(source_, read_pickle(source_, main->second, state_dict_globals()));
    for (const auto& [name, view] : views_) {
        const auto data = members.find(folder + "/data/" + view.storage.key);
        if (data == members.end()) {
            refuse("tensor ", in_quotes(name), " needs the member ", in_quotes("data/" + view.storage.key));
        }
        storages_[view.storage.key] = data->second;
    }
}

// Pickles of a magic number, a version, facts of the system, the object and the list of storage keys; then, key by key, a
// number of elements and the elements.
void Pth::read_stream(Bytes bytes) {
    const auto next = [&] {
        Pickle pickle = read_pickle(source_, bytes, state_dict_globals());
        bytes = bytes.subspan(pickle.size);
        return pickle;
    };
    static constexpr std::byte kProto{0x80};
    if (bytes.empty() || bytes.front() != kProto) {
        refuse("is neither a zip archive nor a stream of pickles; torch.save writes either");
    }
    if (const Pickle magic = next(); magic.at(magic.root).kind != Kind::BigInt || magic.at(magic.root).text != kMagic) {
        refuse("is a pickle without the magic number of torch.save");
    }
    if (const Pickle version = next(); version.at(version.root).number != kStreamVersion) {
        refuse("has the stream version ", version.at(version.root).number, "; ", kStreamVersion, " is read");
    }
    const Pickle system = next();
    const PickleNode& facts = system.at(system.root);
    for (std::size_t i = 0; facts.kind == Kind::Dict && i < facts.items.size(); i += 2) {
        if (system.at(facts.items[i]).text == "little_endian" && system.at(facts.items[i + 1]).number == 0) {
            refuse("was written by a big-endian machine; only little-endian files are read");
        }
    }
    views_ = read_state_dict(source_, next());
    std::map<std::string_view, const TensorStorage*> asked;
    for (const auto& [name, view] : views_) {
        const TensorStorage* storage = asked.emplace(view.storage.key, &view.storage).first->second;
        if (storage->dtype != view.storage.dtype || storage->elements != view.storage.elements) {
            refuse("storage ", in_quotes(storage->key), " is described in two ways");
        }
    }
    const Pickle keys = next();
    if (keys.at(keys.root).kind != Kind::List) {
        refuse("the keys of the storages are no list");
    }
    WireReader reader(bytes);
    for (const Ref ref : keys.at(keys.root).items) {
        const std::string_view key = keys.at(ref).text;
        const auto found = asked.find(key);
        if (found == asked.end()) {
            refuse("storage ", in_quotes(key), " belongs to no tensor, so that its type and size are not known");
        }
        const auto elements = reader.fixed(8);
        std::uint64_t size = 0;
        const std::size_t width = *element_bytes(found->second->dtype);
        const bool known = elements && !__builtin_mul_overflow(*elements, width, &size);
        const auto data = known ? reader.bytes(size) : std::nullopt;
        if (!data) {
            refuse("storage ", in_quotes(key), " runs past the end of the file; it is cut off");
        }
        storages_[std::string(key)] = *data;
    }
    for (const auto& [key, storage] : asked) {
        if (!storages_.contains(key)) {
            refuse("storage ", in_quotes(key), " is not in the file");
        }
    }
}

void Pth::check(std::string_view name, const TensorView& view) const {
    const std::string where = "tensor " + in_quotes(name);
    const std::size_t width = *element_bytes(view.storage.dtype);
    const Bytes data = storages_.find(view.storage.key)->second;
    std::uint64_t size = 0;
    if (__builtin_mul_overflow(view.storage.elements, width, &size) || size != data.size()) {
        refuse(
            where, " has a storage of ", view.storage.elements, " ", view.storage.dtype, "; the file holds ",
            data.size(), " bytes of it");
    }
    if (view.shape.size() != view.stride.size()) {
        refuse(where, " has the shape ", to_string(view.shape), " and the stride ", to_string(view.stride));
    }
    const bool none = std::find(view.shape.begin(), view.shape.end(), 0) != view.shape.end();
    std::uint64_t count = none ? 0 : 1;
    bool counted = true;
    for (const std::int64_t extent : view.shape) {
        counted = counted && (none || !__builtin_mul_overflow(count, extent, &count));
    }
    if (!counted || count > view.storage.elements) {
        refuse(
            where, " of shape ", to_string(view.shape), " has more elements than its storage of ",
            view.storage.elements, "; repeated elements are not read");
    }
    // One past the last element that is read.
    std::uint64_t end = count == 0 ? 0 : view.offset;
    bool fits = count == 0 || !__builtin_add_overflow(end, 1, &end);
    for (std::size_t i = 0; count != 0 && i < view.shape.size(); ++i) {
        std::uint64_t reach = 0;
        fits = fits && !__builtin_mul_overflow(view.shape[i] - 1, view.stride[i], &reach) &&
               !__builtin_add_overflow(end, reach, &end);
    }
    if (!fits || end > view.storage.elements) {
        refuse(
            where, " of shape ", to_string(view.shape), ", stride ", to_string(view.stride), " and offset ",
            view.offset, " runs past its storage of ", view.storage.elements, " elements");
    }
}

HostTensor Pth::load(std::string_view name) const {
    const TensorInfo* info = find(name);
    if (info == nullptr) {
        refuse("has no tensor ", in_quotes(name));
    }
    const TensorView& view = views_[static_cast<std::size_t>(info - tensors_.data())].second;
    const Bytes data = storages_.find(view.storage.key)->second;
    const std::size_t width = *element_bytes(view.storage.dtype);
    const std::size_t count = element_count(view.shape);
    if (count == 0) {
        return {.shape = view.shape, .data = {}};
    }
    Shape dense(view.shape.size(), 1);
    for (std::size_t i = dense.size(); i > 1; --i) {
        dense[i - 2] = dense[i - 1] * view.shape[i - 1];
    }
    if (dense == view.stride) {
        return {.shape = view.shape, .data = to_float32(info->dtype, data.subspan(view.offset * width, count * width))};
    }
    // Gathers element by element: strided tensors are rare and small.
    std::vector<std::byte> gathered(count * width);
    Shape index(view.shape.size(), 0);
    for (std::size_t i = 0; i < count; ++i) {
        std::uint64_t at = view.offset;
        for (std::size_t d = 0; d < index.size(); ++d) {
            at += static_cast<std::uint64_t>(index[d] * view.stride[d]);
        }
        std::memcpy(gathered.data() + i * width, data.data() + at * width, width);
        for (std::size_t d = index.size(); d > 0 && ++index[d - 1] == view.shape[d - 1]; --d) {
            index[d - 1] = 0;
        }
    }
    return {.shape = view.shape, .data = to_float32(info->dtype, gathered)};
}

}  // namespace

std::unique_ptr<Checkpoint> open_pth(const std::filesystem::path& file, const std::vector<std::string>& ignored) {
    return std::make_unique<Pth>(file, ignored);
}

}  // namespace zoo
