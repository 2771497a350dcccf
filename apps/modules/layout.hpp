// SPDX-License-Identifier: Apache-2.0
#pragma once

// Places the nodes of a graph without cycles in layers, from the top down, and leads its edges between them.
#include <cstddef>
#include <vector>

namespace zoo::apps::modules {

struct Point {
    double x = 0;
    double y = 0;
};

struct LayoutNode {
    enum class Place { Inner, Top, Bottom };

    double width = 0;
    double height = 0;
    Place place = Place::Inner;  // Top and Bottom: alone in the first or last layer with others of its kind
    // The result: the left upper corner.
    double x = 0;
    double y = 0;
};

struct LayoutEdge {
    std::size_t from = 0;
    std::size_t to = 0;
    // Where it leaves and arrives, to the right of the nodes' middles.
    double from_offset = 0;
    double to_offset = 0;
    // The result: an even number of points; straight down from each first to the second, and a bend from there to the next.
    std::vector<Point> points = {};
};

struct Layout {
    std::vector<LayoutNode> nodes;
    std::vector<LayoutEdge> edges;
    double width = 0;
    double height = 0;
};

// Fills in the results. Edges must not form cycles.
void lay_out(Layout& layout);

}  // namespace zoo::apps::modules
