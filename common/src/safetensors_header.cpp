// SPDX-License-Identifier: Apache-2.0
#include "safetensors_header.hpp"

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "json_file.hpp"
#include "message.hpp"
#include "zoo/error.hpp"

namespace zoo {
namespace {

using nlohmann::json;

constexpr std::string_view kMetadataKey = "__metadata__";
constexpr std::size_t kMaxListLength = 64;

// Takes the header as a stream of JSON events: a hostile file cannot make it build anything but tensor entries.
// Where in the header the next event stands:
//   Start { Names "name": Entry { "shape": List [..], ... }, "__metadata__": Metadata { "key": "value" } } Done
class HeaderReader final : public json::json_sax_t {
public:
    explicit HeaderReader(std::string_view source) : source_(source) {}

    SafetensorsHeader take() { return std::move(header_); }

    bool null() override { refuse("null"); }
    bool boolean(bool) override { refuse("a boolean"); }
    bool binary(json::binary_t&) override { refuse("binary data"); }
    bool number_float(double, const std::string& text) override { refuse("the number " + in_quotes(text, 40)); }

    bool number_integer(std::int64_t value) override {
        // The parser sends what is not negative to number_unsigned.
        refuse("the negative number " + std::to_string(value));
    }

    bool number_unsigned(std::uint64_t value) override {
        if (place_ != Place::List || value > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) {
            refuse("the number " + std::to_string(value));
        }
        if (list_->size() == kMaxListLength) {
            fail_here(key_, " has more than ", kMaxListLength, " items");
        }
        list_->push_back(static_cast<std::int64_t>(value));
        return true;
    }

    bool string(std::string& value) override {
        if (place_ == Place::Metadata) {
            if (!header_.metadata.emplace(key_, value).second) {
                fail("safetensors", source_, ": metadata key ", in_quotes(key_), " is given twice");
            }
        } else if (place_ == Place::Entry && key_ == "dtype") {
            dtype_ = value;
        } else {
            refuse("the string " + in_quotes(value, 40));
        }
        return true;
    }

    bool start_object(std::size_t) override {
        if (place_ == Place::Start) {
            place_ = Place::Names;
        } else if (place_ == Place::Names && name_ == kMetadataKey) {
            place_ = Place::Metadata;
        } else if (place_ == Place::Names) {
            place_ = Place::Entry;
            dtype_.reset();
            shape_.reset();
            offsets_.reset();
        } else {
            refuse("an object");
        }
        return true;
    }

    bool key(std::string& value) override {
        if (place_ == Place::Names) {
            name_ = value;
            return true;
        }
        key_ = value;
        if (place_ == Place::Entry) {
            const bool known = key_ == "dtype" || key_ == "shape" || key_ == "data_offsets";
            if (!known) {
                fail_here("has the field ", in_quotes(key_, 40), "; only dtype, shape and data_offsets exist");
            }
            if ((key_ == "dtype" && dtype_) || (key_ == "shape" && shape_) || (key_ == "data_offsets" && offsets_)) {
                fail_here(key_, " is given twice");
            }
        }
        return true;
    }

    bool start_array(std::size_t) override {
        if (place_ != Place::Entry || key_ == "dtype") {
            refuse("a list");
        }
        list_ = &(key_ == "shape" ? shape_ : offsets_).emplace();
        place_ = Place::List;
        return true;
    }

    bool end_array() override {
        place_ = Place::Entry;
        return true;
    }

    bool end_object() override {
        if (place_ == Place::Names) {
            place_ = Place::Done;
            return true;
        }
        if (place_ == Place::Entry) {
            add_entry();
        }
        place_ = Place::Names;
        return true;
    }

    bool parse_error(std::size_t position, const std::string&, const json::exception& error) override {
        fail(
            "safetensors", source_, ": the header is not JSON at its byte ", position, ": ",
            in_quotes(complaint_of(error), 160));
    }

private:
    enum class Place { Start, Names, Entry, List, Metadata, Done };

    template <class... Parts>
    [[noreturn]] void fail_here(Parts&&... parts) const {
        fail("safetensors", source_, ": tensor ", in_quotes(name_), ": ", std::forward<Parts>(parts)...);
    }

    [[noreturn]] void refuse(const std::string& what) const {
        switch (place_) {
            case Place::Start:
            case Place::Done:
                fail("safetensors", source_, ": the header holds ", what, "; it must be a JSON object");
            case Place::Names:
                fail_here("is ", what, "; it must be an object");
            case Place::Metadata:
                fail("safetensors", source_, ": metadata ", in_quotes(key_), " is ", what, "; it must be a string");
            default:
                fail_here(key_, " holds ", what, "; dtype is a string, the others list integers from 0 to 2^63 - 1");
        }
    }

    void add_entry() {
        if (!dtype_ || !shape_ || !offsets_) {
            fail_here("has no ", !dtype_ ? "dtype" : !shape_ ? "shape" : "data_offsets");
        }
        if (offsets_->size() != 2) {
            fail_here("data_offsets has ", offsets_->size(), " items; 2 are needed, begin and end");
        }
        header_.entries.push_back(
            {.info = {.name = name_, .dtype = *dtype_, .shape = *shape_},
             .begin = static_cast<std::uint64_t>((*offsets_)[0]),
             .end = static_cast<std::uint64_t>((*offsets_)[1])});
    }

    std::string_view source_;
    SafetensorsHeader header_;
    Place place_ = Place::Start;
    std::string name_;
    std::string key_;
    std::optional<std::string> dtype_;
    std::optional<Shape> shape_;
    std::optional<Shape> offsets_;
    Shape* list_ = nullptr;
};

}  // namespace

SafetensorsHeader parse_safetensors_header(std::string_view source, std::string_view text) {
    HeaderReader reader(source);
    json::sax_parse(text.begin(), text.end(), &reader);
    SafetensorsHeader header = reader.take();
    std::sort(header.entries.begin(), header.entries.end(), [](const auto& a, const auto& b) {
        return a.info.name < b.info.name;
    });
    const auto twice = std::adjacent_find(
        header.entries.begin(), header.entries.end(),
        [](const auto& a, const auto& b) { return a.info.name == b.info.name; });
    if (twice != header.entries.end()) {
        fail("safetensors", source, ": tensor ", in_quotes(twice->info.name), " is given twice");
    }
    return header;
}

}  // namespace zoo
