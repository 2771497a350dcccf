// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

// The two versions behind kernels/formats.hpp: same contracts, same bits.
namespace ttnn_cpu::kernels::portable {

void host_pack_bf16(const float* in, std::size_t n, std::uint16_t* out);
void pack_bf16(const float* in, std::size_t n, std::uint16_t* out);
void unpack_bf16(const std::uint16_t* in, std::size_t n, float* out);
void host_pack_bfp8(const float* in, std::size_t n, std::uint8_t* magnitudes, std::uint8_t* exponents);
void host_pack_bfp4(const float* in, std::size_t n, std::uint8_t* nibbles, std::uint8_t* exponents);
void pack_bfp8(const float* in, std::size_t n, std::uint8_t* magnitudes, std::uint8_t* exponents);
void pack_bfp8(const std::uint16_t* in, std::size_t n, std::uint8_t* magnitudes, std::uint8_t* exponents);
void pack_bfp8_precise(const float* in, std::size_t n, std::uint8_t* magnitudes, std::uint8_t* exponents);
void pack_bfp8_precise(const std::uint16_t* in, std::size_t n, std::uint8_t* magnitudes, std::uint8_t* exponents);
void pack_bfp4(const float* in, std::size_t n, std::uint8_t* nibbles, std::uint8_t* exponents);
void pack_bfp4(const std::uint16_t* in, std::size_t n, std::uint8_t* nibbles, std::uint8_t* exponents);
void unpack_bfp8(const std::uint8_t* magnitudes, const std::uint8_t* exponents, std::size_t n, float* out);
void unpack_bfp4(const std::uint8_t* nibbles, const std::uint8_t* exponents, std::size_t n, float* out);
void unpack_bfp8_to_bf16(
    const std::uint8_t* magnitudes, const std::uint8_t* exponents, std::size_t n, std::uint16_t* out);
void unpack_bfp4_to_bf16(const std::uint8_t* nibbles, const std::uint8_t* exponents, std::size_t n, std::uint16_t* out);

}  // namespace ttnn_cpu::kernels::portable

namespace ttnn_cpu::kernels::avx512 {

void host_pack_bf16(const float* in, std::size_t n, std::uint16_t* out);
void pack_bf16(const float* in, std::size_t n, std::uint16_t* out);
void unpack_bf16(const std::uint16_t* in, std::size_t n, float* out);
void host_pack_bfp8(const float* in, std::size_t n, std::uint8_t* magnitudes, std::uint8_t* exponents);
void host_pack_bfp4(const float* in, std::size_t n, std::uint8_t* nibbles, std::uint8_t* exponents);
void pack_bfp8(const float* in, std::size_t n, std::uint8_t* magnitudes, std::uint8_t* exponents);
void pack_bfp8(const std::uint16_t* in, std::size_t n, std::uint8_t* magnitudes, std::uint8_t* exponents);
void pack_bfp8_precise(const float* in, std::size_t n, std::uint8_t* magnitudes, std::uint8_t* exponents);
void pack_bfp8_precise(const std::uint16_t* in, std::size_t n, std::uint8_t* magnitudes, std::uint8_t* exponents);
void pack_bfp4(const float* in, std::size_t n, std::uint8_t* nibbles, std::uint8_t* exponents);
void pack_bfp4(const std::uint16_t* in, std::size_t n, std::uint8_t* nibbles, std::uint8_t* exponents);
void unpack_bfp8(const std::uint8_t* magnitudes, const std::uint8_t* exponents, std::size_t n, float* out);
void unpack_bfp4(const std::uint8_t* nibbles, const std::uint8_t* exponents, std::size_t n, float* out);
void unpack_bfp8_to_bf16(
    const std::uint8_t* magnitudes, const std::uint8_t* exponents, std::size_t n, std::uint16_t* out);
void unpack_bfp4_to_bf16(const std::uint8_t* nibbles, const std::uint8_t* exponents, std::size_t n, std::uint16_t* out);

}  // namespace ttnn_cpu::kernels::avx512
