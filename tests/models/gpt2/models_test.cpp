// SPDX-License-Identifier: Apache-2.0
// GPT-2 against its golden: modules, whole sequences, single tokens over the cache, continuations.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <set>

#include <ttnn/device.hpp>
#include <ttnn_cpu/device_options.hpp>

#include "models/gpt2/runner.hpp"
#include "models/gpt2/torch_gpt2.hpp"
#include "models/gpt2/ttnn_gpt2.hpp"
#include "models/gpt2/ttnn_optimized_gpt2.hpp"
#include "support/thresholds.hpp"
#include "support/throws.hpp"
#include "zoo/device_tensor.hpp"
#include "zoo/random.hpp"

namespace {

using namespace zoo;
using gpt2::Config;
using gpt2::Weights;
using ttnn_cpu::Numerics;

struct PlanCase {
    Plan plan;
    Numerics numerics;

    [[nodiscard]] std::string name() const {
        return std::string(to_string(plan)) + (numerics == Numerics::Wormhole ? "_wormhole" : "");
    }
};
void PrintTo(const PlanCase& test, std::ostream* out) { *out << test.name(); }

class Gpt2 : public ::testing::Test {
protected:
    static void SetUpTestSuite() {
        device_ = ttnn::open_mesh_device(0, 0, 64 << 20, 2);
        config_ = gpt2::preset("gpt2-tiny");
        weights_ = gpt2::random(config_, 3);
    }
    static void TearDownTestSuite() { device_.reset(); }
    void SetUp() override { ttnn_cpu::set_numerics(*device_, Numerics::Fast); }

    static std::vector<std::int32_t> tokens(std::size_t count, std::uint64_t seed) {
        Random random(seed);
        std::vector<std::int32_t> ids(count);
        for (std::int32_t& id : ids) {
            id = static_cast<std::int32_t>(random.integer(0, config_.vocab_size - 1));
        }
        return ids;
    }
    static StepInputs inputs(const std::vector<std::int32_t>& ids) {
        std::vector<std::uint32_t> places(ids.size());
        std::iota(places.begin(), places.end(), 0U);
        const Shape shape{1, std::ssize(ids)};
        return {
            .ids = from_ids({ids.begin(), ids.end()}, shape, device_.get()),
            .positions = from_ids(places, shape, device_.get()),
            .cur_pos = ttnn::Tensor()};
    }
    static gpt2::Runner runner(Plan plan, Mode mode = Mode::Plain, std::int64_t batch = 1) {
        return {*device_, config_, weights_, {.batch = batch, .mode = mode, .plan = plan}};
    }
    // Greedy tokens after a prompt.
    static std::vector<std::int32_t> continuation(CausalLm& model, const std::vector<std::int32_t>& prompt, int count) {
        std::vector<std::int32_t> result{model.prefill(0, prompt, false).best};
        while (std::ssize(result) < count) {
            const std::vector<std::int32_t> last{result.back()};
            const std::vector<std::int32_t> place{static_cast<std::int32_t>(prompt.size() + result.size()) - 1};
            result.push_back(model.decode(last, place, false).front().best);
        }
        return result;
    }

    static inline std::shared_ptr<ttnn::MeshDevice> device_;
    static inline Config config_;
    static inline Weights weights_;
};

class Gpt2Plans : public Gpt2, public ::testing::WithParamInterface<PlanCase> {
protected:
    void SetUp() override { ttnn_cpu::set_numerics(*device_, GetParam().numerics); }

