// SPDX-License-Identifier: Apache-2.0
#include "kernels/parallel.hpp"

#include <gtest/gtest.h>
#include <omp.h>

#include <atomic>
#include <stdexcept>
#include <thread>
#include <vector>

namespace ttnn_cpu::kernels {
namespace {

class Parallel : public ::testing::Test {
protected:
    void TearDown() override { set_num_threads(0); }
};

TEST_F(Parallel, RunsEveryChunkOnce) {
    for (const std::size_t threads : {1, 2, 5}) {
        set_num_threads(threads);
        EXPECT_EQ(num_threads(), threads);
        for (const std::size_t chunks : {0, 1, 2, 1000}) {
            std::vector<std::atomic<int>> calls(chunks);
            parallel_for(chunks, [&](std::size_t chunk) { ++calls[chunk]; });
            for (const auto& count : calls) {
                ASSERT_EQ(count.load(), 1);
            }
        }
    }
}

TEST_F(Parallel, NestedCallsRunInline) {
    set_num_threads(3);
    std::atomic<int> calls{0};
    parallel_for(8, [&](std::size_t) {
        const auto outer = std::this_thread::get_id();
        parallel_for(8, [&](std::size_t) {
            EXPECT_EQ(std::this_thread::get_id(), outer);
            ++calls;
        });
    });
    EXPECT_EQ(calls.load(), 64);
}

TEST_F(Parallel, SeveralCallersShareThePool) {
    set_num_threads(3);
    std::atomic<int> calls{0};
    std::vector<std::thread> callers;
    for (int i = 0; i < 4; ++i) {
        callers.emplace_back([&] {
            for (int round = 0; round < 200; ++round) {
                parallel_for(7, [&](std::size_t) { ++calls; });
            }
        });
    }
    for (int i = 0; i < 20; ++i) {
        set_num_threads(static_cast<std::size_t>(1 + i % 4));
    }
    for (std::thread& caller : callers) {
        caller.join();
    }
    EXPECT_EQ(calls.load(), 4 * 200 * 7);
}

TEST_F(Parallel, OpenMpSeesOneThreadInsideAChunk) {
    set_num_threads(2);
    omp_set_num_threads(4);
    parallel_for(16, [](std::size_t) { EXPECT_EQ(omp_get_max_threads(), 1); });
    parallel_for(1, [](std::size_t) { EXPECT_EQ(omp_get_max_threads(), 1); });
    EXPECT_EQ(omp_get_max_threads(), 4);
}

TEST_F(Parallel, AnExceptionReachesTheCallerAfterAllChunks) {
    set_num_threads(2);
    std::atomic<int> calls{0};
    const auto run = [&] {
        parallel_for(50, [&](std::size_t chunk) {
            ++calls;
            if (chunk == 10) {
                throw std::runtime_error("chunk 10");
            }
        });
    };
    EXPECT_THROW(run(), std::runtime_error);
    EXPECT_EQ(calls.load(), 50);
    parallel_for(3, [&](std::size_t) { ++calls; });
    EXPECT_EQ(calls.load(), 53);
}

}  // namespace
}  // namespace ttnn_cpu::kernels
