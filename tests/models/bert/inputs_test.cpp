// SPDX-License-Identifier: Apache-2.0
#include "models/bert/inputs.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <numeric>
#include <ostream>
#include <string>

#include "zoo/error.hpp"

namespace zoo::bert {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(BertInputs, RandomOnesAreValidAndDifferBySeed) {
    const Config config = preset("bert-tiny");
    const Inputs first = random_inputs(config, 3, 96, 1);
    EXPECT_NO_THROW(validate(config, first));
    EXPECT_EQ(first.input_ids, random_inputs(config, 3, 96, 1).input_ids);
    EXPECT_NE(first.input_ids, random_inputs(config, 3, 96, 2).input_ids);
    const auto tokens = std::accumulate(first.attention_mask.begin(), first.attention_mask.end(), 0U);
    EXPECT_LT(tokens, 3U * 96U) << "no sequence has padding, so no test with these inputs sees the mask";
    EXPECT_NO_THROW(validate(config, random_inputs(config, 1, 1, 5)));
}

TEST(BertInputs, MaskIsAdditive) {
    const Inputs inputs{
        .batch = 1, .sequence = 3, .input_ids = {1, 2, 0}, .token_type_ids = {0, 0, 0}, .attention_mask = {1, 1, 0}};
    const HostTensor mask = additive_mask(inputs);
    EXPECT_THAT(mask.shape, ElementsAre(1, 1, 1, 3));
    EXPECT_THAT(mask.data, ElementsAre(0.0F, 0.0F, kMasked));
}

struct BadInputs {
    const char* name;
    std::function<void(Inputs&)> spoil;
    const char* message;
};

void PrintTo(const BadInputs& value, std::ostream* out) { *out << value.name; }

class BertInputsRule : public ::testing::TestWithParam<BadInputs> {};

TEST_P(BertInputsRule, IsCheckedAndNamed) {
    const Config config = preset("bert-tiny");
    Inputs inputs = random_inputs(config, 2, 32, 1);
    GetParam().spoil(inputs);
    try {
        validate(config, inputs);
        FAIL() << "accepted";
    } catch (const Error& error) {
        EXPECT_THAT(error.what(), HasSubstr(std::string("[bert::Inputs] ") + GetParam().message));
    }
}

INSTANTIATE_TEST_SUITE_P(
    All, BertInputsRule,
    ::testing::Values(
        BadInputs{"Batch", [](Inputs& i) { i.batch = 0; }, "batch is 0 and sequence 32; both must be positive"},
        BadInputs{
            "Long", [](Inputs& i) { i.sequence = 129; },
            "sequence is 129; it must be at most max_position_embeddings 128"},
        BadInputs{
            "Count", [](Inputs& i) { i.input_ids.pop_back(); }, "input_ids has 63 values; batch times sequence is 64"},
        BadInputs{
            "Id", [](Inputs& i) { i.input_ids[5] = 1000; }, "input_ids[5] is 1000; it must be below vocab_size 1000"},
        BadInputs{
            "Type", [](Inputs& i) { i.token_type_ids[0] = 2; },
            "token_type_ids[0] is 2; it must be below type_vocab_size 2"},
        BadInputs{"Mask", [](Inputs& i) { i.attention_mask[1] = 7; }, "attention_mask[1] is 7; it must be below"},
        BadInputs{
            "Empty", [](Inputs& i) { std::fill(i.attention_mask.begin() + 32, i.attention_mask.end(), 0U); },
            "attention_mask of sequence 1 is all 0"}),
    [](const auto& row) { return std::string(row.param.name); });

TEST(BertInputsPad, AddsPaddingAndSequencesOfOnePadToken) {
    const Config config = preset("bert-tiny");
    const Inputs inputs{
        .batch = 1, .sequence = 2, .input_ids = {5, 6}, .token_type_ids = {0, 1}, .attention_mask = {1, 1}};
    const Inputs padded = pad(config, inputs, 2, 3);
    EXPECT_EQ(padded.input_ids, (std::vector<std::uint32_t>{5, 6, 0, 0, 0, 0}));
    EXPECT_EQ(padded.token_type_ids, (std::vector<std::uint32_t>{0, 1, 0, 0, 0, 0}));
    EXPECT_EQ(padded.attention_mask, (std::vector<std::uint32_t>{1, 1, 0, 1, 0, 0}));
    EXPECT_NO_THROW(validate(config, padded));
    try {
        (void)pad(config, inputs, 1, 1);
        FAIL() << "accepted";
    } catch (const Error& error) {
        EXPECT_THAT(error.what(), HasSubstr("1 sequences of 2 do not fit 1 of 1"));
    }
}

}  // namespace
}  // namespace zoo::bert
