// SPDX-License-Identifier: Apache-2.0
#include "modules/layout.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace zoo::apps::modules {

namespace {

constexpr double kNodeGap = 22;      // between neighbours
constexpr double kLayerGap = 34;     // between layers
constexpr double kChannelWidth = 6;  // of an edge that passes a layer
constexpr int kSweeps = 24;

// A node of the layout, or the place where an edge passes a layer.
struct Cell {
    double width = 0;
    double middle = 0;
    std::size_t layer = 0;
    bool passes = false;
    std::vector<std::size_t> above = {};  // links
    std::vector<std::size_t> below = {};
};

// From one layer to the next.
struct Link {
    std::size_t from;
    std::size_t to;
    double from_offset = 0;
    double to_offset = 0;
};

class Placer {
public:
    explicit Placer(Layout& layout) : layout_(layout) {
        find_layers();
        add_cells();
        order();
        for (int sweep = 0; sweep < kSweeps; ++sweep) {
            align(sweep % 2 == 0);
        }
        write();
    }

private:
    using Place = LayoutNode::Place;

    void find_layers() {
        const std::size_t count = layout_.nodes.size();
        layer_of_.assign(count, 0);
        const bool has_top = std::ranges::any_of(layout_.nodes, [](const auto& n) { return n.place == Place::Top; });
        for (std::size_t i = 0; i < count; ++i) {
            layer_of_[i] = has_top && layout_.nodes[i].place != Place::Top ? 1 : 0;
        }
        // The longest way from above; as often as there are nodes is enough.
        for (bool moved = true; moved;) {
            moved = false;
            for (const LayoutEdge& edge : layout_.edges) {
                if (layer_of_[edge.to] < layer_of_[edge.from] + 1) {
                    layer_of_[edge.to] = layer_of_[edge.from] + 1;
                    moved = true;
                }
            }
        }
        // What nothing leads to stands just above what it leads to.
        for (std::size_t i = 0; i < count; ++i) {
            std::size_t lowest = std::numeric_limits<std::size_t>::max();
            bool is_source = layout_.nodes[i].place == Place::Inner;
            for (const LayoutEdge& edge : layout_.edges) {
                is_source = is_source && edge.to != i;
                lowest = edge.from == i ? std::min(lowest, layer_of_[edge.to]) : lowest;
            }
            if (is_source && lowest != std::numeric_limits<std::size_t>::max()) {
                layer_of_[i] = lowest - 1;
            }
        }
        std::size_t last = 0;
        for (std::size_t i = 0; i < count; ++i) {
            last = std::max(last, layer_of_[i] + (layout_.nodes[i].place == Place::Inner ? 1 : 0));
        }
        for (std::size_t i = 0; i < count; ++i) {
            if (layout_.nodes[i].place == Place::Bottom) {
                layer_of_[i] = last;
            }
        }
        layers_.resize(1 + (count == 0 ? 0 : *std::ranges::max_element(layer_of_)));
    }

    void add_cells() {
        for (std::size_t i = 0; i < layout_.nodes.size(); ++i) {
            add_cell({.width = layout_.nodes[i].width, .layer = layer_of_[i]});
        }
        for (const LayoutEdge& edge : layout_.edges) {
            std::vector<std::size_t>& chain = chains_.emplace_back();
            chain.push_back(edge.from);
            for (std::size_t layer = layer_of_[edge.from] + 1; layer < layer_of_[edge.to]; ++layer) {
                chain.push_back(add_cell({.width = kChannelWidth, .layer = layer, .passes = true}));
            }
            chain.push_back(edge.to);
            for (std::size_t i = 0; i + 1 < chain.size(); ++i) {
                cells_[chain[i]].below.push_back(links_.size());
                cells_[chain[i + 1]].above.push_back(links_.size());
                links_.push_back(
                    {chain[i], chain[i + 1], i == 0 ? edge.from_offset : 0,
                     i + 2 == chain.size() ? edge.to_offset : 0});
            }
        }
    }

    std::size_t add_cell(Cell cell) {
        layers_[cell.layer].push_back(cells_.size());
        cells_.push_back(std::move(cell));
        return cells_.size() - 1;
    }

    [[nodiscard]] double gap(std::size_t left, std::size_t right) const {
        const bool narrow = cells_[left].passes || cells_[right].passes;
        return (cells_[left].width + cells_[right].width) / 2 + (narrow ? kNodeGap * 0.6 : kNodeGap);
    }

    void pack(const std::vector<std::size_t>& layer) {
        double middle = 0;
        for (std::size_t i = 0; i < layer.size(); ++i) {
            middle += i == 0 ? 0 : gap(layer[i - 1], layer[i]);
            cells_[layer[i]].middle = middle;
        }
    }

    // Where the neighbours of one side would have a cell, on average; where it is without any.
    [[nodiscard]] double wanted(std::size_t cell, bool from_above) const {
        const std::vector<std::size_t>& links = from_above ? cells_[cell].above : cells_[cell].below;
        if (links.empty()) {
            return cells_[cell].middle;
        }
        double sum = 0;
        for (const std::size_t i : links) {
            const Link& link = links_[i];
            const double there =
                from_above ? cells_[link.from].middle + link.from_offset : cells_[link.to].middle + link.to_offset;
            sum += there - (from_above ? link.to_offset : link.from_offset);
        }
        return sum / static_cast<double>(links.size());
    }

