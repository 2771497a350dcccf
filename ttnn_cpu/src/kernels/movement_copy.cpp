// SPDX-License-Identifier: Apache-2.0
#include "kernels/movement_copy.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>

#include "kernels/movement_transpose.hpp"
#include "kernels/parallel.hpp"

namespace ttnn_cpu::kernels {
namespace {

constexpr std::size_t kChunkBytes = 128 * 1024;

std::size_t chunks_of(std::size_t units, std::size_t units_per_chunk) {
    return (units + units_per_chunk - 1) / units_per_chunk;
}

// Units of work that make up a chunk, at least one.
std::size_t units_per_chunk(std::size_t unit_bytes) {
    return std::max<std::size_t>(1, kChunkBytes / std::max<std::size_t>(1, unit_bytes));
}

// Steps through the outer dimensions of a move, the last of them fastest.
class Odometer {
public:
    Odometer(const StridedMove& move, std::span<const std::size_t> dims, std::size_t start) : move_(move), dims_(dims) {
        in_ = move.in_offset;
        out_ = move.out_offset;
        for (std::size_t i = dims.size(); i-- > 0;) {
            const std::size_t dim = dims[i];
            index_[i] = start % move.sizes[dim];
            start /= move.sizes[dim];
            in_ += index_[i] * move.in_strides[dim];
            out_ += index_[i] * move.out_strides[dim];
        }
    }

    std::size_t in() const { return in_; }
    std::size_t out() const { return out_; }

