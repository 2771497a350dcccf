// SPDX-License-Identifier: Apache-2.0
#include "models/yolov4_modules.hpp"

#include <array>
#include <memory>

#include "models/yolov4/modules.hpp"
#include "zoo/random.hpp"
#ifdef ZOO_WITH_TORCH
#include "models/yolov4/torch_yolov4.hpp"
#include "models/yolov4/torch_yolov4_tiny.hpp"
#endif

namespace zoo::apps {

#ifdef ZOO_WITH_TORCH
namespace {

using yolov4::Modules;
namespace golden = yolov4::golden;

// Several results one behind the other.
template <class Tensors>
HostTensor flat(const Tensors& tensors) {
    HostTensor all{{0}, {}};
    for (const HostTensor& tensor : tensors) {
        all.data.insert(all.data.end(), tensor.data.begin(), tensor.data.end());
    }
    all.shape = {static_cast<std::int64_t>(all.data.size())};
    return all;
}

struct Both {
    std::shared_ptr<const Modules> functional;
    std::shared_ptr<const Modules> optimized;
};

// `module` is what Modules does, as a function of one.
template <class Golden, class Module>
CheckedModule checked(std::string name, const Both& both, Golden golden, Module module) {
    return {
        std::move(name), std::move(golden), [both, module] { return module(*both.functional); },
        [both, module] { return module(*both.optimized); }};
}

HostTensor map(const yolov4::Config& config, std::int64_t stride, std::int64_t channels, const Random& source) {
    Random random = source.stream("map " + std::to_string(stride));
    return random.normal({1, channels, config.height / stride, config.width / stride}, 0.3F, 0.8F);
}

void add_full(
    std::vector<CheckedModule>& modules, const yolov4::Config& config, const yolov4::FullWeights& full,
    const Both& both, const Random& random, const HostTensor& picture) {
    const std::int64_t base = config.base_channels;
    const auto x = [&](std::int64_t stride) { return map(config, stride, base * stride, random); };
    modules.push_back(checked(
        "resblock", both,
        [&full, x = map(config, 8, 4 * base, random)] { return golden::resblock(full.down3.resblock, x); },
        [x = map(config, 8, 4 * base, random)](const Modules& m) {
            return m.resblock(m.parameters().full->down3.resblock, x);
        }));
    modules.push_back(checked(
        "ds1", both, [&full, picture] { return golden::ds1(full.down1, picture); },
        [picture](const Modules& m) { return m.ds1(picture); }));
    modules.push_back(checked(
        "ds2", both, [&full, x = x(2)] { return golden::ds2(full.down2, x); },
        [x = x(2)](const Modules& m) { return m.ds2(x); }));
    modules.push_back(checked(
        "ds3", both, [&full, x = x(4)] { return golden::ds3(full.down3, x); },
        [x = x(4)](const Modules& m) { return m.ds3(x); }));
    modules.push_back(checked(
        "ds4", both, [&full, x = x(8)] { return golden::ds4(full.down4, x); },
        [x = x(8)](const Modules& m) { return m.ds4(x); }));
    modules.push_back(checked(
        "ds5", both, [&full, x = x(16)] { return golden::ds5(full.down5, x); },
        [x = x(16)](const Modules& m) { return m.ds5(x); }));
    const std::array downs{x(32), x(16), x(8)};
    modules.push_back(checked(
        "neck", both, [&full, downs] { return flat(golden::neck(full.neck, downs[0], downs[1], downs[2])); },
        [downs](const Modules& m) { return flat(m.neck(downs[0], downs[1], downs[2])); }));
    const std::array maps{
        map(config, 8, 4 * base, random), map(config, 16, 8 * base, random), map(config, 32, 16 * base, random)};
    modules.push_back(checked(
        "head", both, [&full, maps] { return flat(golden::head(full.head, maps)); },
        [maps](const Modules& m) { return flat(m.head(maps)); }));
}

void add_tiny(
    std::vector<CheckedModule>& modules, const yolov4::Config& config, const yolov4::TinyWeights& tiny,
    const Both& both, const Random& random) {
    const std::int64_t base = config.base_channels;
    const auto block = [&](const char* name, auto member, auto parameters, std::int64_t stride) {
        const HostTensor x = map(config, stride, base * stride / 2, random);
        modules.push_back(checked(
            name, both,
            [&tiny, member, x] {
                const golden::TinyMaps maps = golden::tiny_block(tiny.*member, x);
                return flat(std::array{maps.inner, maps.pooled});
            },
            [parameters, x](const Modules& m) {
                return flat(m.tiny_block(m.parameters().tiny.value().*parameters, x));
            }));
    };
    using yolov4::TinyParameters;
    using yolov4::TinyWeights;
    block("block1", &TinyWeights::block1, &TinyParameters::block1, 4);
    block("block2", &TinyWeights::block2, &TinyParameters::block2, 8);
    block("block3", &TinyWeights::block3, &TinyParameters::block3, 16);
    const HostTensor pooled = map(config, 32, 16 * base, random);
    const HostTensor inner = map(config, 16, 8 * base, random);
    modules.push_back(checked(
        "head", both, [&tiny, pooled, inner] { return flat(golden::tiny_head(tiny.head, pooled, inner)); },
        [pooled, inner](const Modules& m) { return flat(m.tiny_head(pooled, inner)); }));
}

}  // namespace

std::vector<CheckedModule> yolov4_modules(
    const yolov4::Config& config, const yolov4::Weights& weights, ttnn::MeshDevice& device, std::uint64_t seed) {
    const Random random(seed);
    HostTensor picture = random.stream("picture").uniform({1, 3, config.height, config.width}, 0.0F, 1.0F);
    const Both both{
        std::make_shared<Modules>(Plan::Functional, config, weights, device),
        std::make_shared<Modules>(Plan::Optimized, config, weights, device)};
    std::vector<CheckedModule> modules;
    if (weights.full) {
        add_full(modules, config, *weights.full, both, random, picture);
    } else {
        add_tiny(modules, config, weights.tiny.value(), both, random);
    }
    modules.push_back(checked(
        std::string(yolov4::to_string(config.architecture)) + ", boxes", both,
        [&config, &weights, picture] { return golden::yolov4(config, weights, picture).boxes; },
        [picture](const Modules& m) { return m.yolov4(picture).boxes; }));
    modules.push_back(checked(
        std::string(yolov4::to_string(config.architecture)) + ", scores", both,
        [&config, &weights, picture] { return golden::yolov4(config, weights, picture).scores; },
        [picture](const Modules& m) { return m.yolov4(picture).scores; }));
    return modules;
}
#else
std::vector<CheckedModule> yolov4_modules(
    const yolov4::Config&, const yolov4::Weights&, ttnn::MeshDevice&, std::uint64_t) {
    return {};
}
#endif

}  // namespace zoo::apps
