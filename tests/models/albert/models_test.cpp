// SPDX-License-Identifier: Apache-2.0
// Whole models against the golden, for every task.
#include <gtest/gtest.h>

#include <ostream>
#include <ttnn/device.hpp>
#include <ttnn_cpu/device_options.hpp>
#include <ttnn_cpu/memory_statistics.hpp>

#include "models/albert/runner.hpp"
#include "models/albert/torch_albert.hpp"
#include "models/albert/ttnn_albert.hpp"
#include "models/albert/ttnn_optimized_albert.hpp"
#include "support/matchers.hpp"
#include "support/thresholds.hpp"
#include "zoo/device_tensor.hpp"

namespace zoo::albert {
namespace {

using test::threshold;

struct Case {
    Plan plan;
    const char* preset;
    std::int64_t batch;
    std::int64_t sequence;
};

void PrintTo(const Case& value, std::ostream* out) {
    *out << to_string(value.plan) << " " << value.preset << " batch " << value.batch << " sequence " << value.sequence;
}

std::string name_of(const ::testing::TestParamInfo<Case>& row) {
    std::string name = row.param.preset;
    std::erase_if(name, [](char letter) { return letter == '-'; });
    return name + "Batch" + std::to_string(row.param.batch) + "Sequence" + std::to_string(row.param.sequence);
}

Config config_of(const char* name) {
    Config config = preset(name);
    config.vocab_size = 1000;
    config.num_labels = 64;  // so that there is something to correlate
    return config;
}

class AlbertModel : public ::testing::TestWithParam<Case> {
protected:
    static void SetUpTestSuite() { device_ = ttnn::open_mesh_device(0); }
    static void TearDownTestSuite() { device_.reset(); }

    HostTensor run(Task task) {
        const auto [plan, name, batch, sequence] = GetParam();
        Runner runner(
            *device_, config_, weights_,
            {.task = task, .batch = batch, .sequence = sequence, .mode = Mode::Plain, .plan = plan});
        return runner.run(inputs_);
    }

    void expect_close(const char* module, const HostTensor& expected, const HostTensor& actual) {
        EXPECT_WITHIN(expected, actual, bound(module));
        const Comparison found = compare(expected.data, actual.data);
        RecordProperty("pcc", std::to_string(found.pcc));
        RecordProperty("relative_error", std::to_string(found.relative_error));
    }

    const test::Bound& bound(const char* module) const {
        return threshold("albert", module, to_string(GetParam().plan));
    }

