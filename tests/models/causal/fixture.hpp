// SPDX-License-Identifier: Apache-2.0
#pragma once

// What every causal model is tested for. Model is a model's namespace as a type: Config, Weights, Runner, Decoder, their functions,
// kName, kTiny and kReal (presets), peaked (weights whose greedy text is not one word).

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <set>
#include <string>
#include <vector>

#include <ttnn/device.hpp>
#include <ttnn_cpu/device_options.hpp>

#include "support/thresholds.hpp"
#include "support/throws.hpp"
#include "zoo/causal/runner.hpp"
#include "zoo/device_tensor.hpp"
#include "zoo/random.hpp"

namespace zoo::test {

using ttnn_cpu::Numerics;
using Tokens = std::vector<std::int32_t>;

struct PlanCase {
    Plan plan;
    Numerics numerics;

    [[nodiscard]] std::string name() const {
        return std::string(to_string(plan)) + (numerics == Numerics::Wormhole ? "_wormhole" : "");
    }
};
inline void PrintTo(const PlanCase& test, std::ostream* out) { *out << test.name(); }

inline auto every_plan() {
    return ::testing::Values(
        PlanCase{Plan::Functional, Numerics::Fast}, PlanCase{Plan::Optimized, Numerics::Fast},
        PlanCase{Plan::Functional, Numerics::Wormhole}, PlanCase{Plan::Optimized, Numerics::Wormhole});
}

inline Tokens random_tokens(std::int64_t vocab_size, std::size_t count, std::uint64_t seed) {
    Random random(seed);
    Tokens ids(count);
    for (std::int32_t& id : ids) {
        id = static_cast<std::int32_t>(random.integer(0, vocab_size - 1));
    }
    return ids;
}

inline StepInputs step_inputs(const Tokens& ids, ttnn::MeshDevice& device) {
    std::vector<std::uint32_t> places(ids.size());
    std::iota(places.begin(), places.end(), 0U);
    const Shape shape{1, std::ssize(ids)};
    return {
        .ids = from_ids({ids.begin(), ids.end()}, shape, &device),
        .positions = from_ids(places, shape, &device),
        .cur_pos = ttnn::Tensor()};
}

// Logits after one token of the only user.
inline std::vector<float> step(CausalLm& model, std::int32_t token, std::size_t position) {
    return model.decode(Tokens{token}, Tokens{static_cast<std::int32_t>(position)}, true).front().logits;
}

// Greedy tokens after a prompt.
inline Tokens continuation(CausalLm& model, const Tokens& prompt, int count) {
    Tokens result{model.prefill(0, prompt, false).best};
    while (std::ssize(result) < count) {
        const Tokens place{static_cast<std::int32_t>(prompt.size() + result.size()) - 1};
        result.push_back(model.decode(Tokens{result.back()}, place, false).front().best);
    }
    return result;
}

// Random weights of the tiny preset, and what is expected of them.
template <class Model>
class CausalTest : public ::testing::Test {
protected:
    using Runner = typename Model::Runner;

    static void SetUpTestSuite() {
        device_ = ttnn::open_mesh_device(0, 0, 64 << 20, 2);
        config_ = Model::preset(Model::kTiny);
        weights_ = Model::random(config_, 3);
    }
    static void TearDownTestSuite() { device_.reset(); }
    void SetUp() override { ttnn_cpu::set_numerics(*device_, ttnn_cpu::default_device_options().numerics); }

    static Tokens tokens(std::size_t count, std::uint64_t seed) {
        return random_tokens(config_.vocab_size, count, seed);
    }
    static Runner runner(Plan plan, Mode mode = Mode::Plain, std::int64_t batch = 1) {
        return {*device_, config_, weights_, {.batch = batch, .mode = mode, .plan = plan}};
    }

    static void a_continuation_equals_the_goldens() {
        const auto peaked = Model::peaked(weights_);
        typename Model::Decoder golden(config_, peaked);
        Runner functional(*device_, config_, peaked, {.plan = Plan::Functional});
        const Tokens prompt = tokens(5, 8);
        const Tokens expected = continuation(golden, prompt, 64);
        const Tokens found = continuation(functional, prompt, 64);
        EXPECT_GE(std::ranges::mismatch(expected, found).in1 - expected.begin(), 60);
        // A model that says one thing all the time would show nothing.
        EXPECT_GT(std::set(expected.begin(), expected.end()).size(), 8U);
    }

