// SPDX-License-Identifier: Apache-2.0
#include "aten/aten_reports.hpp"

#include <algorithm>
#include <fstream>
#include <map>
#include <set>
#include <system_error>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "zoo/error.hpp"
#include "zoo/write_file.hpp"

namespace zoo::apps::aten {

namespace {

using nlohmann::json;
namespace fs = std::filesystem;

using Graphs = std::map<std::string, json>;         // by model
using Counts = std::map<std::string, std::size_t>;  // how often a value occurs

void make_directory(const fs::path& directory) {
    std::error_code problem;
    fs::create_directories(directory, problem);
    if (problem) {
        fail("trace", "cannot make the directory ", directory.string(), ": ", problem.message());
    }
}

json json_of(const TensorInfo& tensor) { return {{"shape", tensor.shape}, {"dtype", tensor.dtype}}; }

json json_of(const Op& op) {
    json inputs = json::array();
    json values = json::array();
    for (const Argument& argument : op.arguments) {
        inputs.push_back(argument.tensors.empty() ? json::object() : json_of(argument.tensors.front()));
        values.push_back(argument.tensors.empty() ? json::parse(argument.value) : json("not_jsonable"));
    }
    json outputs = json::array();
    for (const TensorInfo& output : op.outputs) {
        outputs.push_back(json_of(output));
    }
    return {{"op_type", op.type}, {"inputs", inputs}, {"outputs", outputs}, {"args", values}};
}

Graphs read_raw(const fs::path& raw, const std::string& prefix) {
    Graphs graphs;
    for (const fs::directory_entry& entry : fs::directory_iterator(raw)) {
        const std::string name = entry.path().filename().string();
        if (!name.starts_with(prefix) || !name.ends_with(".json")) {
            continue;
        }
        std::ifstream file(entry.path());
        json graph = json::parse(file, nullptr, false);
        if (!graph.is_array()) {
            fail("trace", entry.path().string(), " is not a list of ops; remove it, or trace that model again");
        }
        graphs[name.substr(prefix.size(), name.size() - prefix.size() - 5)] = std::move(graph);
    }
    return graphs;
}

std::string csv_cell(const std::string& text) {
    if (text.find_first_of(",\"\n") == std::string::npos) {
        return text;
    }
    std::string quoted = "\"";
    for (const char c : text) {
        quoted += c;
        if (c == '"') {
            quoted += '"';
        }
    }
    return quoted + "\"";
}

void write_node_count(const Graphs& graphs, const fs::path& path) {
    std::set<std::string> types;
    std::map<std::string, Counts> counts;
    for (const auto& [model, graph] : graphs) {
        for (const json& op : graph) {
            const auto type = op.at("op_type").get<std::string>();
            types.insert(type);
            ++counts[model][type];
            ++counts[model]["_TOTAL_"];
        }
    }
    std::vector<std::string> titles{"_TOTAL_"};
    titles.insert(titles.end(), types.begin(), types.end());
    std::string text = "model_name";
    for (const std::string& title : titles) {
        text += "," + title;
    }
    Counts sums;
    for (auto& [model, row] : counts) {
        text += "\n" + csv_cell(model);
        for (const std::string& title : titles) {
            text += fmt::format(",{}", row[title]);
            sums[title] += row[title];
        }
    }
    text += "\nTOTAL";
    for (const std::string& title : titles) {
        text += fmt::format(",{}", sums[title]);
    }
    write_file(path, text + "\n");
}

// Bars over sizes: on a logarithmic axis, since sizes of one op span many orders.
std::string drawing(const std::string& title, const std::map<std::uint64_t, std::size_t>& sizes) {
    constexpr int kWidth = 640;
    constexpr int kRow = 22;
    std::size_t most = 1;
    for (const auto& [size, count] : sizes) {
        most = std::max(most, count);
    }
    const int height = 50 + kRow * static_cast<int>(sizes.size());
    std::string svg = fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{}\" height=\"{}\" font-family=\"sans-serif\" "
        "font-size=\"13\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n<text x=\"10\" y=\"24\" "
        "font-size=\"15\">{}: bytes, and how often</text>\n",
        kWidth, height, title);
    int y = 40;
    for (const auto& [size, count] : sizes) {
        const double width = 380.0 * static_cast<double>(count) / static_cast<double>(most);
        svg += fmt::format(
            "<text x=\"130\" y=\"{}\" text-anchor=\"end\">{}</text><rect x=\"140\" y=\"{}\" width=\"{:.1f}\" "
            "height=\"14\" "
            "fill=\"#4878a8\"/><text x=\"{:.1f}\" y=\"{}\">{}</text>\n",
            y + 12, size, y, width, 148 + width, y + 12, count);
        y += kRow;
    }
    return svg + "</svg>\n";
}

void write_sizes(const Graphs& graphs, const char* key, const fs::path& directory) {
    std::map<std::string, std::map<std::uint64_t, std::size_t>> sizes;  // of "aten.add.Tensor_0"
    for (const auto& [model, graph] : graphs) {
        for (const json& op : graph) {
            const json& tensors = op.at(key);
            for (std::size_t i = 0; i < tensors.size(); ++i) {
                if (!tensors[i].contains("shape")) {
                    continue;
                }
                const TensorInfo tensor{
                    tensors[i]["shape"].get<std::vector<std::int64_t>>(), tensors[i]["dtype"].get<std::string>()};
                ++sizes[fmt::format("{}_{}", op.at("op_type").get<std::string>(), i)]
                       [static_cast<std::uint64_t>(tensor.bytes())];
            }
        }
    }
    make_directory(directory);
    for (const auto& [name, distribution] : sizes) {
        std::string table = "bytes,count\n";
        for (const auto& [size, count] : distribution) {
            table += fmt::format("{},{}\n", size, count);
        }
        write_file(directory / (name + ".csv"), table);
        write_file(directory / (name + ".svg"), drawing(name, distribution));
    }
}

void write_arguments(const std::vector<Graphs>& all, const fs::path& directory) {
    std::map<std::string, std::map<std::size_t, Counts>> values;
    for (const Graphs& graphs : all) {
        for (const auto& [model, graph] : graphs) {
            for (const json& op : graph) {
                const json& arguments = op.at("args");
                for (std::size_t i = 0; i < arguments.size(); ++i) {
                    const bool text = arguments[i].is_string();
                    ++values[op.at("op_type").get<std::string>()][i]
                            [text ? arguments[i].get<std::string>() : arguments[i].dump()];
                }
            }
        }
    }
    make_directory(directory);
    for (const auto& [type, arguments] : values) {
        std::string table;
        for (const auto& [index, counts] : arguments) {
            std::vector<std::pair<std::string, std::size_t>> order(counts.begin(), counts.end());
            std::ranges::stable_sort(order, std::greater<>(), &std::pair<std::string, std::size_t>::second);
            std::string names = fmt::format("arg{}'s appeared value", index);
            std::string numbers = fmt::format("arg{}'s appeared value's count", index);
            for (const auto& [value, count] : order) {
                names += "," + csv_cell(value);
                numbers += fmt::format(",{}", count);
            }
            table += names + "\n" + numbers + "\n";
        }
        write_file(directory / (type + ".csv"), table);
    }
}

}  // namespace

