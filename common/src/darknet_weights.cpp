// SPDX-License-Identifier: Apache-2.0
#include <cstring>

#include "mapped_file.hpp"
#include "message.hpp"
#include "zoo/darknet.hpp"
#include "zoo/error.hpp"

namespace zoo {
namespace {

constexpr const char* kWhere = "zoo::load_darknet_weights";

// Three int32 of the version, then how many pictures were seen: 64 bits since version 0.2, 32 before.
std::size_t header_size(const std::filesystem::path& file, std::span<const std::byte> bytes) {
    constexpr std::size_t kVersion = 12;
    std::int32_t version[2] = {0, 0};
    if (bytes.size() >= kVersion) {
        std::memcpy(version, bytes.data(), sizeof(version));
    }
    if (bytes.size() < kVersion || version[0] < 0 || version[0] > 1000 || version[1] < 0 || version[1] > 1000) {
        fail(kWhere, file.string(), " is no Darknet weights file: it does not start with a version");
    }
    const std::size_t size = kVersion + (version[0] * 10 + version[1] >= 2 ? 8 : 4);
    if (bytes.size() < size) {
        fail(kWhere, file.string(), " ends within its header: ", bytes.size(), " bytes of ", size);
    }
    return size;
}

struct Part {
    HostTensor* target;
    Shape shape;
    const std::string* convolution;
};

}  // namespace

void load_darknet_weights(const std::filesystem::path& file, std::span<const DarknetConv> convolutions) {
    const MappedFile mapped(kWhere, file);
    const std::size_t header = header_size(file, mapped.bytes());
    const std::span<const std::byte> values = mapped.bytes().subspan(header);

    std::vector<Part> parts;
    for (const DarknetConv& conv : convolutions) {
        for (HostTensor* vector : {conv.bias, conv.scale, conv.mean, conv.variance}) {
            if (vector != nullptr) {
                parts.push_back({vector, {conv.shape.front()}, &conv.name});
            }
        }
        parts.push_back({conv.weight, conv.shape, &conv.name});
    }
    std::size_t bytes = 0;
    for (const Part& part : parts) {
        bytes += element_count(part.shape) * sizeof(float);
        if (bytes > values.size()) {
            fail(
                kWhere, file.string(), " ends within ", *part.convolution, ": it holds ", values.size() / sizeof(float),
                " values, the convolutions up to that one take ", bytes / sizeof(float));
        }
    }
    if (bytes != values.size()) {
        fail(
            kWhere, file.string(), " holds ", values.size() - bytes, " bytes more than its ", convolutions.size(),
            " convolutions take (", bytes, ")");
    }

    std::vector<HostTensor> loaded;
    loaded.reserve(parts.size());
    const std::byte* from = values.data();
    for (const Part& part : parts) {
        HostTensor tensor{part.shape, std::vector<float>(element_count(part.shape))};
        std::memcpy(tensor.data.data(), from, tensor.size() * sizeof(float));
        from += tensor.size() * sizeof(float);
        require_finite(kWhere, file.string(), *part.convolution, tensor.data);
        loaded.push_back(std::move(tensor));
    }
    for (std::size_t i = 0; i < parts.size(); ++i) {
        *parts[i].target = std::move(loaded[i]);
    }
}

}  // namespace zoo