    static void all_modes_give_the_same_bits() {
        const Tokens prompt = tokens(9, 9);
        std::vector<std::vector<float>> results;
        for (const Mode mode : {Mode::Plain, Mode::Traced, Mode::TwoQueues, Mode::TracedTwoQueues}) {
            Runner model = runner(Plan::Optimized, mode);
            std::vector<float> logits = model.prefill(0, prompt, true).logits;
            std::int32_t token = prompt[0];
            for (std::size_t i = 0; i < 6; ++i) {
                const std::vector<float> next = step(model, token, prompt.size() + i);
                logits.insert(logits.end(), next.begin(), next.end());
                token = static_cast<std::int32_t>(std::ranges::max_element(next) - next.begin());
            }
            results.push_back(std::move(logits));
        }
        for (std::size_t i = 1; i < results.size(); ++i) {
            EXPECT_EQ(results[0], results[i]);
        }
    }

    // Texts of different lengths side by side, one of them at rest, each as if it were alone.
    static void users_do_not_see_each_other(std::int64_t batch) {
        // One trace a device: what is allocated after a capture may be overwritten by its replays.
        Runner one = runner(Plan::Optimized);
        Runner many = runner(Plan::Optimized, Mode::Traced, batch);
        const auto users = static_cast<std::size_t>(batch);
        const std::size_t watched = users / 2;
        const std::size_t resting = users - 1;
        const Tokens prompt = tokens(7, 10);
        const Tokens other = tokens(40, 11);
        for (std::size_t user = 0; user < users; ++user) {
            (void)many.prefill(static_cast<std::int64_t>(user), user == watched ? prompt : other, false);
        }
        std::int32_t token = one.prefill(0, prompt, false).best;
        for (std::int32_t i = 0; i < 4; ++i) {
            Tokens all(users, other[static_cast<std::size_t>(i)]);
            Tokens places(users, 40 + i);
            if (resting != watched) {
                places[resting] = -1;
            }
            all[watched] = token;
            places[watched] = 7 + i;
            const NextToken alone = one.decode(Tokens{token}, Tokens{7 + i}, true).front();
            const NextToken beside = many.decode(all, places, true)[watched];
            // A full tile of rows takes another matmul kernel: the sums have another order.
            EXPECT_WITHIN(alone.logits, beside.logits, (Bound{.pcc = 0.9999, .relative_error = 0.01})) << batch;
            token = alone.best;
        }
    }

    static void refusals() {
        Runner model(*device_, config_, weights_, {.context = 40});
        EXPECT_THROWS_WITH(
            (void)model.prefill(0, tokens(41, 1), false), "a text of 41 tokens was given; it must have 1 to 40");
        EXPECT_THROWS_WITH((void)model.prefill(0, {}, false), "a text of 0 tokens");
        EXPECT_THROWS_WITH((void)model.prefill(1, tokens(4, 1), false), "user is 1");
        EXPECT_THROWS_WITH((void)model.prefill(0, Tokens{1000}, false), "token 1000 has no row");
        EXPECT_THROWS_WITH((void)model.prefill(0, Tokens{-1}, false), "token -1 has no row");
        EXPECT_THROWS_WITH((void)model.decode(Tokens{1}, Tokens{40}, false), "position 40 is past the context of 40");
        EXPECT_THROWS_WITH((void)model.decode(Tokens{1, 1}, Tokens{1, 1}, false), "one for each of 1 users");
        EXPECT_THROWS_WITH((Runner(*device_, config_, weights_, {.batch = 33})), "batch is 33");
        EXPECT_THROWS_WITH((Runner(*device_, config_, weights_, {.batch = 0})), "batch is 0");
        EXPECT_THROWS_WITH((Runner(*device_, config_, weights_, {.context = 129})), "at most n_positions 128");
        EXPECT_THROWS_WITH((Runner(*device_, config_, weights_, {.context = -1})), "context is -1");
    }

    static inline std::shared_ptr<ttnn::MeshDevice> device_;
    static inline typename Model::Config config_;
    static inline typename Model::Weights weights_;
};

// The same weights by each plan, in each numerics.
template <class Model>
class CausalPlans : public CausalTest<Model>, public ::testing::WithParamInterface<PlanCase> {
protected:
    using Test = CausalTest<Model>;

    void SetUp() override { ttnn_cpu::set_numerics(*Test::device_, this->GetParam().numerics); }

    static Bound bound(std::string_view module) {
        return threshold(Model::kName, module, CausalPlans::GetParam().name());
    }
    static bool placed() { return CausalPlans::GetParam().plan == Plan::Optimized; }
    static ttnn::DataType weight_dtype() { return placed() ? ttnn::DataType::BFLOAT8_B : ttnn::DataType::BFLOAT16; }

