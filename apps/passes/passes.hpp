// SPDX-License-Identifier: Apache-2.0
#pragma once

// One forward pass of each model, each version and each batch size that matters: what is replayed on the real library and
// run on its mock device. Needs nothing but TTNN's API.
#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ttnn/types.hpp"

namespace zoo::apps {

struct ModelPass {
    std::string_view model;         // its name in the registry
    std::string name;               // "bert-large optimized, batch 8, 384 tokens"
    std::size_t l1_small_size = 0;  // the device must have been opened with it
    // Preprocesses seeded random weights, uploads them and runs once. Widths and shapes are real; where layers repeat, two
    // stand for all.
    std::function<void(ttnn::MeshDevice&)> run;
};

// Of every model.
std::span<const ModelPass> passes();

// Of one model each, in a file of its own.
std::vector<ModelPass> albert_passes();
std::vector<ModelPass> bert_passes();
std::vector<ModelPass> codegen_passes();
std::vector<ModelPass> gpt2_passes();
std::vector<ModelPass> mnist_passes();
std::vector<ModelPass> mobilenetv2_passes();
std::vector<ModelPass> resnet_passes();
std::vector<ModelPass> yolov4_passes();

}  // namespace zoo::apps
