// SPDX-License-Identifier: Apache-2.0
#include "json_file.hpp"

#include <set>
#include <string>
#include <vector>

#include "mapped_file.hpp"
#include "message.hpp"
#include "zoo/error.hpp"

namespace zoo {

using nlohmann::json;

json parse_json_object(std::string_view where, std::string_view source, std::string_view text) {
    constexpr int kMaxDepth = 64;
    std::vector<std::set<std::string>> seen;
    const auto watch = [&](int depth, json::parse_event_t event, json& parsed) {
        if (depth > kMaxDepth) {
            fail(where, source, ": JSON nests deeper than ", kMaxDepth);
        }
        if (event == json::parse_event_t::object_start) {
            seen.emplace_back();
        } else if (event == json::parse_event_t::object_end) {
            seen.pop_back();
        } else if (event == json::parse_event_t::key) {
            const auto& key = parsed.get_ref<const std::string&>();
            if (!seen.back().insert(key).second) {
                fail(where, source, ": key ", in_quotes(key), " is given twice");
            }
        }
        return true;
    };
    json document;
    try {
        document = json::parse(text.begin(), text.end(), watch);
    } catch (const json::exception& error) {
        fail(where, source, ": not JSON: ", in_quotes(complaint_of(error), 160));
    }
    if (!document.is_object()) {
        fail(where, source, ": holds a JSON ", document.type_name(), "; an object is needed");
    }
    return document;
}

json read_json_object(std::string_view where, const std::filesystem::path& file) {
    constexpr std::size_t kMaxBytes = 32'000'000;
    const MappedFile mapped(where, file);
    const auto bytes = mapped.bytes();
    if (bytes.size() > kMaxBytes) {
        fail(where, file.string(), ": has ", bytes.size(), " bytes; at most ", kMaxBytes, " are read");
    }
    return parse_json_object(where, file.string(), {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

}  // namespace zoo
