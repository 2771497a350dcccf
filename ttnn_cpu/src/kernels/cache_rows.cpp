// SPDX-License-Identifier: Apache-2.0
#include "kernels/cache_rows.hpp"

#include <cstring>
#include <vector>

namespace ttnn_cpu::kernels {

using tt::tt_metal::DataType;

namespace {

constexpr std::size_t kGroup = 16;  // values of a block float that share an exponent

std::size_t bytes_of(DataType dtype) {
    switch (dtype) {
        case DataType::FLOAT32:
            return 4;
        case DataType::BFLOAT16:
            return 2;
        default:
            return 1;
    }
}

}  // namespace

void copy_rows(
    const StoredMatrix& from, const std::byte* in, std::size_t in_row, const StoredMatrix& to, std::byte* out,
    std::size_t out_row, std::size_t count) {
    const std::size_t width = from.cols;
    const bool plane = from.dtype == DataType::FLOAT32 || from.dtype == DataType::BFLOAT16;
    if (from.dtype == to.dtype && (plane || from.dtype == DataType::BFLOAT8_B)) {
        const std::size_t bytes = bytes_of(from.dtype);
        std::memcpy(out + out_row * width * bytes, in + in_row * width * bytes, count * width * bytes);
        if (!plane) {
            std::memcpy(
                out + to.size() + out_row * width / kGroup, in + from.size() + in_row * width / kGroup,
                count * width / kGroup);
        }
        return;
    }
    thread_local std::vector<float> values;
    values.resize(count * width);
    from.load_f32(in, in_row * width, values.size(), values.data());
    to.store_f32(out, out_row * width, values.size(), values.data());
}

}  // namespace ttnn_cpu::kernels
