// SPDX-License-Identifier: Apache-2.0
#include "registry.hpp"

#include "models/albert.hpp"
#include "models/bert.hpp"
#include "models/codegen.hpp"
#include "models/gpt2.hpp"
#include "models/mnist.hpp"
#include "models/mobilenetv2.hpp"
#include "models/resnet.hpp"
#include "models/yolov4.hpp"

namespace zoo::apps {

std::span<const ModelEntry> models() {
    static const std::vector<ModelEntry> entries{albert_entry(), bert_entry(),        codegen_entry(), gpt2_entry(),
                                                 mnist_entry(),  mobilenetv2_entry(), resnet_entry(),  yolov4_entry()};
    return entries;
}

}  // namespace zoo::apps
