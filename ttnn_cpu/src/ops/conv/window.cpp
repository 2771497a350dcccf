// SPDX-License-Identifier: Apache-2.0
#include "ops/conv/window.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include <ttnn/operations/sliding_window/sliding_window.hpp>

#include "core/data_type.hpp"

namespace ttnn::operations::sliding_window {

std::array<uint32_t, 4> get_pair_n4_padding(
    const std::variant<std::array<uint32_t, 2>, std::array<uint32_t, 4>>& padding) {
    if (const auto* four = std::get_if<std::array<uint32_t, 4>>(&padding)) {
        return *four;
    }
    const auto& [height, width] = std::get<std::array<uint32_t, 2>>(padding);
    return {height, height, width, width};
}

}  // namespace ttnn::operations::sliding_window

namespace ttnn_cpu::sliding {
namespace {

constexpr std::uint32_t kTile = 32;
// The halo hands tiled inputs to its two readers in turn, this many rows at a time.
constexpr std::uint32_t kUntilizeRows = 32;

struct Transfer {
    std::uint32_t source;
    std::uint32_t target_core;
    std::uint32_t length;
};

// Elements of a serialized list of transfers: a count, then three for each run to one core and three for each transfer.
std::uint32_t gather_length(const std::vector<Transfer>& transfers) {
    std::uint32_t routes = 0;
    for (std::size_t i = 0; i < transfers.size(); ++i) {
        routes += i == 0 || transfers[i].target_core != transfers[i - 1].target_core ? 1 : 0;
    }
    return 1 + 3 * routes + 3 * static_cast<std::uint32_t>(transfers.size());
}

std::vector<Transfer> cut_at_blocks(const std::vector<Transfer>& transfers) {
    std::vector<Transfer> cut;
    for (Transfer transfer : transfers) {
        while (transfer.length > 0) {
            const std::uint32_t length = std::min(transfer.length, kUntilizeRows - transfer.source % kUntilizeRows);
            cut.push_back({transfer.source, transfer.target_core, length});
            transfer.source += length;
            transfer.length -= length;
        }
    }
    std::stable_sort(cut.begin(), cut.end(), [](const Transfer& a, const Transfer& b) {
        return std::pair(a.source, a.target_core) < std::pair(b.source, b.target_core);
    });
    return cut;
}

}  // namespace

std::uint32_t Window::output_shard_height() const {
    const std::uint32_t unit = cores_nhw * (snap_to_tile ? kTile : 1);
    return static_cast<std::uint32_t>(round_up(output_pixels(), unit)) / cores_nhw;
}

std::uint32_t Window::top_left(std::uint32_t output_pixel) const {
    const std::uint32_t x = output_pixel % output(1);
    const std::uint32_t y = output_pixel / output(1) % output(0);
    const std::uint32_t image = output_pixel / output(1) / output(0);
    return (image * padded(0) + y * stride[0]) * padded(1) + x * stride[1];
}

Pair ceil_padding(const Window& window) {
    Pair extra{0, 0};
    for (int axis = 0; axis < 2; ++axis) {
        const std::uint32_t size = window.input[axis] + window.padding[2 * axis] + window.padding[2 * axis + 1];
        std::uint32_t positions =
            static_cast<std::uint32_t>(divide_up(size - window.reach(axis), window.stride[axis])) + 1;
        // A last position that would lie in the padding alone does not count.
        if ((positions - 1) * window.stride[axis] >= window.input[axis] + window.padding[2 * axis]) {
            --positions;
        }
        const std::uint32_t needed = window.stride[axis] * (positions - 1) + window.reach(axis);
        extra[axis] = needed > size ? needed - size : 0;
    }
    return extra;
}

std::vector<ShardRange> shard_ranges(const Window& window) {
    const std::uint32_t pixels = window.output_pixels();
    const std::uint32_t shard = window.output_shard_height();
    const std::uint32_t behind = (window.reach(0) - 1) * window.padded(1) + window.reach(1) - 1;
    std::vector<ShardRange> ranges;
    std::uint32_t first = 0;
    for (std::uint32_t core = 0; core < window.cores_nhw; ++core) {
        const std::uint32_t last = std::min(first + shard, pixels) - 1;
        ranges.push_back({first, last, window.top_left(std::min(first, pixels - 1)), window.top_left(last) + behind});
        first = last + 1;
    }
    return ranges;
}

std::uint32_t max_halo_sticks(const Window& window) {
    std::uint32_t sticks = 0;
    for (const ShardRange& range : shard_ranges(window)) {
        sticks = std::max(sticks, range.input_last - range.input_first + 1);
    }
    return sticks;
}

std::uint32_t reader_table_length(const Window& window, std::uint32_t first, std::uint32_t second, bool many_blocks) {
    std::uint32_t longest = 0;
    for (const ShardRange& range : shard_ranges(window)) {
        if (range.output_first >= window.output_pixels()) {
            continue;
        }
        std::uint32_t length = 0;
        std::uint32_t left = 0;
        bool new_block = true;
        bool first_reader = true;
        std::uint32_t previous = 0;
        for (std::uint32_t pixel = range.output_first; pixel <= range.output_last; ++pixel) {
            const std::uint32_t position = window.top_left(pixel);
            if (new_block) {
                left = second == 0 || first_reader ? first : second;
                length += 3;  // segments, a filler, the start of one
                new_block = false;
            } else if (position != previous + window.stride[1]) {
                length += 2;
            }
            previous = position;
            if (--left == 0 || pixel == range.output_last) {
                ++length;
                new_block = many_blocks;
                first_reader = !first_reader;
            }
        }
        longest = std::max(longest, length);
    }
    return longest + longest % 2;
}

std::array<std::uint32_t, 4> halo_table_lengths(
    const Window& window, std::uint32_t input_shard_height, bool tiled_input) {
    const std::vector<ShardRange> ranges = shard_ranges(window);
    std::vector<std::uint32_t> paddings(ranges.size(), 0);
    // By the core that sends: first what it keeps, then what goes to others.
    std::vector<std::map<std::uint32_t, std::vector<Transfer>>> sends(ranges.size());
    for (std::uint32_t target = 0; target < ranges.size(); ++target) {
        bool in_padding = false;
        const Transfer* open = nullptr;
        std::uint32_t open_core = 0;
        for (std::uint32_t at = ranges[target].input_first; at <= ranges[target].input_last; ++at) {
            const std::uint32_t x = at % window.padded(1);
            const std::uint32_t y = at / window.padded(1) % window.padded(0);
            const std::uint32_t image = at / window.padded(1) / window.padded(0);
            const bool padding = y < window.padding[0] || y >= window.padding[0] + window.input[0] ||
                                 x < window.padding[2] || x >= window.padding[2] + window.input[1];
            if (padding) {
                paddings[target] += in_padding ? 0 : 1;
                in_padding = true;
                open = nullptr;
                continue;
            }
            in_padding = false;
            const std::uint32_t pixel =
                (image * window.input[0] + y - window.padding[0]) * window.input[1] + x - window.padding[2];
            const std::uint32_t core =
                std::min<std::uint32_t>(pixel / input_shard_height, static_cast<std::uint32_t>(ranges.size()) - 1);
            const std::uint32_t local = pixel - core * input_shard_height;
            std::vector<Transfer>& list = sends[core][target];
            if (open != nullptr && open_core == core && local == open->source + open->length) {
                ++list.back().length;
            } else {
                list.push_back({local, target, 1});
            }
            open = &list.back();
            open_core = core;
        }
    }
    std::array<std::uint32_t, 4> lengths{0, 0, 0, 0};
    for (std::uint32_t core = 0; core < ranges.size(); ++core) {
        lengths[0] = std::max(lengths[0], 2 * (paddings[core] / 2));
        lengths[1] = std::max(lengths[1], 2 * (paddings[core] - paddings[core] / 2));
        std::vector<Transfer> all = sends[core][core];
        for (const auto& [target, list] : sends[core]) {
            if (target != core) {
                all.insert(all.end(), list.begin(), list.end());
            }
        }
        if (tiled_input) {
            all = cut_at_blocks(all);
        }
        std::array<std::vector<Transfer>, 2> readers;
        for (std::size_t i = 0; i < all.size(); ++i) {
            readers[(tiled_input ? all[i].source / kUntilizeRows : i) % 2].push_back(all[i]);
        }
        lengths[2] = std::max(lengths[2], gather_length(readers[0]));
        lengths[3] = std::max(lengths[3], gather_length(readers[1]));
    }
    lengths[0] += 2;
    lengths[1] += 2;
    lengths[2] += lengths[2] % 2;
    lengths[3] += lengths[3] % 2;
    return lengths;
}

}  // namespace ttnn_cpu::sliding
