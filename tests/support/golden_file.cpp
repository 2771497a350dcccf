// SPDX-License-Identifier: Apache-2.0
#include "support/golden_file.hpp"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>

namespace zoo::testing {
namespace {

const std::string kFolder = std::string(ZOO_TEST_DATA_DIR) + "/golden/";
const std::string kExtension = ".safetensors";

}  // namespace

const GoldenTensor& GoldenFile::at(const std::string& name) const {
    const auto found = tensors.find(name);
    if (found == tensors.end()) {
        throw std::runtime_error("the golden file has no tensor '" + name + "'");
    }
    return found->second;
}

GoldenFile read_golden(const std::string& name) {
    const std::string path = kFolder + name + kExtension;
    std::ifstream file(path, std::ios::binary);
    const std::string bytes((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
    std::uint64_t header_bytes = 0;
    if (bytes.size() < sizeof(header_bytes)) {
        throw std::runtime_error("no golden file at " + path);
    }
    std::memcpy(&header_bytes, bytes.data(), sizeof(header_bytes));
    if (header_bytes > bytes.size() - sizeof(header_bytes)) {
        throw std::runtime_error("the header of " + path + " is longer than the file");
    }
    const auto header = nlohmann::json::parse(bytes.substr(sizeof(header_bytes), header_bytes));
    const std::size_t data_start = sizeof(header_bytes) + header_bytes;

    GoldenFile golden;
    for (const auto& [key, entry] : header.items()) {
        if (key == "__metadata__") {
            golden.args = nlohmann::json::parse(entry.value("args", "{}"));
            continue;
        }
        const auto first = entry.at("data_offsets").at(0).get<std::size_t>();
        const auto last = entry.at("data_offsets").at(1).get<std::size_t>();
        if (entry.at("dtype") != "F32" || first > last || data_start + last > bytes.size()) {
            throw std::runtime_error("tensor '" + key + "' of " + path + " is not float32 or lies outside the file");
        }
        GoldenTensor tensor{
            entry.at("shape").get<std::vector<std::size_t>>(), std::vector<float>((last - first) / sizeof(float))};
        std::memcpy(tensor.values.data(), bytes.data() + data_start + first, tensor.values.size() * sizeof(float));
        golden.tensors.emplace(key, std::move(tensor));
    }
    return golden;
}

std::vector<std::string> golden_names(const std::string& prefix) {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(kFolder)) {
        const std::string name = entry.path().filename().string();
        if (name.starts_with(prefix) && name.ends_with(kExtension)) {
            names.push_back(name.substr(0, name.size() - kExtension.size()));
        }
    }
    std::sort(names.begin(), names.end());
    return names;
}

}  // namespace zoo::testing
