// SPDX-License-Identifier: Apache-2.0
#include "core/host_codec.hpp"

#include <cstdint>
#include <cstring>
#include <string_view>

#include <tt-metalium/bfloat16.hpp>

#include "core/data_type.hpp"
#include "core/describe.hpp"
#include "core/fatal.hpp"
#include "kernels/formats.hpp"
#include "kernels/parallel.hpp"

namespace ttnn_cpu {

using tt::tt_metal::DataType;
using tt::tt_metal::TensorSpec;

// Where the logical rows of a tensor stand in its physical matrix.
struct RowMap {
    std::size_t logical_rows;  // of one slice
    std::size_t padded_rows;
    std::size_t slices;
    std::size_t logical_width;
    std::size_t padded_width;
};

namespace {

RowMap row_map(const TensorSpec& spec) {
    const auto& logical = spec.logical_shape();
    const auto& padded = spec.padded_shape();
    const std::size_t logical_rows = logical.rank() >= 2 ? logical[-2] : 1;
    const std::size_t padded_rows = padded.rank() >= 2 ? padded[-2] : 1;
    const std::size_t padded_height = spec.physical_shape().height();
    return {
        .logical_rows = logical_rows,
        .padded_rows = padded_rows,
        .slices = padded_rows == 0 ? 0 : padded_height / padded_rows,
        .logical_width = logical.rank() >= 1 ? logical[-1] : 1,
        .padded_width = spec.physical_shape().width()};
}

template <typename T>
constexpr std::string_view kTypeName = "";
template <>
constexpr std::string_view kTypeName<float> = "float";
template <>
constexpr std::string_view kTypeName<::bfloat16> = "bfloat16";
template <>
constexpr std::string_view kTypeName<std::uint32_t> = "uint32_t";
template <>
constexpr std::string_view kTypeName<std::int32_t> = "int32_t";
template <>
constexpr std::string_view kTypeName<std::uint16_t> = "uint16_t";
template <>
constexpr std::string_view kTypeName<std::uint8_t> = "uint8_t";

template <typename T>
constexpr DataType kPlainType = DataType::INVALID;
template <>
constexpr DataType kPlainType<float> = DataType::FLOAT32;
template <>
constexpr DataType kPlainType<::bfloat16> = DataType::BFLOAT16;
template <>
constexpr DataType kPlainType<std::uint32_t> = DataType::UINT32;
template <>
constexpr DataType kPlainType<std::int32_t> = DataType::INT32;
template <>
constexpr DataType kPlainType<std::uint16_t> = DataType::UINT16;
template <>
constexpr DataType kPlainType<std::uint8_t> = DataType::UINT8;

template <typename T>
void check_type(const TensorSpec& spec, std::string_view what) {
    const bool converts = std::is_same_v<T, float> && tt::tt_metal::is_floating_point(spec.data_type());
    TT_FATAL(
        converts || kPlainType<T> == spec.data_type(),
        "{}: elements of type {} do not go with a tensor of data type {}", what, kTypeName<T>,
        to_string(spec.data_type()));
}

// Calls fn(physical row, logical row or none) for every physical row; slices are shared out over threads.
template <typename Fn>
void for_each_row(const RowMap& map, Fn fn) {
    const std::size_t rows = map.slices * map.padded_rows;
    constexpr std::size_t kRowsPerChunk = 256;
    kernels::parallel_for(divide_up(rows, kRowsPerChunk), [&](std::size_t chunk) {
        std::vector<float> scratch(map.padded_width);
        const std::size_t end = std::min(rows, (chunk + 1) * kRowsPerChunk);
        for (std::size_t row = chunk * kRowsPerChunk; row < end; ++row) {
            const std::size_t slice = row / map.padded_rows;
            const std::size_t in_slice = row % map.padded_rows;
            const bool real = in_slice < map.logical_rows;
            fn(row, real, slice * map.logical_rows + in_slice, scratch);
        }
    });
}

}  // namespace

template <typename T>
void encode(std::span<const T> elements, const TensorSpec& spec, T pad_value, std::byte* storage) {
    check_type<T>(spec, "Tensor::from_span");
    TT_FATAL(
        elements.size() == spec.logical_shape().volume(),
        "Tensor::from_span: buffer of {} elements must match the volume {} of logical shape {}", elements.size(),
        spec.logical_shape().volume(), to_string(spec.logical_shape()));
    const RowMap map = row_map(spec);
    const std::size_t width = map.padded_width;
    if constexpr (std::is_same_v<T, float>) {
        const std::size_t total = map.slices * map.padded_rows * width;
        auto* bytes = reinterpret_cast<std::uint8_t*>(storage);
        const DataType dtype = spec.data_type();
        const auto pack = [&](const float* from, std::size_t at, std::size_t n) {
            switch (dtype) {
                case DataType::FLOAT32:
                    std::memcpy(bytes + at * 4, from, n * 4);
                    break;
                case DataType::BFLOAT16:
                    kernels::host_pack_bf16(from, n, reinterpret_cast<std::uint16_t*>(storage) + at);
                    break;
                case DataType::BFLOAT8_B:
                    kernels::host_pack_bfp8(from, n, bytes + at, bytes + total + at / 16);
                    break;
                default:
                    kernels::host_pack_bfp4(from, n, bytes + at / 2, bytes + total / 2 + at / 16);
            }
        };
        // Without padding rows follow each other: a call for each would cost more than a few values.
        if (total == elements.size()) {
            constexpr std::size_t kAtOnce = 16384;
            kernels::parallel_for(divide_up(total, kAtOnce), [&](std::size_t chunk) {
                const std::size_t at = chunk * kAtOnce;
                pack(elements.data() + at, at, std::min(kAtOnce, total - at));
            });
            return;
        }
        for_each_row(map, [&](std::size_t row, bool real, std::size_t logical_row, std::vector<float>& scratch) {
            std::fill(scratch.begin(), scratch.end(), pad_value);
            if (real) {
                std::copy_n(elements.data() + logical_row * map.logical_width, map.logical_width, scratch.data());
            }
            pack(scratch.data(), row * width, width);
        });
    } else {
        auto* out = reinterpret_cast<T*>(storage);
        for_each_row(map, [&](std::size_t row, bool real, std::size_t logical_row, std::vector<float>&) {
            T* const target = out + row * width;
            std::size_t filled = 0;
            if (real) {
                std::copy_n(elements.data() + logical_row * map.logical_width, map.logical_width, target);
                filled = map.logical_width;
            }
            std::fill(target + filled, target + width, pad_value);
        });
    }
}

template <typename T>
std::vector<T> decode(const std::byte* storage, const TensorSpec& spec) {
    check_type<T>(spec, "Tensor::to_vector");
    const RowMap map = row_map(spec);
    const std::size_t width = map.padded_width;
    std::vector<T> elements(spec.logical_shape().volume());
    if constexpr (std::is_same_v<T, float>) {
        const std::size_t total = map.slices * map.padded_rows * width;
        const auto* bytes = reinterpret_cast<const std::uint8_t*>(storage);
        const DataType dtype = spec.data_type();
        for_each_row(map, [&](std::size_t row, bool real, std::size_t logical_row, std::vector<float>& scratch) {
            if (!real) {
                return;
            }
            const std::size_t at = row * width;
            switch (dtype) {
                case DataType::FLOAT32:
                    std::memcpy(scratch.data(), bytes + at * 4, width * 4);
                    break;
                case DataType::BFLOAT16:
                    kernels::unpack_bf16(reinterpret_cast<const std::uint16_t*>(storage) + at, width, scratch.data());
                    break;
                case DataType::BFLOAT8_B:
                    kernels::unpack_bfp8(bytes + at, bytes + total + at / 16, width, scratch.data());
                    break;
                default:
                    kernels::unpack_bfp4(bytes + at / 2, bytes + total / 2 + at / 16, width, scratch.data());
            }
            std::copy_n(scratch.data(), map.logical_width, elements.data() + logical_row * map.logical_width);
        });
    } else {
        const auto* in = reinterpret_cast<const T*>(storage);
        for_each_row(map, [&](std::size_t row, bool real, std::size_t logical_row, std::vector<float>&) {
            if (real) {
                std::copy_n(in + row * width, map.logical_width, elements.data() + logical_row * map.logical_width);
            }
        });
    }
    return elements;
}

#define TTNN_CPU_INSTANTIATE(T)                                                    \
    template void encode<T>(std::span<const T>, const TensorSpec&, T, std::byte*); \
    template std::vector<T> decode<T>(const std::byte*, const TensorSpec&);
TTNN_CPU_INSTANTIATE(float)
TTNN_CPU_INSTANTIATE(::bfloat16)
TTNN_CPU_INSTANTIATE(std::uint32_t)
TTNN_CPU_INSTANTIATE(std::int32_t)
TTNN_CPU_INSTANTIATE(std::uint16_t)
TTNN_CPU_INSTANTIATE(std::uint8_t)
#undef TTNN_CPU_INSTANTIATE

}  // namespace ttnn_cpu