    void next() {
        for (std::size_t i = dims_.size(); i-- > 0;) {
            const std::size_t dim = dims_[i];
            in_ += move_.in_strides[dim];
            out_ += move_.out_strides[dim];
            if (++index_[i] < move_.sizes[dim]) {
                return;
            }
            in_ -= index_[i] * move_.in_strides[dim];
            out_ -= index_[i] * move_.out_strides[dim];
            index_[i] = 0;
        }
    }

private:
    const StridedMove& move_;
    std::span<const std::size_t> dims_;
    std::size_t index_[16] = {};
    std::size_t in_ = 0;
    std::size_t out_ = 0;
};

std::size_t volume(const StridedMove& move, std::span<const std::size_t> dims) {
    std::size_t count = 1;
    for (const std::size_t dim : dims) {
        count *= move.sizes[dim];
    }
    return count;
}

void move_runs(const StridedMove& move, std::size_t element_bytes, const std::byte* in, std::byte* out) {
    std::vector<std::size_t> outer(move.sizes.size() - 1);
    std::iota(outer.begin(), outer.end(), std::size_t{0});
    const std::size_t rows = volume(move, outer);
    const std::size_t bytes = move.sizes.back() * element_bytes;
    if (rows == 1) {
        copy_bytes(bytes, in + move.in_offset * element_bytes, out + move.out_offset * element_bytes);
        return;
    }
    const std::size_t per_chunk = units_per_chunk(bytes);
    parallel_for(chunks_of(rows, per_chunk), [&](std::size_t chunk) {
        const std::size_t begin = chunk * per_chunk;
        const std::size_t end = std::min(rows, begin + per_chunk);
        Odometer at(move, outer, begin);
        for (std::size_t row = begin; row < end; ++row) {
            std::memcpy(out + at.out() * element_bytes, in + at.in() * element_bytes, bytes);
            at.next();
        }
    });
}

// The last dimension is contiguous in the output, `across` in the input.
void move_transposed(
    const StridedMove& move, std::size_t across, std::size_t element_bytes, const std::byte* in, std::byte* out) {
    const std::size_t last = move.sizes.size() - 1;
    std::vector<std::size_t> outer;
    for (std::size_t i = 0; i < last; ++i) {
        if (i != across) {
            outer.push_back(i);
        }
    }
    const std::size_t planes = volume(move, outer);
    const std::size_t columns = move.sizes[across];
    // About as high as wide, so that neither side touches more pages than the processor remembers.
    const std::size_t across_part = 512 / element_bytes;
    const std::size_t down_part = 256;
    const std::size_t rows = move.sizes[last];
    const std::size_t across_parts = chunks_of(columns, across_part);
    const std::size_t down_parts = chunks_of(rows, down_part);
    parallel_for(planes * across_parts * down_parts, [&](std::size_t chunk) {
        const Odometer at(move, outer, chunk / (across_parts * down_parts));
        const std::size_t column = chunk / down_parts % across_parts * across_part;
        const std::size_t row = chunk % down_parts * down_part;
        transpose_block(
            {.rows = std::min(down_part, rows - row),
             .columns = std::min(across_part, columns - column),
             .in_stride = move.in_strides[last],
             .out_stride = move.out_strides[across]},
            element_bytes, in + (at.in() + row * move.in_strides[last] + column) * element_bytes,
            out + (at.out() + column * move.out_strides[across] + row) * element_bytes);
    });
}

template <typename T>
void move_elements(const StridedMove& move, const T* in, T* out) {
    const std::size_t last = move.sizes.size() - 1;
    std::vector<std::size_t> outer(last);
    std::iota(outer.begin(), outer.end(), std::size_t{0});
    const std::size_t rows = volume(move, outer);
    const std::size_t count = move.sizes[last];
    const std::size_t in_step = move.in_strides[last];
    const std::size_t out_step = move.out_strides[last];
    const std::size_t per_chunk = units_per_chunk(count * sizeof(T) * 4);
    parallel_for(chunks_of(rows, per_chunk), [&](std::size_t chunk) {
        const std::size_t begin = chunk * per_chunk;
        const std::size_t end = std::min(rows, begin + per_chunk);
        Odometer at(move, outer, begin);
        for (std::size_t row = begin; row < end; ++row) {
            const T* from = in + at.in();
            T* to = out + at.out();
            for (std::size_t i = 0; i < count; ++i) {
                to[i * out_step] = from[i * in_step];
            }
            at.next();
        }
    });
}

void fill_row(std::size_t count, std::size_t element_bytes, std::uint32_t value, std::byte* out) {
    switch (element_bytes) {
        case 1:
            std::memset(out, static_cast<int>(value & 0xFF), count);
            break;
        case 2:
            std::fill_n(reinterpret_cast<std::uint16_t*>(out), count, static_cast<std::uint16_t>(value));
            break;
        default:
            std::fill_n(reinterpret_cast<std::uint32_t*>(out), count, value);
            break;
    }
}

}  // namespace

StridedMove simplify(const StridedMove& move) {
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < move.sizes.size(); ++i) {
        if (move.sizes[i] != 1) {
            order.push_back(i);
        }
    }
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return move.out_strides[a] > move.out_strides[b];
    });
    StridedMove result{.in_offset = move.in_offset, .out_offset = move.out_offset};
    for (const std::size_t i : order) {
        if (!result.sizes.empty() && result.in_strides.back() == move.in_strides[i] * move.sizes[i] &&
            result.out_strides.back() == move.out_strides[i] * move.sizes[i]) {
            result.sizes.back() *= move.sizes[i];
            result.in_strides.back() = move.in_strides[i];
            result.out_strides.back() = move.out_strides[i];
        } else {
            result.sizes.push_back(move.sizes[i]);
            result.in_strides.push_back(move.in_strides[i]);
            result.out_strides.push_back(move.out_strides[i]);
        }
    }
    if (result.sizes.empty()) {
        result.sizes = result.in_strides = result.out_strides = {1};
    }
    return result;
}

