// SPDX-License-Identifier: Apache-2.0
#include "state_dict.hpp"

#include <algorithm>
#include <array>

#include "message.hpp"
#include "zoo/error.hpp"

namespace zoo {
namespace {

constexpr std::string_view kWhere = "pth";
constexpr std::size_t kMaxDepth = 32;
constexpr std::size_t kMaxRank = 64;
constexpr std::size_t kMaxVisits = 2'000'000;

constexpr std::string_view kRebuildTensor = "torch._utils _rebuild_tensor";
constexpr std::string_view kRebuildTensor2 = "torch._utils _rebuild_tensor_v2";
constexpr std::string_view kRebuildParameter = "torch._utils _rebuild_parameter";

// clang-format off
constexpr std::array<std::pair<std::string_view, std::string_view>, 10> kStorages{{
    {"torch FloatStorage", "F32"}, {"torch DoubleStorage", "F64"}, {"torch HalfStorage", "F16"},
    {"torch BFloat16Storage", "BF16"}, {"torch LongStorage", "I64"}, {"torch IntStorage", "I32"},
    {"torch ShortStorage", "I16"}, {"torch CharStorage", "I8"}, {"torch ByteStorage", "U8"},
    {"torch BoolStorage", "BOOL"},
}};
// clang-format on

using Kind = PickleNode::Kind;
using Ref = std::uint32_t;

// Turns the nodes of a pickle into named tensors.
class StateDict {
public:
    StateDict(const std::string& source, const Pickle& pickle) : source_(source), pickle_(pickle) {
        visit("", pickle.root, 0);
        std::sort(views_.begin(), views_.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
        for (std::size_t i = 1; i < views_.size(); ++i) {
            if (views_[i].first == views_[i - 1].first) {
                refuse(views_[i].first, "appears twice");
            }
        }
    }

    std::vector<std::pair<std::string, TensorView>> take() && { return std::move(views_); }

private:
    template <class... Parts>
    [[noreturn]] void refuse(std::string_view name, Parts&&... parts) const {
        fail(kWhere, source_, ": ", in_quotes(name), " ", std::forward<Parts>(parts)...);
    }

    void visit(const std::string& name, Ref ref, std::size_t depth) {
        if (depth > kMaxDepth) {
            refuse(name, "lies deeper than ", kMaxDepth, " containers; a container may hold itself");
        }
        if (++visits_ > kMaxVisits) {
            refuse(name, "is beyond the first ", kMaxVisits, " values; containers may hold each other over and over");
        }
        const PickleNode& node = pickle_.at(ref);
        const auto below = [&](const std::string& key) { return name.empty() ? key : name + "." + key; };
        if (node.kind == Kind::Dict) {
            for (std::size_t i = 0; i < node.items.size(); i += 2) {
                visit(below(key_text(name, pickle_.at(node.items[i]))), node.items[i + 1], depth + 1);
            }
        } else if (node.kind == Kind::List || node.kind == Kind::Tuple) {
            for (std::size_t i = 0; i < node.items.size(); ++i) {
                visit(below(std::to_string(i)), node.items[i], depth + 1);
            }
        } else if (node.kind == Kind::Call) {
            views_.emplace_back(name, read_view(name, node, depth));
        }
    }

    [[nodiscard]] std::string key_text(std::string_view name, const PickleNode& key) const {
        if (key.kind == Kind::Text) {
            return std::string(key.text);
        }
        if (key.kind == Kind::Int) {
            return std::to_string(key.number);
        }
        refuse(name, "is a dictionary with a key that is neither text nor a whole number");
    }

    [[nodiscard]] std::int64_t integer(std::string_view name, Ref ref, const char* what) const {
        const PickleNode& node = pickle_.at(ref);
        if (node.kind != Kind::Int || node.number < 0) {
            refuse(name, "has a ", what, " that is no whole number of at least 0");
        }
        return node.number;
    }

    [[nodiscard]] Shape integers(std::string_view name, Ref ref, const char* what) const {
        const PickleNode& node = pickle_.at(ref);
        if (node.kind != Kind::Tuple || node.items.size() > kMaxRank) {
            refuse(name, "has a ", what, " that is no tuple of at most ", kMaxRank, " numbers");
        }
        Shape values;
        for (const Ref item : node.items) {
            values.push_back(integer(name, item, what));
        }
        return values;
    }

    [[nodiscard]] TensorView read_view(const std::string& name, const PickleNode& call, std::size_t depth) const {
        if (call.text == kRebuildParameter && !call.items.empty() && depth <= kMaxDepth) {
            const PickleNode& tensor = pickle_.at(call.items.front());
            if (tensor.kind == Kind::Call) {
                return read_view(name, tensor, depth + 1);
            }
        }
        const bool tensor = call.text == kRebuildTensor || call.text == kRebuildTensor2;
        if (!tensor || call.items.size() < 4) {
            refuse(name, "is made by ", in_quotes(call.text), " with ", call.items.size(), " values; no tensor is");
        }
        return {
            .storage = read_storage(name, pickle_.at(call.items[0])),
            .offset = static_cast<std::uint64_t>(integer(name, call.items[1], "storage offset")),
            .shape = integers(name, call.items[2], "shape"),
            .stride = integers(name, call.items[3], "stride")};
    }

    // ("storage", type, key, location, elements); the older form ends with a view of another storage, or None.
    [[nodiscard]] TensorStorage read_storage(std::string_view name, const PickleNode& node) const {
        const PickleNode* id = node.kind == Kind::Persistent ? &pickle_.at(node.items.front()) : nullptr;
        if (id == nullptr || id->kind != Kind::Tuple || id->items.size() < 5 ||
            pickle_.at(id->items[0]).text != "storage") {
            refuse(name, "is no view of a storage");
        }
        const PickleNode& type = pickle_.at(id->items[1]);
        const auto* known = std::find_if(
            kStorages.begin(), kStorages.end(), [&](const auto& storage) { return storage.first == type.text; });
        if (type.kind != Kind::Global || known == kStorages.end()) {
            refuse(name, "has a storage of an unknown type ", in_quotes(type.text));
        }
        if (id->items.size() > 5 && pickle_.at(id->items[5]).kind != Kind::None) {
            refuse(name, "has a storage that is a view of another storage, which is not read");
        }
        const PickleNode& key = pickle_.at(id->items[2]);
        if (key.kind != Kind::Text) {
            refuse(name, "has a storage whose key is no text");
        }
        return {
            .dtype = known->second,
            .key = std::string(key.text),
            .elements = static_cast<std::uint64_t>(integer(name, id->items[4], "number of elements"))};
    }

    const std::string& source_;
    const Pickle& pickle_;
    std::size_t visits_ = 0;
    std::vector<std::pair<std::string, TensorView>> views_;
};

}  // namespace

std::span<const std::string_view> state_dict_globals() {
    static const std::vector<std::string_view> kGlobals = [] {
        std::vector<std::string_view> names{kRebuildTensor, kRebuildTensor2, kRebuildParameter};
        for (const auto& [name, dtype] : kStorages) {
            names.push_back(name);
        }
        return names;
    }();
    return kGlobals;
}

std::vector<std::pair<std::string, TensorView>> read_state_dict(const std::string& source, const Pickle& pickle) {
    return StateDict(source, pickle).take();
}

}  // namespace zoo