    static inline std::shared_ptr<ttnn::MeshDevice> device_;
    Config config_ = config_of(GetParam().preset);
    Weights weights_ = random(config_, 51);
    Inputs inputs_ = random_inputs(config_, GetParam().batch, GetParam().sequence, 52);
};

TEST_P(AlbertModel, EmbeddingsAndMapping) {
    const DeviceInputs on_device = preprocess(config_, inputs_, device_.get());
    const HostTensor embedded = golden::embeddings(config_, weights_.embeddings, inputs_);
    const HostTensor mapped = golden::embedding_hidden_mapping(config_, weights_.embedding_hidden_mapping, embedded);
    if (GetParam().plan == Plan::Functional) {
        const Parameters parameters = preprocess(config_, weights_, functional_format(), *device_);
        const ttnn::Tensor found = functional::embeddings(config_, parameters.embeddings, on_device);
        expect_close("embeddings", embedded, to_host(found));
        expect_close(
            "embedding_hidden_mapping", mapped,
            to_host(functional::embedding_hidden_mapping(config_, parameters.embedding_hidden_mapping, found)));
    } else {
        const Placement place =
            placement_for(config_, GetParam().batch, GetParam().sequence, device_->compute_with_storage_grid_size());
        const Parameters parameters = preprocess(config_, weights_, optimized_format(place), *device_);
        const ttnn::Tensor found = optimized::embeddings(config_, parameters.embeddings, place, on_device);
        expect_close("embeddings", embedded, to_host(found));
        expect_close(
            "embedding_hidden_mapping", mapped,
            to_host(optimized::embedding_hidden_mapping(config_, parameters.embedding_hidden_mapping, place, found)));
    }
    Linear no_bias = weights_.embedding_hidden_mapping;
    no_bias.bias = zeros(no_bias.bias.shape);
    EXPECT_OUTSIDE(
        mapped, golden::embedding_hidden_mapping(config_, no_bias, embedded), bound("embedding_hidden_mapping"));
}

TEST_P(AlbertModel, HiddenState) {
    const HostTensor expected = golden::albert(config_, weights_, inputs_);
    expect_close("albert", expected, run(Task::HiddenState));

    Config shorter = config_;  // by one turn of the layer
    --shorter.num_hidden_layers;
    EXPECT_OUTSIDE(expected, golden::albert(shorter, weights_, inputs_), bound("albert"));
}

TEST_P(AlbertModel, QuestionAnswering) {
    expect_close(
        "for_question_answering", golden::for_question_answering(config_, weights_, inputs_),
        run(Task::QuestionAnswering));
}

TEST_P(AlbertModel, MaskedLm) {
    expect_close("for_masked_lm", golden::for_masked_lm(config_, weights_, inputs_), run(Task::MaskedLm));
}

TEST_P(AlbertModel, SequenceClassification) {
    expect_close(
        "for_sequence_classification", golden::for_sequence_classification(config_, weights_, inputs_),
        run(Task::SequenceClassification));
}

TEST_P(AlbertModel, SentenceEmbedding) {
    expect_close(
        "sentence_embedding", golden::sentence_embedding(config_, weights_, inputs_), run(Task::SentenceEmbedding));
}

INSTANTIATE_TEST_SUITE_P(
    Functional, AlbertModel,
    ::testing::Values(Case{Plan::Functional, "albert-tiny", 1, 128}, Case{Plan::Functional, "albert-tiny", 2, 50}),
    name_of);

INSTANTIATE_TEST_SUITE_P(
    Optimized, AlbertModel,
    ::testing::Values(Case{Plan::Optimized, "albert-tiny", 1, 128}, Case{Plan::Optimized, "albert-tiny", 8, 128}),
    name_of);

// At real size: two tasks, which have all but the heads' own matrices in them.
TEST(AlbertBase, HiddenStateAndClassesAt128Tokens) {
    const auto device = ttnn::open_mesh_device(0);
    const Config config = config_of("albert-base-v2");
    const Weights weights =
        random(config, 51, {.pooler = true, .qa_outputs = false, .classifier = true, .predictions = false});
    const Inputs inputs = random_inputs(config, 1, 128, 52);
    const HostTensor hidden = golden::albert(config, weights, inputs);
    const HostTensor classes = golden::for_sequence_classification(config, weights, inputs);
    for (const Plan plan : {Plan::Functional, Plan::Optimized}) {
        const auto run = [&](Task task) {
            return Runner(*device, config, weights, {.task = task, .batch = 1, .sequence = 128, .plan = plan})
                .run(inputs);
        };
        EXPECT_WITHIN(hidden, run(Task::HiddenState), threshold("albert", "albert", to_string(plan)));
        EXPECT_WITHIN(
            classes, run(Task::SequenceClassification),
            threshold("albert", "for_sequence_classification", to_string(plan)));
    }
}

TEST(AlbertBase, HiddenStateAt384Tokens) {
    const auto device = ttnn::open_mesh_device(0);
    const Config config = config_of("albert-base-v2");
    const Weights weights =
        random(config, 51, {.pooler = false, .qa_outputs = false, .classifier = false, .predictions = false});
    const Inputs inputs = random_inputs(config, 1, 384, 53);
    const HostTensor hidden = golden::albert(config, weights, inputs);
    for (const Plan plan : {Plan::Functional, Plan::Optimized}) {
        Runner runner(*device, config, weights, {.task = Task::HiddenState, .batch = 1, .sequence = 384, .plan = plan});
        EXPECT_WITHIN(hidden, runner.run(inputs), threshold("albert", "albert_384", to_string(plan)));
    }
}

// The card's own arithmetic, module by module.
TEST(AlbertWormhole, TinyHasBoundsOfItsOwn) {
    const auto device = ttnn::open_mesh_device(0);
    ttnn_cpu::set_numerics(*device, ttnn_cpu::Numerics::Wormhole);
    const Config config = config_of("albert-tiny");
    const Weights weights = random(config, 55);
    const Inputs inputs = random_inputs(config, 1, 64, 56);
    const HostTensor hidden = golden::albert(config, weights, inputs);
    const HostTensor answers = golden::for_question_answering(config, weights, inputs);
    const HostTensor words = golden::for_masked_lm(config, weights, inputs);
    const HostTensor classes = golden::for_sequence_classification(config, weights, inputs);
    for (const Plan plan : {Plan::Functional, Plan::Optimized}) {
        const auto expect = [&](const char* module, const HostTensor& expected, Task task) {
            Runner runner(*device, config, weights, {.task = task, .batch = 1, .sequence = 64, .plan = plan});
            EXPECT_WITHIN(
                expected, runner.run(inputs), threshold("albert", module, std::string(to_string(plan)) + "_wormhole"));
        };
        expect("albert", hidden, Task::HiddenState);
        expect("for_question_answering", answers, Task::QuestionAnswering);
        expect("for_masked_lm", words, Task::MaskedLm);
        expect("for_sequence_classification", classes, Task::SequenceClassification);
    }
}

struct Size {
    const char* preset;
    std::int64_t batch;
    std::int64_t sequence;
};

void PrintTo(const Size& value, std::ostream* out) {
    *out << value.preset << " batch " << value.batch << " sequence " << value.sequence;
}

class AlbertFits : public ::testing::TestWithParam<Size> {};

// The layer is the same in every turn and frees what it takes: one turn needs as much L1 as a dozen.
TEST_P(AlbertFits, AnN150) {
    const auto device = ttnn::open_mesh_device(0);
    const auto [name, batch, sequence] = GetParam();
    Config config = preset(name);
    config.num_hidden_layers = 1;
    config.vocab_size = 1000;
    const Weights weights =
        random(config, 63, {.pooler = false, .qa_outputs = true, .classifier = false, .predictions = false});
    const Inputs inputs = random_inputs(config, batch, sequence, 64);
    Runner runner(
        *device, config, weights,
        {.task = Task::QuestionAnswering, .batch = batch, .sequence = sequence, .mode = Mode::Plain});
    ttnn_cpu::reset_memory_peaks(*device);
    EXPECT_NO_THROW((void)runner.run(inputs));
    const ttnn_cpu::MemoryStatistics statistics = ttnn_cpu::memory_statistics(*device);
    EXPECT_LE(statistics.l1_peak, statistics.l1_capacity) << "in " << statistics.l1_peak_op;
    RecordProperty("l1_peak", std::to_string(statistics.l1_peak));
    RecordProperty("l1_peak_op", statistics.l1_peak_op);
}

INSTANTIATE_TEST_SUITE_P(
    Sizes, AlbertFits,
    ::testing::Values(
        Size{"albert-large-v2", 8, 384}, Size{"albert-xlarge-v2", 1, 128}, Size{"albert-xxlarge-v2", 1, 128}),
    [](const auto& row) {
        std::string name = row.param.preset;
        std::erase_if(name, [](char letter) { return letter == '-'; });
        return name + "Batch" + std::to_string(row.param.batch) + "Sequence" + std::to_string(row.param.sequence);
    });

}  // namespace
}  // namespace zoo::albert
