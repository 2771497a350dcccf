// SPDX-License-Identifier: Apache-2.0
#pragma once

// The modules of a classifier for `check`, each in its three versions on the same input.
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "model_check.hpp"
#include "zoo/host_tensor.hpp"
#include "zoo/plan.hpp"

namespace zoo::apps {

// `Modules` is the model's own: Modules(plan, config, weights, batch, device).
template <class Modules>
class ModuleList {
public:
    template <class Config, class Weights>
    ModuleList(const Config& config, const Weights& weights, std::int64_t batch, ttnn::MeshDevice& device)
        : functional_(std::make_shared<Modules>(Plan::Functional, config, weights, batch, device)),
          optimized_(std::make_shared<Modules>(Plan::Optimized, config, weights, batch, device)) {}

    // by_golden(input), by_modules(modules, input).
    template <class Golden, class ByModules>
    void add(std::string name, const HostTensor& input, Golden by_golden, ByModules by_modules) {
        list_.push_back(
            {.name = std::move(name),
             .golden = [input, by_golden] { return by_golden(input); },
             .functional = [input, modules = functional_, by_modules] { return by_modules(*modules, input); },
             .optimized = [input, modules = optimized_, by_modules] { return by_modules(*modules, input); }});
    }

    [[nodiscard]] std::vector<CheckedModule> take() && { return std::move(list_); }

private:
    std::shared_ptr<const Modules> functional_;
    std::shared_ptr<const Modules> optimized_;
    std::vector<CheckedModule> list_;
};

}  // namespace zoo::apps
