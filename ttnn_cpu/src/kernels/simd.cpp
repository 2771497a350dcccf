// SPDX-License-Identifier: Apache-2.0
#include "kernels/simd.hpp"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <string_view>

namespace ttnn_cpu::kernels {
namespace {

#if defined(__x86_64__)
Isa of_cpu() {
    if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma")) {
        return Isa::Plain;
    }
    if (!__builtin_cpu_supports("avx512f") || !__builtin_cpu_supports("avx512bw") ||
        !__builtin_cpu_supports("avx512vl") || !__builtin_cpu_supports("avx512dq") ||
        !__builtin_cpu_supports("avx512cd")) {
        return Isa::Avx2;
    }
    return __builtin_cpu_supports("avx512bf16") ? Isa::Avx512Bf16 : Isa::Avx512;
}
#else
Isa of_cpu() { return Isa::Plain; }
#endif

Isa of_environment() {
    const char* const given = std::getenv("TTNN_CPU_ISA");
    return isa_named(given == nullptr ? "" : given).value_or(Isa::Avx512Bf16);
}

std::atomic<Isa>& current() {
    static std::atomic<Isa> instance{std::min(of_cpu(), of_environment())};
    return instance;
}

}  // namespace

std::optional<Isa> isa_named(std::string_view name) {
    constexpr std::pair<std::string_view, Isa> kNames[] = {
        {"plain", Isa::Plain}, {"avx2", Isa::Avx2}, {"avx512", Isa::Avx512}, {"avx512_bf16", Isa::Avx512Bf16}};
    const auto* const found = std::ranges::find(kNames, name, &std::pair<std::string_view, Isa>::first);
    return found == std::end(kNames) ? std::nullopt : std::optional(found->second);
}

Isa isa() { return current().load(std::memory_order_relaxed); }

void limit_isa(Isa highest) { current().store(std::min(of_cpu(), highest), std::memory_order_relaxed); }

}  // namespace ttnn_cpu::kernels
