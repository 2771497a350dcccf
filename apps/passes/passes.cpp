// SPDX-License-Identifier: Apache-2.0
#include "passes/passes.hpp"

#include <iterator>

namespace zoo::apps {

std::span<const ModelPass> passes() {
    static const std::vector<ModelPass> all = [] {
        std::vector<ModelPass> result;
        for (auto of_model : {
                 albert_passes,
                 bert_passes,
                 codegen_passes,
                 gpt2_passes,
                 mnist_passes,
                 mobilenetv2_passes,
                 resnet_passes,
                 yolov4_passes,
             }) {
            std::vector<ModelPass> more = of_model();
            std::move(more.begin(), more.end(), std::back_inserter(result));
        }
        return result;
    }();
    return all;
}

}  // namespace zoo::apps