    static test::Bound bound(std::string_view module) { return test::threshold("gpt2", module, GetParam().name()); }
    static bool placed() { return GetParam().plan == Plan::Optimized; }
    static ttnn::DataType weight_dtype() { return placed() ? ttnn::DataType::BFLOAT8_B : ttnn::DataType::BFLOAT16; }
};

TEST_P(Gpt2Plans, Modules) {
    const std::vector<std::int32_t> ids = tokens(64, 5);
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
        placed() ? gpt2::optimized::embeddings(config_, parameters, place, inputs(ids))
                 : gpt2::functional::embeddings(config_, parameters, inputs(ids)));
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
    const std::vector<std::int32_t> ids = tokens(96, 6);
    const gpt2::Parameters parameters = gpt2::preprocess(config_, weights_, weight_dtype(), *device_);
    const gpt2::Placement place = gpt2::placement_for(config_, 1, device_->compute_with_storage_grid_size());
    const auto caches = make_caches(*device_, config_.n_layer, 1, config_.n_head, 128, config_.head_size());
    const ttnn::Tensor found =
        placed()
            ? gpt2::optimized::logits(
                  config_, parameters, place, gpt2::optimized::gpt2(config_, parameters, place, caches, inputs(ids), 0))
            : gpt2::functional::logits(
                  config_, parameters, gpt2::functional::gpt2(config_, parameters, caches, inputs(ids), 0));
    EXPECT_WITHIN(gpt2::golden::logits(config_, weights_, ids).data, to_host(found).data, bound("logits"));
}

// Each position by a step over the cache, and by a whole sequence up to it, against the golden: the same bound.
TEST_P(Gpt2Plans, StepsEqualSequencesAtEveryPosition) {
    const std::size_t count = GetParam().numerics == Numerics::Wormhole ? 12 : 48;
    const std::vector<std::int32_t> ids = tokens(count, 7);
    gpt2::Runner steps = runner(GetParam().plan);
    gpt2::Runner sequences = runner(GetParam().plan);
    const HostTensor golden = gpt2::golden::logits(config_, weights_, ids);
    const std::vector<std::int32_t> first(ids.begin(), ids.begin() + 3);
    (void)steps.prefill(0, first, false);
    const auto width = static_cast<std::ptrdiff_t>(config_.vocab_size);
    for (std::size_t i = 3; i < count; ++i) {
        const std::vector<std::int32_t> token{ids[i]};
        const std::vector<std::int32_t> place{static_cast<std::int32_t>(i)};
        const std::vector<float> step = steps.decode(token, place, true).front().logits;
        const std::vector<float> whole = sequences.prefill(0, std::span(ids).first(i + 1), true).logits;
        const auto from = golden.data.begin() + static_cast<std::ptrdiff_t>(i) * width;
        const std::vector<float> expected(from, from + width);
        EXPECT_WITHIN(expected, step, bound("token")) << "step at position " << i;
        EXPECT_WITHIN(expected, whole, bound("token")) << "sequence up to position " << i;
        EXPECT_WITHIN(whole, step, bound("token")) << "position " << i;
    }
}

INSTANTIATE_TEST_SUITE_P(
    Plans, Gpt2Plans,
    ::testing::Values(
        PlanCase{Plan::Functional, Numerics::Fast}, PlanCase{Plan::Optimized, Numerics::Fast},
        PlanCase{Plan::Functional, Numerics::Wormhole}, PlanCase{Plan::Optimized, Numerics::Wormhole}),
    [](const auto& info) { return info.param.name(); });

TEST_F(Gpt2, AContinuationEqualsTheGoldens) {
    // A tied head likes to repeat the token it has just read; louder layers drown it.
    Weights loud = weights_;
    for (gpt2::LayerWeights& layer : loud.h) {
        for (HostTensor* weight : {&layer.attn.c_proj.weight, &layer.mlp.c_proj.weight}) {
            std::ranges::transform(weight->data, weight->data.begin(), [](float value) { return 4.0F * value; });
        }
    }
    gpt2::golden::Decoder golden(config_, loud);
    gpt2::Runner functional(*device_, config_, loud, {.plan = Plan::Functional});
    const std::vector<std::int32_t> prompt = tokens(5, 8);
    const std::vector<std::int32_t> expected = continuation(golden, prompt, 64);
    const std::vector<std::int32_t> found = continuation(functional, prompt, 64);
    const auto same = std::ranges::mismatch(expected, found).in1 - expected.begin();
    EXPECT_GE(same, 60);
    // A model that says one thing all the time would show nothing.
    EXPECT_GT(std::set(expected.begin(), expected.end()).size(), 8U);
}

