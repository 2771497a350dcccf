// SPDX-License-Identifier: Apache-2.0
#include "kernels/formats.hpp"

#include "kernels/formats_impl.hpp"
#include "kernels/simd.hpp"

namespace ttnn_cpu::kernels {

void host_pack_bf16(const float* in, std::size_t n, std::uint16_t* out) {
    cpu_has_avx512() ? avx512::host_pack_bf16(in, n, out) : portable::host_pack_bf16(in, n, out);
}

void pack_bf16(const float* in, std::size_t n, std::uint16_t* out) {
    cpu_has_avx512() ? avx512::pack_bf16(in, n, out) : portable::pack_bf16(in, n, out);
}

void unpack_bf16(const std::uint16_t* in, std::size_t n, float* out) {
    cpu_has_avx512() ? avx512::unpack_bf16(in, n, out) : portable::unpack_bf16(in, n, out);
}

void host_pack_bfp8(const float* in, std::size_t n, std::uint8_t* magnitudes, std::uint8_t* exponents) {
    cpu_has_avx512() ? avx512::host_pack_bfp8(in, n, magnitudes, exponents)
                     : portable::host_pack_bfp8(in, n, magnitudes, exponents);
}

void host_pack_bfp4(const float* in, std::size_t n, std::uint8_t* nibbles, std::uint8_t* exponents) {
    cpu_has_avx512() ? avx512::host_pack_bfp4(in, n, nibbles, exponents)
                     : portable::host_pack_bfp4(in, n, nibbles, exponents);
}

void pack_bfp8(const float* in, std::size_t n, std::uint8_t* magnitudes, std::uint8_t* exponents) {
    cpu_has_avx512() ? avx512::pack_bfp8(in, n, magnitudes, exponents)
                     : portable::pack_bfp8(in, n, magnitudes, exponents);
}

void pack_bfp8(const std::uint16_t* in, std::size_t n, std::uint8_t* magnitudes, std::uint8_t* exponents) {
    cpu_has_avx512() ? avx512::pack_bfp8(in, n, magnitudes, exponents)
                     : portable::pack_bfp8(in, n, magnitudes, exponents);
}

void pack_bfp8_precise(const float* in, std::size_t n, std::uint8_t* magnitudes, std::uint8_t* exponents) {
    cpu_has_avx512() ? avx512::pack_bfp8_precise(in, n, magnitudes, exponents)
                     : portable::pack_bfp8_precise(in, n, magnitudes, exponents);
}

void pack_bfp8_precise(const std::uint16_t* in, std::size_t n, std::uint8_t* magnitudes, std::uint8_t* exponents) {
    cpu_has_avx512() ? avx512::pack_bfp8_precise(in, n, magnitudes, exponents)
                     : portable::pack_bfp8_precise(in, n, magnitudes, exponents);
}

void pack_bfp4(const float* in, std::size_t n, std::uint8_t* nibbles, std::uint8_t* exponents) {
    cpu_has_avx512() ? avx512::pack_bfp4(in, n, nibbles, exponents) : portable::pack_bfp4(in, n, nibbles, exponents);
}

void pack_bfp4(const std::uint16_t* in, std::size_t n, std::uint8_t* nibbles, std::uint8_t* exponents) {
    cpu_has_avx512() ? avx512::pack_bfp4(in, n, nibbles, exponents) : portable::pack_bfp4(in, n, nibbles, exponents);
}

void unpack_bfp8(const std::uint8_t* magnitudes, const std::uint8_t* exponents, std::size_t n, float* out) {
    cpu_has_avx512() ? avx512::unpack_bfp8(magnitudes, exponents, n, out)
                     : portable::unpack_bfp8(magnitudes, exponents, n, out);
}

void unpack_bfp4(const std::uint8_t* nibbles, const std::uint8_t* exponents, std::size_t n, float* out) {
    cpu_has_avx512() ? avx512::unpack_bfp4(nibbles, exponents, n, out)
                     : portable::unpack_bfp4(nibbles, exponents, n, out);
}

void unpack_bfp8_to_bf16(
    const std::uint8_t* magnitudes, const std::uint8_t* exponents, std::size_t n, std::uint16_t* out) {
    cpu_has_avx512() ? avx512::unpack_bfp8_to_bf16(magnitudes, exponents, n, out)
                     : portable::unpack_bfp8_to_bf16(magnitudes, exponents, n, out);
}

void unpack_bfp4_to_bf16(
    const std::uint8_t* nibbles, const std::uint8_t* exponents, std::size_t n, std::uint16_t* out) {
    cpu_has_avx512() ? avx512::unpack_bfp4_to_bf16(nibbles, exponents, n, out)
                     : portable::unpack_bfp4_to_bf16(nibbles, exponents, n, out);
}

}  // namespace ttnn_cpu::kernels
