// SPDX-License-Identifier: Apache-2.0
#include "models/yolov4/ttnn_yolov4.hpp"

#include "models/yolov4/ttnn_decode.hpp"
#include "models/yolov4/ttnn_layers.hpp"

namespace zoo::yolov4::functional {

// picture [1, 1, height * width, 3], ROW_MAJOR, in DRAM.
std::vector<ScalePredictions> yolov4(const Config& config, const Parameters& parameters, const ttnn::Tensor& picture) {
    if (parameters.tiny) {
        return yolov4_tiny(config, parameters, picture);
    }
    const FullParameters& full = parameters.full.value();
    const FeatureMap down1 = ds1(full.down1, picture_map(config, picture));
    const FeatureMap down3 = ds3(full.down3, ds2(full.down2, down1));
    const FeatureMap down4 = ds4(full.down4, down3);
    const FeatureMap down5 = ds5(full.down5, down4);
    std::vector<ScalePredictions> scales;
    for (const FeatureMap& map : head(full.head, neck(full.neck, down5, down4, down3))) {
        scales.push_back(decode(config, parameters.scales[scales.size()], map.tensor, {}));
    }
    return scales;
}

}  // namespace zoo::yolov4::functional