    // Each position by a step over the cache, and by a whole sequence up to it, against the golden: the same bound.
    static void steps_equal_sequences_at_every_position() {
        const std::size_t count = CausalPlans::GetParam().numerics == Numerics::Wormhole ? 12 : 48;
        const Tokens ids = Test::tokens(count, 7);
        auto steps = Test::runner(CausalPlans::GetParam().plan);
        auto sequences = Test::runner(CausalPlans::GetParam().plan);
        const HostTensor golden = Model::golden_logits(Test::config_, Test::weights_, ids);
        (void)steps.prefill(0, std::span(ids).first(3), false);
        const auto width = static_cast<std::size_t>(Test::config_.vocab_size);
        for (std::size_t i = 3; i < count; ++i) {
            const std::vector<float> by_step = step(steps, ids[i], i);
            const std::vector<float> whole = sequences.prefill(0, std::span(ids).first(i + 1), true).logits;
            const std::span<const float> expected = std::span(golden.data).subspan(i * width, width);
            EXPECT_WITHIN(expected, by_step, bound("token")) << "step at position " << i;
            EXPECT_WITHIN(expected, whole, bound("token")) << "sequence up to position " << i;
            EXPECT_WITHIN(whole, by_step, bound("token")) << "position " << i;
        }
    }
};

// The real preset on a device of its own.
template <class Model>
class CausalRealSize : public ::testing::Test {
protected:
    using Config = typename Model::Config;

    void SetUp() override { device_ = ttnn::open_mesh_device(0, 0, 64 << 20, 2); }

    static Bound bound(std::string_view module, Plan plan) { return threshold(Model::kName, module, to_string(plan)); }

    // All layers and words: a prompt of 128 tokens and more over the cache, traced, then the last of them by a sequence.
    void the_whole_model() {
        const Config config = Model::preset(Model::kReal);
        const auto weights = Model::random(config, 3);
        typename Model::Decoder golden(config, weights);
        constexpr std::size_t kPrompt = 128;
        const Tokens ids = random_tokens(config.vocab_size, kPrompt + 4, 5);
        const std::span<const std::int32_t> prompt = std::span(ids).first(kPrompt);
        std::vector<std::vector<float>> expected{golden.prefill(0, prompt, true).logits};
        for (std::size_t i = kPrompt; i < ids.size(); ++i) {
            expected.push_back(step(golden, ids[i], i));
        }
        for (const Plan plan : {Plan::Functional, Plan::Optimized}) {
            typename Model::Runner found(
                *device_, config, weights, {.context = 160, .mode = Mode::Traced, .plan = plan});
            EXPECT_WITHIN(expected[0], found.prefill(0, prompt, true).logits, bound("whole_prompt", plan));
            std::vector<std::vector<float>> steps;
            for (std::size_t i = kPrompt; i < ids.size(); ++i) {
                steps.push_back(step(found, ids[i], i));
                EXPECT_WITHIN(expected[i + 1 - kPrompt], steps.back(), bound("whole_token", plan)) << i;
            }
            const std::vector<float> last = found.prefill(0, ids, true).logits;
            EXPECT_WITHIN(expected.back(), last, bound("whole_token", plan));
            EXPECT_WITHIN(last, steps.back(), bound("whole_token", plan)) << "a sequence and steps over the cache";
        }
    }

    // To the last position of the whole context, by a step and by a sequence, and not past it.
    void the_context_to_its_end() {
        Config config = Model::preset(Model::kReal);
        config.n_layer = 2;
        config.vocab_size = 1024;
        const auto weights = Model::random(config, 4);
        typename Model::Decoder golden(config, weights);
        const auto length = static_cast<std::size_t>(config.n_positions);
        const Tokens ids = random_tokens(config.vocab_size, length + 1, 6);
        (void)golden.prefill(0, std::span(ids).first(length - 1), false);
        const std::vector<float> expected = step(golden, ids[length - 1], length - 1);
        for (const Plan plan : {Plan::Functional, Plan::Optimized}) {
            typename Model::Runner found(*device_, config, weights, {.plan = plan});
            ASSERT_EQ(found.context(), config.n_positions);
            (void)found.prefill(0, std::span(ids).first(length - 1), false);
            EXPECT_WITHIN(expected, step(found, ids[length - 1], length - 1), bound("last_token", plan));
            EXPECT_WITHIN(
                expected, found.prefill(0, std::span(ids).first(length), true).logits, bound("last_token", plan));
            EXPECT_THROWS_WITH(
                (void)step(found, ids[length], length),
                "position " + std::to_string(length) + " is past the context of " + std::to_string(length));
            EXPECT_THROWS_WITH(
                (void)found.prefill(0, ids, false), "a text of " + std::to_string(length + 1) +
                                                        " tokens was given; it must have 1 to " +
                                                        std::to_string(length));
        }
    }

    std::shared_ptr<ttnn::MeshDevice> device_;
};

}  // namespace zoo::test
