// SPDX-License-Identifier: Apache-2.0
#pragma once

// The boxes of a drawing of a network, one within the other, and what flows between them.
#include <cstdint>
#include <string>
#include <vector>

#include "modules/modules.hpp"

namespace zoo::apps::modules {

struct Row {
    enum class Style { Op, Product, Norm, Table, Text };

    std::string text;
    Style style = Style::Op;
};

struct Flow {
    static constexpr std::size_t kOutside = static_cast<std::size_t>(-1);

    std::size_t from = kOutside;  // places in `boxes`
    std::size_t to = kOutside;
    std::int64_t tensor = 0;  // the same number for the same tensor, in a box and in the one around it

    [[nodiscard]] auto operator<=>(const Flow&) const = default;
};

struct Box {
    std::string title;  // "encoder_layer x 12"; empty for plain ops
    std::string name;   // the path of its parameters, as far as the box around it does not say it
    std::vector<Row> rows;
    std::string shape;       // of what leaves a box that has no others inside
    std::vector<Box> boxes;  // inside
    std::vector<Flow> flows;
};

// A module is a box around its parts; modules in a row that are alike are one box, and ops that follow each other, each with nothing but
// the one before, are rows of one. Modules below `depth` levels (0: no limit) are closed, and so are those with many ops and no weights.
[[nodiscard]] Box boxes_of(const Network& network, int depth);

// How many boxes there are that have no others inside.
[[nodiscard]] std::size_t count_boxes(const Box& box);

}  // namespace zoo::apps::modules
