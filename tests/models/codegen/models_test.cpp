// SPDX-License-Identifier: Apache-2.0
// CodeGen against its golden: modules, whole sequences, single tokens over the cache, continuations, real sizes.
#include "../causal/fixture.hpp"
#include "model.hpp"
#include "models/codegen/ttnn_codegen.hpp"
#include "models/codegen/ttnn_optimized_codegen.hpp"

namespace zoo::test {
namespace {

using CodeGen = CausalTest<CodeGenModel>;
using CodeGenPlans = CausalPlans<CodeGenModel>;
using CodeGenRealSize = CausalRealSize<CodeGenModel>;

TEST_P(CodeGenPlans, Modules) {
    const Tokens ids = tokens(64, 5);
    const codegen::Parameters parameters = codegen::preprocess(config_, weights_, weight_dtype(), 1, *device_);
    const codegen::Placement place = codegen::placement_for(config_, 1, device_->compute_with_storage_grid_size());
    const auto caches = make_caches(*device_, 1, 1, config_.n_head, 128, config_.head_size());
    const HostTensor x = Random(1).normal({1, 64, config_.n_embd}, 0.0F, 1.0F);
    const auto hidden = [&] {
        return from_host(
            reshape(x, {1, 1, 64, config_.n_embd}), {.memory_config = ttnn::L1_MEMORY_CONFIG}, device_.get());
    };
    const auto check = [&](std::string_view module, const HostTensor& golden, const ttnn::Tensor& found) {
        EXPECT_WITHIN(golden.data, to_host(found).data, bound(module)) << module;
    };
    const codegen::StepAngles angles =
        codegen::sequence_angles(parameters.rotary, step_inputs(ids, *device_).positions);
    const codegen::LayerParameters& layer = parameters.h[0];
    const codegen::LayerWeights& own = weights_.h[0];
    check(
        "embeddings", codegen::golden::embeddings(config_, weights_, ids),
        placed() ? codegen::optimized::embeddings(config_, parameters, place, step_inputs(ids, *device_))
                 : codegen::functional::embeddings(config_, parameters, step_inputs(ids, *device_)));
    check(
        "attention", codegen::golden::attention(config_, own.attn, x),
        placed()
            ? codegen::optimized::attention(
                  config_, layer.attn, place, parameters.rotary, angles, hidden(), caches[0], 0)
            : codegen::functional::attention(config_, layer.attn, parameters.rotary, angles, hidden(), caches[0], 0));
    check(
        "mlp", codegen::golden::mlp(config_, own.mlp, x),
        placed() ? codegen::optimized::mlp(config_, layer.mlp, place, hidden())
                 : codegen::functional::mlp(config_, layer.mlp, hidden()));
    check(
        "block", codegen::golden::block(config_, own, x),
        placed() ? codegen::optimized::block(config_, layer, place, parameters.rotary, angles, hidden(), caches[0], 0)
                 : codegen::functional::block(config_, layer, parameters.rotary, angles, hidden(), caches[0], 0));
}

TEST_P(CodeGenPlans, WholeSequence) {
    const Tokens ids = tokens(96, 6);
    const codegen::Parameters parameters = codegen::preprocess(config_, weights_, weight_dtype(), 1, *device_);
    const codegen::Placement place = codegen::placement_for(config_, 1, device_->compute_with_storage_grid_size());
    const auto caches = make_caches(*device_, config_.n_layer, 1, config_.n_head, 128, config_.head_size());
    const ttnn::Tensor found =
        placed() ? codegen::optimized::logits(
                       config_, parameters, place,
                       codegen::optimized::codegen(config_, parameters, place, caches, step_inputs(ids, *device_), 0))
                 : codegen::functional::logits(
                       config_, parameters,
                       codegen::functional::codegen(config_, parameters, caches, step_inputs(ids, *device_), 0));
    EXPECT_WITHIN(codegen::golden::logits(config_, weights_, ids).data, to_host(found).data, bound("logits"));
}

TEST_P(CodeGenPlans, StepsEqualSequencesAtEveryPosition) { steps_equal_sequences_at_every_position(); }

INSTANTIATE_TEST_SUITE_P(Plans, CodeGenPlans, every_plan(), [](const auto& tested) { return tested.param.name(); });

TEST_F(CodeGen, AContinuationEqualsTheGoldens) { a_continuation_equals_the_goldens(); }

TEST_F(CodeGen, AllModesGiveTheSameBits) { all_modes_give_the_same_bits(); }

TEST_F(CodeGen, UsersDoNotSeeEachOther) {
    for (const std::int64_t batch : {1, 2, 5, 16, 31, 32}) {
        users_do_not_see_each_other(batch);
    }
}

TEST_F(CodeGen, Refusals) { refusals(); }

TEST_F(CodeGenRealSize, TheWholeModel) { the_whole_model(); }

TEST_F(CodeGenRealSize, TheContextToItsEnd) { the_context_to_its_end(); }

}  // namespace
}  // namespace zoo::test