double TensorInfo::bytes() const {
    double count = dtype == "torch.float64" || dtype == "torch.int64" ? 8 : dtype == "torch.bool" ? 1 : 4;
    for (const std::int64_t dim : shape) {
        count *= static_cast<double>(dim);
    }
    return count;
}

void write_raw(const std::vector<Op>& ops, const std::string& model, const fs::path& out) {
    make_directory(out / "raw");
    for (const bool backward : {false, true}) {
        json list = json::array();
        for (const Op& op : ops) {
            if (op.backward == backward) {
                list.push_back(json_of(op));
            }
        }
        if (!list.empty() || !backward) {
            write_file(out / "raw" / fmt::format("{}_{}.json", backward ? "bw" : "fw", model), list.dump(1) + "\n");
        }
    }
}

void write_profile(const Trace& trace, const std::string& model, const fs::path& out) {
    make_directory(out / "profile");
    json events = json::array();
    events.push_back({{"ph", "M"}, {"name", "process_name"}, {"pid", 1}, {"args", {{"name", model + ", libtorch"}}}});
    const auto track = [](const Op& op) { return op.backward ? 2 : 1; };
    const std::uint64_t start = trace.ops.empty() ? 0 : trace.ops.front().start_ns;
    const auto add = [&](const std::string& name, const char* category, int tid, std::uint64_t from, std::uint64_t to,
                         json arguments) {
        events.push_back(
            {{"ph", "X"},
             {"name", name},
             {"cat", category},
             {"pid", 1},
             {"tid", tid},
             {"ts", static_cast<double>(from - start) / 1000},
             {"dur", static_cast<double>(to - from) / 1000},
             {"args", std::move(arguments)}});
    };
    for (const int tid : {1, 2}) {
        if (std::ranges::any_of(trace.ops, [&](const Op& op) { return track(op) == tid; })) {
            events.push_back(
                {{"ph", "M"},
                 {"name", "thread_name"},
                 {"pid", 1},
                 {"tid", tid},
                 {"args", {{"name", tid == 1 ? "forward" : "backward"}}}});
        }
    }
    // A golden function lasts from its first op to its last.
    std::vector<std::pair<std::uint64_t, std::uint64_t>> lasts(trace.scopes.size(), {0, 0});
    for (const Op& op : trace.ops) {
        for (std::int64_t i = op.backward ? kNone : op.scope; i != kNone;
             i = trace.scopes[static_cast<std::size_t>(i)].parent) {
            auto& [first, last] = lasts[static_cast<std::size_t>(i)];
            first = first == 0 ? op.start_ns : first;
            last = op.start_ns + op.duration_ns;
        }
    }
    for (std::size_t i = 0; i < trace.scopes.size(); ++i) {
        if (lasts[i].first != 0) {
            add(trace.scopes[i].name, "module", 1, lasts[i].first, lasts[i].second, json::object());
        }
    }
    for (const Op& op : trace.ops) {
        json shapes = json::array();
        for (const Argument& argument : op.arguments) {
            for (const TensorInfo& tensor : argument.tensors) {
                shapes.push_back(tensor.shape);
            }
        }
        add(op.type, op.backward ? "backward" : "forward", track(op), op.start_ns, op.start_ns + op.duration_ns,
            {{"input_shapes", shapes}});
    }
    write_file(
        out / "profile" / (model + ".json"), json{{"displayTimeUnit", "ms"}, {"traceEvents", events}}.dump() + "\n");
}

void write_reports(const fs::path& out) {
    std::vector<Graphs> all;
    for (const std::string prefix : {"fw_", "bw_"}) {
        Graphs graphs = read_raw(out / "raw", prefix);
        if (graphs.empty()) {
            continue;
        }
        write_node_count(graphs, out / (prefix + "node_count.csv"));
        write_sizes(graphs, "inputs", out / (prefix + "total_input_size_dist"));
        write_sizes(graphs, "outputs", out / (prefix + "total_output_size_dist"));
        all.push_back(std::move(graphs));
    }
    write_arguments(all, out / "total_arguments");
}

}  // namespace zoo::apps::aten
