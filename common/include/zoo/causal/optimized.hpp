// SPDX-License-Identifier: Apache-2.0
#pragma once

// The layers of causal models, placed. Functions that take a tensor by value consume it.

#include "ttnn/operations/matmul/matmul.hpp"
#include "ttnn/types.hpp"
#include "zoo/causal/placement.hpp"
#include "zoo/causal_attention.hpp"
#include "zoo/layer_parameters.hpp"

namespace zoo::causal::optimized {

// One tile of rows has a program of its own; for a sequence, without one, TTNN chooses on the whole grid.
struct Step {
    const ttnn::operations::matmul::MatmulProgramConfig* program = nullptr;
    const char* activation = nullptr;  // a name that ttnn::linear knows, which the program has too
};

// Whether hidden [1, 1, rows, n_embd] is one tile of rows, which the programs of single tokens hold.
[[nodiscard]] bool is_single_tile(const ttnn::Tensor& hidden);

[[nodiscard]] ttnn::Tensor project(
    const LinearParameters& parameters, const Placement& place, const ttnn::Tensor& x, const Step& step);
// The same, and x is consumed.
[[nodiscard]] ttnn::Tensor linear(
    const LinearParameters& parameters, const Placement& place, ttnn::Tensor x, const Step& step);
[[nodiscard]] ttnn::Tensor layer_norm(
    double epsilon, const LayerNormParameters& parameters, const Placement& place, const ttnn::Tensor& x);
// ids [1, rows], UINT32, ROW_MAJOR, to [1, rows, width of the table].
[[nodiscard]] ttnn::Tensor look_up(const ttnn::Tensor& ids, const ttnn::Tensor& table, const Placement& place);
[[nodiscard]] ttnn::Tensor add(const Placement& place, ttnn::Tensor a, ttnn::Tensor b);
// The likeliest tokens; the scores are consumed.
[[nodiscard]] StepOutputs pick(ttnn::Tensor scores);
// Token `index` of a sequence, which is consumed.
[[nodiscard]] ttnn::Tensor take_last(ttnn::Tensor hidden, std::int64_t index);
void deallocate(Heads& heads);

}  // namespace zoo::causal::optimized
