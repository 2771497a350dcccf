// SPDX-License-Identifier: Apache-2.0
#pragma once

// What the op benches share: tensors of random values, and the best time of two contestants that take turns.
#include <benchmark/benchmark.h>

#include <omp.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <ctime>
#include <limits>
#include <random>
#include <vector>

#include <ttnn/tensor/tensor.hpp>
#include <ttnn_cpu/device_options.hpp>

namespace op_bench {

inline std::vector<float> random_values(std::size_t count) {
    std::mt19937 generator(1);
    std::vector<float> values(count);
    for (float& value : values) {
        value = static_cast<float>(static_cast<std::int32_t>(generator())) * 0x1p-31F;
    }
    return values;
}

inline ttnn::Tensor random_tensor(const tt::tt_metal::TensorSpec& spec, ttnn::MeshDevice* device) {
    return ttnn::Tensor::from_vector(random_values(spec.logical_shape().volume()), spec, device);
}

inline double elapsed() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

inline double cpu_time() {
    timespec time{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

template <typename Work>
void keep_best(double& best, double (*clock)(), Work&& work) {
    const double start = clock();
    work();
    best = std::min(best, clock() - start);
}

// Peer: constructed anew for each number of threads, as oneDNN cuts its work when a primitive is made; run() does the
// work. `ratio` compares elapsed time with all threads; `cpu_ratio` CPU time with one, which other load on the machine
// disturbs less. Above one: ours is quicker.
template <typename Peer, typename MakePeer, typename Ours>
void compare(benchmark::State& state, double operations, MakePeer&& make_peer, Ours&& run_ours) {
    Peer peer = make_peer();
    double ours = std::numeric_limits<double>::infinity();
    double raw = ours;
    double cpu_ours = ours;
    double cpu_raw = ours;
    for (auto _ : state) {
        keep_best(raw, elapsed, [&] { peer.run(); });
        keep_best(ours, elapsed, run_ours);
    }
    const std::size_t threads = ttnn_cpu::num_threads();
    const int omp_threads = omp_get_max_threads();
    ttnn_cpu::set_num_threads(1);
    omp_set_num_threads(1);
    Peer one_thread = make_peer();
    for (int i = 0; i < 20; ++i) {
        keep_best(cpu_raw, cpu_time, [&] { one_thread.run(); });
        keep_best(cpu_ours, cpu_time, run_ours);
    }
    ttnn_cpu::set_num_threads(threads);
    omp_set_num_threads(omp_threads);

    state.counters["ours_us"] = ours * 1e6;
    state.counters["onednn_us"] = raw * 1e6;
    state.counters["ours_gflops"] = operations / ours * 1e-9;
    state.counters["onednn_gflops"] = operations / raw * 1e-9;
    state.counters["ratio"] = raw / ours;
    state.counters["cpu_ratio"] = cpu_raw / cpu_ours;
}

}  // namespace op_bench
