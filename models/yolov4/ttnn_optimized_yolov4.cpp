// SPDX-License-Identifier: Apache-2.0
#include "models/yolov4/ttnn_optimized_yolov4.hpp"

#include <utility>

#include "models/yolov4/ttnn_decode.hpp"
#include "models/yolov4/ttnn_optimized_layers.hpp"

namespace zoo::yolov4::optimized {

// picture [1, 1, height * width, 3], ROW_MAJOR, in DRAM; not consumed.
std::vector<ScalePredictions> yolov4(
    const Config& config, const Parameters& parameters, const Placement& place, const ttnn::Tensor& picture) {
    if (parameters.tiny) {
        return yolov4_tiny(config, parameters, place, picture);
    }
    const FullParameters& full = parameters.full.value();
    FeatureMap down1 = ds1(config, full.down1, place, Layers(config, place).picture(picture));
    FeatureMap down2 = ds2(config, full.down2, place, down1);
    Layers::free(down1);
    FeatureMap down3 = ds3(config, full.down3, place, down2);
    Layers::free(down2);
    FeatureMap down4 = ds4(config, full.down4, place, down3);
    FeatureMap down5 = ds5(config, full.down5, place, down4);
    std::array<FeatureMap, 3> maps = neck(config, full.neck, place, down5, down4, down3);
    for (FeatureMap* map : {&down5, &down4, &down3}) {
        Layers::free(*map);
    }
    std::vector<ScalePredictions> scales;
    for (const FeatureMap& map : head(config, full.head, place, std::move(maps))) {
        scales.push_back(decode(config, parameters.scales[scales.size()], map.tensor, place.head));
    }
    return scales;
}

}  // namespace zoo::yolov4::optimized