    [[nodiscard]] std::size_t crossings() const {
        std::size_t count = 0;
        for (const std::vector<std::size_t>& layer : layers_) {
            std::vector<std::pair<double, double>> ends;
            for (const std::size_t cell : layer) {
                for (const std::size_t i : cells_[cell].below) {
                    ends.emplace_back(
                        cells_[links_[i].from].middle + links_[i].from_offset,
                        cells_[links_[i].to].middle + links_[i].to_offset);
                }
            }
            for (std::size_t i = 0; i < ends.size(); ++i) {
                for (std::size_t j = i + 1; j < ends.size(); ++j) {
                    count += (ends[i].first - ends[j].first) * (ends[i].second - ends[j].second) < 0 ? 1 : 0;
                }
            }
        }
        return count;
    }

    // Sweeps down and up put cells beside the middle of their neighbours; the order with the fewest crossings stays.
    void order() {
        std::ranges::for_each(layers_, [&](const auto& layer) { pack(layer); });
        auto best = layers_;
        std::size_t fewest = crossings();
        for (int sweep = 0; sweep < kSweeps && fewest > 0; ++sweep) {
            const bool down = sweep % 2 == 0;
            for (std::size_t i = 0; i < layers_.size(); ++i) {
                auto& layer = layers_[down ? i : layers_.size() - 1 - i];
                std::ranges::stable_sort(layer, {}, [&](std::size_t cell) { return wanted(cell, down); });
                pack(layer);
            }
            if (const std::size_t now = crossings(); now < fewest) {
                fewest = now;
                best = layers_;
            }
        }
        layers_ = best;
        std::ranges::for_each(layers_, [&](const auto& layer) { pack(layer); });
    }

    // Every cell as near as can be to where its neighbours want it: the least squares under the gaps, by pooling those that would touch.
    void align(bool down) {
        for (std::size_t i = 0; i < layers_.size(); ++i) {
            const auto& layer = layers_[down ? i : layers_.size() - 1 - i];
            struct Pool {
                double sum;
                double weight;
                std::size_t count;
            };
            std::vector<Pool> pools;
            std::vector<double> offsets;
            for (std::size_t k = 0; k < layer.size(); ++k) {
                offsets.push_back(k == 0 ? 0 : offsets.back() + gap(layer[k - 1], layer[k]));
                const Cell& cell = cells_[layer[k]];
                // Long edges are to be straight, boxes with no say stay loose.
                const bool free = (down ? cell.above : cell.below).empty();
                const double weight = free ? 0.05 : cell.passes ? 4 : 1;
                pools.push_back({weight * (wanted(layer[k], down) - offsets[k]), weight, 1});
                while (pools.size() > 1) {
                    const Pool& a = pools[pools.size() - 2];
                    const Pool& b = pools.back();
                    if (a.sum / a.weight <= b.sum / b.weight) {
                        break;
                    }
                    const Pool both{a.sum + b.sum, a.weight + b.weight, a.count + b.count};
                    pools.pop_back();
                    pools.back() = both;
                }
            }
            std::size_t k = 0;
            for (const Pool& pool : pools) {
                for (std::size_t j = 0; j < pool.count; ++j, ++k) {
                    cells_[layer[k]].middle = pool.sum / pool.weight + offsets[k];
                }
            }
        }
    }

    void write() {
        double left = std::numeric_limits<double>::max();
        double right = std::numeric_limits<double>::lowest();
        for (const Cell& cell : cells_) {
            left = std::min(left, cell.middle - cell.width / 2);
            right = std::max(right, cell.middle + cell.width / 2);
        }
        std::vector<double> tops;
        std::vector<double> bottoms;
        double y = 0;
        for (const auto& layer : layers_) {
            double height = 0;
            for (const std::size_t cell : layer) {
                height = std::max(height, cell < layout_.nodes.size() ? layout_.nodes[cell].height : 0);
            }
            tops.push_back(y);
            bottoms.push_back(y + height);
            y += height + kLayerGap;
        }
        for (std::size_t i = 0; i < layout_.nodes.size(); ++i) {
            layout_.nodes[i].x = cells_[i].middle - cells_[i].width / 2 - left;
            layout_.nodes[i].y = tops[cells_[i].layer];
        }
        for (std::size_t i = 0; i < layout_.edges.size(); ++i) {
            LayoutEdge& edge = layout_.edges[i];
            const std::vector<std::size_t>& chain = chains_[i];
            for (std::size_t k = 0; k < chain.size(); ++k) {
                const Cell& cell = cells_[chain[k]];
                const bool first = k == 0;
                const bool last = k + 1 == chain.size();
                const double x = cell.middle - left + (first ? edge.from_offset : 0) + (last ? edge.to_offset : 0);
                if (first) {
                    edge.points.push_back({x, tops[cell.layer] + layout_.nodes[edge.from].height});
                    edge.points.push_back({x, bottoms[cell.layer]});
                } else if (last) {
                    edge.points.push_back({x, tops[cell.layer]});
                    edge.points.push_back({x, tops[cell.layer]});
                } else {
                    edge.points.push_back({x, tops[cell.layer]});
                    edge.points.push_back({x, bottoms[cell.layer]});
                }
            }
        }
        layout_.width = cells_.empty() ? 0 : right - left;
        layout_.height = bottoms.empty() ? 0 : bottoms.back();
    }

    Layout& layout_;
    std::vector<std::size_t> layer_of_;
    std::vector<Cell> cells_;  // nodes first
    std::vector<Link> links_;
    std::vector<std::vector<std::size_t>> chains_;  // of each edge, the cells it goes through
    std::vector<std::vector<std::size_t>> layers_;
};

}  // namespace

void lay_out(Layout& layout) { const Placer placer(layout); }

}  // namespace zoo::apps::modules
