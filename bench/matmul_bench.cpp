// SPDX-License-Identifier: Apache-2.0
// ttnn::linear in mode fast beside oneDNN's float32 matmul on packed weights. They take turns, and the best time of each
// counts.
#include <dnnl.hpp>

#include <tt-metalium/distributed.hpp>
#include <ttnn/device.hpp>
#include <ttnn/operations/core/core.hpp>
#include <ttnn/operations/matmul/matmul.hpp>

#include "bench_support.hpp"

namespace {

using namespace ttnn;
using tt::tt_metal::PageConfig;
using tt::tt_metal::TensorLayout;
using tt::tt_metal::TensorSpec;

Tensor random_tensor(const Shape& shape, DataType dtype, MeshDevice& device) {
    return op_bench::random_tensor(
        TensorSpec(shape, TensorLayout(dtype, PageConfig(Layout::TILE), MemoryConfig())), &device);
}

class RawMatmul {
public:
    RawMatmul(std::int64_t batch, std::int64_t m, std::int64_t k, std::int64_t n)
        : engine_(dnnl::engine::kind::cpu, 0), stream_(engine_) {
        using dnnl::memory;
        const auto desc = [&](std::int64_t rows, std::int64_t cols, bool weights) {
            return batch == 1 ? memory::desc(
                                    {rows, cols}, memory::data_type::f32,
                                    weights ? memory::format_tag::any : memory::format_tag::ab)
                              : memory::desc({batch, rows, cols}, memory::data_type::f32, memory::format_tag::abc);
        };
        const dnnl::matmul::primitive_desc description(
            dnnl::matmul::desc(desc(m, k, false), desc(k, n, true), desc(m, n, false)), engine_);
        matmul_ = dnnl::matmul(description);
        for (const auto& [argument, memory_desc] :
             {std::pair{DNNL_ARG_SRC, description.src_desc()}, std::pair{DNNL_ARG_WEIGHTS, description.weights_desc()},
              std::pair{DNNL_ARG_DST, description.dst_desc()}}) {
            memory buffer(memory_desc, engine_);
            auto* const values = static_cast<float*>(buffer.get_data_handle());
            std::fill(values, values + memory_desc.get_size() / sizeof(float), 0.5F);
            arguments_.emplace(argument, buffer);
        }
    }
    void run() {
        matmul_.execute(stream_, arguments_);
        stream_.wait();
    }

private:
    dnnl::engine engine_;
    dnnl::stream stream_;
    dnnl::matmul matmul_;
    std::unordered_map<int, dnnl::memory> arguments_;
};

struct Problem {
    std::int64_t batch;
    std::int64_t m;
    std::int64_t k;
    std::int64_t n;
};

template <typename Ours>
void compare(benchmark::State& state, const Problem& problem, Ours&& run_ours) {
    const double operations = 2.0 * static_cast<double>(problem.batch * problem.m * problem.k * problem.n);
    op_bench::compare<RawMatmul>(
        state, operations, [&] { return RawMatmul(problem.batch, problem.m, problem.k, problem.n); }, run_ours);
}

// rows x k times k x n in the given type of weights, plus bias, and gelu if asked for.
void linear_against_onednn(benchmark::State& state, DataType weights_dtype, DataType out_dtype, bool gelu) {
    const auto m = static_cast<std::uint32_t>(state.range(0));
    const auto k = static_cast<std::uint32_t>(state.range(1));
    const auto n = static_cast<std::uint32_t>(state.range(2));
    auto device = open_mesh_device(0);
    const Tensor input = random_tensor(Shape{1, 1, m, k}, DataType::BFLOAT16, *device);
    const Tensor weights = random_tensor(Shape{1, 1, k, n}, weights_dtype, *device);
    const Tensor bias = random_tensor(Shape{1, 1, 1, n}, weights_dtype, *device);
    const auto activation = gelu ? std::optional<const Activation>("gelu") : std::nullopt;
    compare(state, {1, m, k, n}, [&] {
        const Tensor out = linear(
            input, weights, bias, false, false, std::nullopt, out_dtype, std::nullopt, activation, std::nullopt,
            CoreGrid(8, 8));
        tt::tt_metal::distributed::Finish(device->mesh_command_queue());
    });
}

// As in attention: batch x [m, k] x [k, n].
void batched_against_onednn(benchmark::State& state) {
    const auto batch = static_cast<std::uint32_t>(state.range(0));
    const auto m = static_cast<std::uint32_t>(state.range(1));
    const auto k = static_cast<std::uint32_t>(state.range(2));
    const auto n = static_cast<std::uint32_t>(state.range(3));
    auto device = open_mesh_device(0);
    const Tensor a = random_tensor(Shape{1, batch, m, k}, DataType::BFLOAT16, *device);
    const Tensor b = random_tensor(Shape{1, batch, k, n}, DataType::BFLOAT16, *device);
    compare(state, {batch, m, k, n}, [&] {
        const Tensor out = matmul(a, b);
        tt::tt_metal::distributed::Finish(device->mesh_command_queue());
    });
}

BENCHMARK_CAPTURE(linear_against_onednn, bfp8_weights, DataType::BFLOAT8_B, DataType::BFLOAT16, false)
    ->Args({384, 1024, 1024})
    ->Args({384, 4096, 1024})
    ->Args({384, 1024, 3072})
    ->UseRealTime();
BENCHMARK_CAPTURE(linear_against_onednn, bfp8_weights_gelu, DataType::BFLOAT8_B, DataType::BFLOAT16, true)
    ->Args({384, 1024, 4096})
    ->UseRealTime();
BENCHMARK_CAPTURE(linear_against_onednn, bfp8_out_gelu, DataType::BFLOAT8_B, DataType::BFLOAT8_B, true)
    ->Args({384, 1024, 4096})
    ->UseRealTime();
BENCHMARK_CAPTURE(linear_against_onednn, one_tile_of_rows, DataType::BFLOAT8_B, DataType::BFLOAT16, false)
    ->Args({1, 1024, 4096})
    ->Args({32, 1024, 4096})
    ->UseRealTime();
BENCHMARK(batched_against_onednn)->Args({16, 384, 64, 384})->Args({16, 384, 384, 64})->UseRealTime();

}  // namespace

BENCHMARK_MAIN();