void strided_move(const StridedMove& move, std::size_t element_bytes, const std::byte* in, std::byte* out) {
    if (std::find(move.sizes.begin(), move.sizes.end(), std::size_t{0}) != move.sizes.end()) {
        return;
    }
    if (move.out_strides.back() == 1 && move.in_strides.back() == 1) {
        move_runs(move, element_bytes, in, out);
        return;
    }
    const auto contiguous = std::find(move.in_strides.begin(), move.in_strides.end(), std::size_t{1});
    if (move.out_strides.back() == 1 && contiguous != move.in_strides.end()) {
        move_transposed(move, static_cast<std::size_t>(contiguous - move.in_strides.begin()), element_bytes, in, out);
        return;
    }
    switch (element_bytes) {
        case 1:
            move_elements(move, reinterpret_cast<const std::uint8_t*>(in), reinterpret_cast<std::uint8_t*>(out));
            break;
        case 2:
            move_elements(move, reinterpret_cast<const std::uint16_t*>(in), reinterpret_cast<std::uint16_t*>(out));
            break;
        default:
            move_elements(move, reinterpret_cast<const std::uint32_t*>(in), reinterpret_cast<std::uint32_t*>(out));
            break;
    }
}

void reshape_rows(
    const MatrixShape& in_shape, const MatrixShape& out_shape, std::size_t element_bytes, const std::byte* in,
    std::byte* out) {
    const std::size_t rows = out_shape.slices * out_shape.height;
    const std::size_t per_chunk = units_per_chunk(out_shape.width * element_bytes);
    const auto row_start = [](const MatrixShape& shape, std::size_t row) {
        return (row / shape.height * shape.padded_height + row % shape.height) * shape.padded_width;
    };
    parallel_for(chunks_of(rows, per_chunk), [&](std::size_t chunk) {
        const std::size_t end = std::min(rows, (chunk + 1) * per_chunk);
        for (std::size_t row = chunk * per_chunk; row < end; ++row) {
            std::byte* to = out + row_start(out_shape, row) * element_bytes;
            std::size_t in_row = row * out_shape.width / in_shape.width;
            std::size_t in_column = row * out_shape.width % in_shape.width;
            for (std::size_t done = 0; done < out_shape.width;) {
                const std::size_t count = std::min(out_shape.width - done, in_shape.width - in_column);
                const std::byte* from = in + (row_start(in_shape, in_row) + in_column) * element_bytes;
                std::memcpy(to + done * element_bytes, from, count * element_bytes);
                done += count;
                in_column = 0;
                ++in_row;
            }
        }
    });
}

void fill_padding(const MatrixShape& shape, std::size_t element_bytes, std::uint32_t value, std::byte* data) {
    if (!shape.padded()) {
        return;
    }
    const std::size_t rows = shape.slices * shape.padded_height;
    const std::size_t per_chunk = units_per_chunk(shape.padded_width * element_bytes);
    parallel_for(chunks_of(rows, per_chunk), [&](std::size_t chunk) {
        const std::size_t end = std::min(rows, (chunk + 1) * per_chunk);
        for (std::size_t row = chunk * per_chunk; row < end; ++row) {
            const std::size_t first = row % shape.padded_height < shape.height ? shape.width : 0;
            fill_row(
                shape.padded_width - first, element_bytes, value,
                data + (row * shape.padded_width + first) * element_bytes);
        }
    });
}

void fill(std::size_t elements, std::size_t element_bytes, std::uint32_t value, std::byte* data) {
    const std::size_t per_chunk = kChunkBytes / element_bytes;
    parallel_for(chunks_of(elements, per_chunk), [&](std::size_t chunk) {
        const std::size_t begin = chunk * per_chunk;
        fill_row(std::min(per_chunk, elements - begin), element_bytes, value, data + begin * element_bytes);
    });
}

void copy_bytes(std::size_t bytes, const std::byte* in, std::byte* out) {
    parallel_for(chunks_of(bytes, kChunkBytes), [&](std::size_t chunk) {
        const std::size_t begin = chunk * kChunkBytes;
        std::memcpy(out + begin, in + begin, std::min(kChunkBytes, bytes - begin));
    });
}

}  // namespace ttnn_cpu::kernels
