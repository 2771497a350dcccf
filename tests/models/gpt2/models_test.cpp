// SPDX-License-Identifier: Apache-2.0
// GPT-2 against its golden: modules, whole sequences, single tokens over the cache, continuations, real sizes.
#include "../causal/fixture.hpp"
#include "model.hpp"
#include "models/gpt2/ttnn_gpt2.hpp"
#include "models/gpt2/ttnn_optimized_gpt2.hpp"

namespace zoo::test {
namespace {

using Gpt2 = CausalTest<Gpt2Model>;
using Gpt2Plans = CausalPlans<Gpt2Model>;
using Gpt2RealSize = CausalRealSize<Gpt2Model>;

TEST_P(Gpt2Plans, Modules) {
    const Tokens ids = tokens(64, 5);
    const gpt2::Parameters parameters = gpt2::preprocess(config_, weights_, weight_dtype(), *device_);
    const gpt2::Placement place = gpt2::placement_for(config_, 1, device_->compute_with_storage_grid_size());
    const auto caches = make_caches(*device_, 1, 1, config_.n_head, 128, config_.head_size());
    const HostTensor x = Random(1).normal({1, 64, config_.n_embd}, 0.0F, 1.0F);
    const auto hidden = [&] {
        return from_host(
            reshape(x, {1, 1, 64, config_.n_embd}), {.memory_config = ttnn::L1_MEMORY_CONFIG}, device_.get());
    };
    const auto check = [&](std::string_view module, const HostTensor& golden, const ttnn::Tensor& found) {
        EXPECT_WITHIN(golden.data, to_host(found).data, bound(module)) << module;
    };
    const gpt2::LayerParameters& layer = parameters.h[0];
    const gpt2::LayerWeights& own = weights_.h[0];
    check(
        "embeddings", gpt2::golden::embeddings(config_, weights_, ids),
        placed() ? gpt2::optimized::embeddings(config_, parameters, place, step_inputs(ids, *device_))
                 : gpt2::functional::embeddings(config_, parameters, step_inputs(ids, *device_)));
    check(
        "attention", gpt2::golden::attention(config_, own.attn, x),
        placed() ? gpt2::optimized::attention(config_, layer.attn, place, hidden(), caches[0], 0)
                 : gpt2::functional::attention(config_, layer.attn, hidden(), caches[0], 0));
    check(
        "mlp", gpt2::golden::mlp(config_, own.mlp, x),
        placed() ? gpt2::optimized::mlp(config_, layer.mlp, place, hidden())
                 : gpt2::functional::mlp(config_, layer.mlp, hidden()));
    check(
        "block", gpt2::golden::block(config_, own, x),
        placed() ? gpt2::optimized::block(config_, layer, place, hidden(), caches[0], 0)
                 : gpt2::functional::block(config_, layer, hidden(), caches[0], 0));
}

TEST_P(Gpt2Plans, WholeSequence) {
    const Tokens ids = tokens(96, 6);
    const gpt2::Parameters parameters = gpt2::preprocess(config_, weights_, weight_dtype(), *device_);
    const gpt2::Placement place = gpt2::placement_for(config_, 1, device_->compute_with_storage_grid_size());
    const auto caches = make_caches(*device_, config_.n_layer, 1, config_.n_head, 128, config_.head_size());
    const ttnn::Tensor found =
        placed() ? gpt2::optimized::logits(
                       config_, parameters, place,
                       gpt2::optimized::gpt2(config_, parameters, place, caches, step_inputs(ids, *device_), 0))
                 : gpt2::functional::logits(
                       config_, parameters,
                       gpt2::functional::gpt2(config_, parameters, caches, step_inputs(ids, *device_), 0));
    EXPECT_WITHIN(gpt2::golden::logits(config_, weights_, ids).data, to_host(found).data, bound("logits"));
}

TEST_P(Gpt2Plans, StepsEqualSequencesAtEveryPosition) { steps_equal_sequences_at_every_position(); }

INSTANTIATE_TEST_SUITE_P(Plans, Gpt2Plans, every_plan(), [](const auto& tested) { return tested.param.name(); });

TEST_F(Gpt2, AContinuationEqualsTheGoldens) { a_continuation_equals_the_goldens(); }

TEST_F(Gpt2, AllModesGiveTheSameBits) { all_modes_give_the_same_bits(); }

TEST_F(Gpt2, UsersDoNotSeeEachOther) {
    for (const std::int64_t batch : {1, 2, 5, 16, 31, 32}) {
        users_do_not_see_each_other(batch);
    }
}

TEST_F(Gpt2, Refusals) { refusals(); }

TEST_F(Gpt2RealSize, TheWholeModel) { the_whole_model(); }

TEST_F(Gpt2RealSize, TheContextToItsEnd) { the_context_to_its_end(); }

}  // namespace
}  // namespace zoo::test
