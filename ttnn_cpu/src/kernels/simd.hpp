// SPDX-License-Identifier: Apache-2.0
#pragma once

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
#endif

namespace ttnn_cpu::kernels {

inline bool cpu_has_avx512() {
#if defined(__x86_64__)
    static const bool has = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                            __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq");
    return has;
#else
    return false;
#endif
}

}  // namespace ttnn_cpu::kernels
