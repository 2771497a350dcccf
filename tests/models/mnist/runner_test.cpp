// SPDX-License-Identifier: Apache-2.0
#include "models/mnist/runner.hpp"

#include "tests/models/image_runner_checks.hpp"

namespace zoo::test {
namespace {

struct MnistCase {
    using Runner = mnist::Runner;
    static constexpr std::size_t kL1Small = mnist::kL1SmallBytes;

    mnist::Config config = mnist::preset("mnist");
    mnist::Weights weights = mnist::random(config, 61);

    [[nodiscard]] HostTensor images(std::int64_t count, std::uint64_t seed) const {
        return random_images(count, config.size(), seed);
    }
};

INSTANTIATE_TYPED_TEST_SUITE_P(Mnist, ImageRunners, MnistCase);

}  // namespace
}  // namespace zoo::test
