// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

// Compiles a function three times and picks one when the program starts, by what the CPU has and not by its name: GCC 12
// does not know the names of newer ones and would take the slowest. Only for integer code and for float code
// without reassociation: every clone must give the same bits (the project is built with -ffp-contract=off).
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__) && \
    !defined(__SANITIZE_THREAD__)
#define TTNN_CPU_SIMD_CLONES __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define TTNN_CPU_SIMD_CLONES
#endif

// For the bodies shared by the clones: a call would fall back to the baseline instruction set.
#define TTNN_CPU_ALWAYS_INLINE inline __attribute__((always_inline))

// For functions written with AVX-512 intrinsics; call them only where cpu_has_avx512() says so.
#if defined(__x86_64__)
#define TTNN_CPU_AVX512 __attribute__((target("avx512f,avx512bw,avx512vl,avx512dq,fma")))
#define TTNN_CPU_AVX512_BF16 __attribute__((target("avx512f,avx512bw,avx512vl,avx512dq,fma,avx512bf16")))
#endif

namespace ttnn_cpu::kernels {

// Levels of vector code, each with all of those before it. Avx512: F, BW, VL, DQ, CD.
enum class Isa : std::uint8_t { Plain, Avx2, Avx512, Avx512Bf16 };

// The highest level that the CPU has, and at most what was set: by limit_isa, or by TTNN_CPU_ISA (plain, avx2, avx512,
// avx512_bf16) of the environment. Kernels ask when they run, matmul and conv2d when their program is made.
Isa isa();

// The level of a name as TTNN_CPU_ISA has it; nothing for any other.
std::optional<Isa> isa_named(std::string_view name);

// For tests. Functions cloned by the compiler and oneDNN's own kernels do not follow it.
void limit_isa(Isa highest);

inline bool cpu_has_avx512() { return isa() >= Isa::Avx512; }

}  // namespace ttnn_cpu::kernels
