// SPDX-License-Identifier: Apache-2.0
#include "kernels/stored_matrix.hpp"

#include <cassert>
#include <cstring>

#include "kernels/formats.hpp"

namespace ttnn_cpu::kernels {

using tt::tt_metal::DataType;

namespace {

// The planes of a block float and the places of an element in them.
template <typename Byte>
struct Planes {
    Byte* magnitudes;
    Byte* exponents;
};

template <typename Byte, typename Source>
Planes<Byte> planes(const StoredMatrix& matrix, Source* data, std::size_t first) {
    auto* bytes = reinterpret_cast<Byte*>(data);
    const bool nibbles = matrix.dtype == DataType::BFLOAT4_B;
    const std::size_t plane = nibbles ? matrix.size() / 2 : matrix.size();
    return {bytes + (nibbles ? first / 2 : first), bytes + plane + first / 16};
}

}  // namespace

void StoredMatrix::load_f32(const std::byte* data, std::size_t first, std::size_t n, float* out) const {
    switch (dtype) {
        case DataType::FLOAT32:
            std::memcpy(out, reinterpret_cast<const float*>(data) + first, n * sizeof(float));
            break;
        case DataType::BFLOAT16:
            unpack_bf16(reinterpret_cast<const std::uint16_t*>(data) + first, n, out);
            break;
        case DataType::BFLOAT8_B: {
            const auto at = planes<const std::uint8_t>(*this, data, first);
            unpack_bfp8(at.magnitudes, at.exponents, n, out);
            break;
        }
        case DataType::BFLOAT4_B: {
            const auto at = planes<const std::uint8_t>(*this, data, first);
            unpack_bfp4(at.magnitudes, at.exponents, n, out);
            break;
        }
        default:
            assert(false && "integers are not converted");
    }
}

void StoredMatrix::load_bf16(const std::byte* data, std::size_t first, std::size_t n, std::uint16_t* out) const {
    switch (dtype) {
        case DataType::BFLOAT16:
            std::memcpy(out, reinterpret_cast<const std::uint16_t*>(data) + first, n * sizeof(std::uint16_t));
            break;
        case DataType::BFLOAT8_B: {
            const auto at = planes<const std::uint8_t>(*this, data, first);
            unpack_bfp8_to_bf16(at.magnitudes, at.exponents, n, out);
            break;
        }
        case DataType::BFLOAT4_B: {
            const auto at = planes<const std::uint8_t>(*this, data, first);
            unpack_bfp4_to_bf16(at.magnitudes, at.exponents, n, out);
            break;
        }
        default:
            assert(false && "only for values that fit bfloat16");
    }
}

void StoredMatrix::store_f32(std::byte* data, std::size_t first, std::size_t n, const float* in) const {
    switch (dtype) {
        case DataType::FLOAT32:
            std::memcpy(reinterpret_cast<float*>(data) + first, in, n * sizeof(float));
            break;
        case DataType::BFLOAT16:
            pack_bf16(in, n, reinterpret_cast<std::uint16_t*>(data) + first);
            break;
        case DataType::BFLOAT8_B: {
            const auto at = planes<std::uint8_t>(*this, data, first);
            pack_bfp8(in, n, at.magnitudes, at.exponents);
            break;
        }
        case DataType::BFLOAT4_B: {
            const auto at = planes<std::uint8_t>(*this, data, first);
            pack_bfp4(in, n, at.magnitudes, at.exponents);
            break;
        }
        default:
            assert(false && "integers are not converted");
    }
}

void StoredMatrix::store_bf16(std::byte* data, std::size_t first, std::size_t n, const std::uint16_t* in) const {
    switch (dtype) {
        case DataType::FLOAT32:
            unpack_bf16(in, n, reinterpret_cast<float*>(data) + first);
            break;
        case DataType::BFLOAT16:
            std::memcpy(reinterpret_cast<std::uint16_t*>(data) + first, in, n * sizeof(std::uint16_t));
            break;
        case DataType::BFLOAT8_B: {
            const auto at = planes<std::uint8_t>(*this, data, first);
            pack_bfp8(in, n, at.magnitudes, at.exponents);
            break;
        }
        case DataType::BFLOAT4_B: {
            const auto at = planes<std::uint8_t>(*this, data, first);
            pack_bfp4(in, n, at.magnitudes, at.exponents);
            break;
        }
        default:
            assert(false && "integers are not converted");
    }
}

}  // namespace ttnn_cpu::kernels