TEST_F(Gpt2, AllModesGiveTheSameBits) {
    const std::vector<std::int32_t> prompt = tokens(9, 9);
    std::vector<std::vector<float>> results;
    for (const Mode mode : {Mode::Plain, Mode::Traced, Mode::TwoQueues, Mode::TracedTwoQueues}) {
        gpt2::Runner model = runner(Plan::Optimized, mode);
        std::vector<float> logits = model.prefill(0, prompt, true).logits;
        std::int32_t token = prompt[0];
        for (std::int32_t i = 0; i < 6; ++i) {
            const std::vector<std::int32_t> last{token};
            const std::vector<std::int32_t> place{static_cast<std::int32_t>(prompt.size()) + i};
            const NextToken next = model.decode(last, place, true).front();
            logits.insert(logits.end(), next.logits.begin(), next.logits.end());
            token = next.best;
        }
        results.push_back(std::move(logits));
    }
    for (std::size_t i = 1; i < results.size(); ++i) {
        EXPECT_EQ(results[0], results[i]);
    }
}

TEST_F(Gpt2, UsersDoNotSeeEachOther) {
    // One trace a device: what is allocated after a capture may be overwritten by its replays.
    gpt2::Runner one = runner(Plan::Optimized);
    gpt2::Runner many = runner(Plan::Optimized, Mode::Traced, 32);
    const std::vector<std::int32_t> prompt = tokens(7, 10);
    const std::vector<std::int32_t> other = tokens(40, 11);
    for (std::int64_t user = 0; user < 32; ++user) {
        (void)many.prefill(user, user == 17 ? prompt : other, false);
    }
    std::int32_t token = one.prefill(0, prompt, false).best;
    for (std::int32_t i = 0; i < 4; ++i) {
        std::vector<std::int32_t> all(32, other[static_cast<std::size_t>(i)]);
        std::vector<std::int32_t> places(32, 40 + i);
        places[3] = -1;
        all[17] = token;
        places[17] = 7 + i;
        const NextToken alone =
            one.decode(std::vector<std::int32_t>{token}, std::vector<std::int32_t>{7 + i}, true).front();
        const NextToken beside = many.decode(all, places, true)[17];
        // A full tile of rows takes another matmul kernel: the sums have another order.
        EXPECT_WITHIN(alone.logits, beside.logits, (test::Bound{.pcc = 0.9999, .relative_error = 0.01}));
        token = alone.best;
    }
}

TEST_F(Gpt2, Refusals) {
    gpt2::Runner model(*device_, config_, weights_, {.context = 40});
    EXPECT_THROWS_WITH(
        (void)model.prefill(0, tokens(41, 1), false), "a text of 41 tokens was given; it must have 1 to 40");
    EXPECT_THROWS_WITH((void)model.prefill(0, {}, false), "a text of 0 tokens");
    EXPECT_THROWS_WITH((void)model.prefill(1, tokens(4, 1), false), "user is 1");
    EXPECT_THROWS_WITH((void)model.prefill(0, std::vector<std::int32_t>{1000}, false), "token 1000 has no row");
    const std::vector<std::int32_t> token{1};
    EXPECT_THROWS_WITH(
        (void)model.decode(token, std::vector<std::int32_t>{40}, false), "position 40 is past the context of 40");
    EXPECT_THROWS_WITH((gpt2::Runner(*device_, config_, weights_, {.batch = 33})), "batch is 33");
    EXPECT_THROWS_WITH((gpt2::Runner(*device_, config_, weights_, {.context = 129})), "at most n_positions 128");
}

}  // namespace
