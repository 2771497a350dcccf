// SPDX-License-Identifier: Apache-2.0
#include "element_type.hpp"

#include <array>
#include <bit>
#include <cassert>
#include <cstdint>
#include <cstring>
#include <limits>

namespace zoo {
namespace {

static_assert(std::endian::native == std::endian::little, "checkpoints are read as they lie in the file");

struct Half {
    std::uint16_t bits;
};
struct Bfloat16 {
    std::uint16_t bits;
};
struct Boolean {
    std::uint8_t bits;
};

float widen(Bfloat16 value) { return std::bit_cast<float>(static_cast<std::uint32_t>(value.bits) << 16U); }
float widen(Boolean value) { return value.bits != 0 ? 1.0F : 0.0F; }

float widen(Half value) {
    const std::uint32_t sign = static_cast<std::uint32_t>(value.bits & 0x8000U) << 16U;
    const std::uint32_t rest = static_cast<std::uint32_t>(value.bits & 0x7FFFU) << 13U;
    if ((value.bits & 0x7C00U) == 0x7C00U) {
        return std::bit_cast<float>(sign | rest | 0x7F800000U);
    }
    // The exponent bias grows from 15 to 127; the product is exact, also for what is subnormal in 16 bits.
    return std::bit_cast<float>(sign | std::bit_cast<std::uint32_t>(std::bit_cast<float>(rest) * 0x1p112F));
}

float widen(double value) {
    // Out of range is undefined for a plain conversion; infinity is what rounding to nearest gives. Half a step past
    // the largest float is where rounding starts to reach it.
    constexpr double kLimit = 0x1.ffffffp127;
    if (value >= kLimit) {
        return std::numeric_limits<float>::infinity();
    }
    if (value <= -kLimit) {
        return -std::numeric_limits<float>::infinity();
    }
    return static_cast<float>(value);
}

template <class T>
float widen(T value) {
    return static_cast<float>(value);
}

template <class T>
std::vector<float> convert(std::span<const std::byte> bytes) {
    std::vector<float> values(bytes.size() / sizeof(T));
    for (std::size_t i = 0; i < values.size(); ++i) {
        T element;
        std::memcpy(&element, bytes.data() + i * sizeof(T), sizeof(T));
        values[i] = widen(element);
    }
    return values;
}

template <>
std::vector<float> convert<float>(std::span<const std::byte> bytes) {
    std::vector<float> values(bytes.size() / sizeof(float));
    if (!values.empty()) {
        std::memcpy(values.data(), bytes.data(), values.size() * sizeof(float));
    }
    return values;
}

struct ElementType {
    std::string_view name;
    std::size_t bytes;
    std::vector<float> (*convert)(std::span<const std::byte>);
};

constexpr std::array kElementTypes{
    ElementType{"F64", 8, convert<double>},       ElementType{"F32", 4, convert<float>},
    ElementType{"F16", 2, convert<Half>},         ElementType{"BF16", 2, convert<Bfloat16>},
    ElementType{"I64", 8, convert<std::int64_t>}, ElementType{"U64", 8, convert<std::uint64_t>},
    ElementType{"I32", 4, convert<std::int32_t>}, ElementType{"U32", 4, convert<std::uint32_t>},
    ElementType{"I16", 2, convert<std::int16_t>}, ElementType{"U16", 2, convert<std::uint16_t>},
    ElementType{"I8", 1, convert<std::int8_t>},   ElementType{"U8", 1, convert<std::uint8_t>},
    ElementType{"BOOL", 1, convert<Boolean>},
};

const ElementType* find(std::string_view dtype) {
    for (const ElementType& type : kElementTypes) {
        if (type.name == dtype) {
            return &type;
        }
    }
    return nullptr;
}

}  // namespace

std::optional<std::size_t> element_bytes(std::string_view dtype) {
    const ElementType* type = find(dtype);
    return type == nullptr ? std::nullopt : std::optional(type->bytes);
}

std::string_view known_dtypes() { return "F64 F32 F16 BF16 I64 U64 I32 U32 I16 U16 I8 U8 BOOL"; }

std::vector<float> to_float32(std::string_view dtype, std::span<const std::byte> bytes) {
    const ElementType* type = find(dtype);
    assert(type != nullptr && bytes.size() % type->bytes == 0);
    return type->convert(bytes);
}

}  // namespace zoo
