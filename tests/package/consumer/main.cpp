// SPDX-License-Identifier: Apache-2.0
// Takes numbers through the device; with the libraries, compares and configures a model too. Any wrong value is exit status 1.
#include <cstdio>
#include <ttnn/device.hpp>
#include <ttnn/operations/core/core.hpp>
#include <ttnn/types.hpp>
#include <vector>

#ifdef WITH_common
#include "zoo/metrics.hpp"
#endif
#ifdef WITH_bert
#include "models/bert/config.hpp"
#endif

namespace {

int failures = 0;

void expect(bool ok, const char* what) {
    std::printf("%s: %s\n", what, ok ? "ok" : "wrong");
    failures += ok ? 0 : 1;
}

}  // namespace

int main() {
    using tt::tt_metal::PageConfig, tt::tt_metal::TensorLayout, tt::tt_metal::TensorSpec;
    auto device = ttnn::open_mesh_device(0);
    const std::vector<float> values(40 * 40, 1.5F);
    const TensorSpec spec(
        ttnn::Shape{40, 40}, TensorLayout(ttnn::DataType::BFLOAT16, PageConfig(ttnn::Layout::TILE), {}));
    const auto back = ttnn::Tensor::from_vector(values, spec, device.get()).to_vector<float>();
    expect(back == values, "a tensor comes back from the device");
#ifdef WITH_common
    expect(zoo::compare(values, back).max_abs_error == 0.0, "zoo::compare");
#endif
#ifdef WITH_bert
    expect(zoo::bert::preset("bert-base").hidden_size == 768, "a preset of bert");
#endif
    ttnn::close_device(*device);
    return failures == 0 ? 0 : 1;
}
