// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/bert/inputs.hpp"
#include "zoo/encoder/answers.hpp"

// From texts to BERT's inputs, and from its outputs to answers: as for every encoder.
namespace zoo::bert {

using encoder::Answer;
using encoder::best_answer;
using encoder::cosine;
using encoder::likeliest_words;
using encoder::padded_length;
using encoder::rank;
using encoder::RankedSentence;
using encoder::to_inputs;
using encoder::Word;

}  // namespace zoo::bert
