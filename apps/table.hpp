// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ostream>
#include <string>
#include <vector>

namespace zoo::apps {

// Columns of text, aligned. Numbers stand to the right, text to the left.
class Table {
public:
    enum class Align { Left, Right };

    struct Column {
        std::string title;
        Align align = Align::Left;
    };

    explicit Table(std::vector<Column> columns);

    void add(std::vector<std::string> cells);
    // A first cell, and then text that runs over all other columns.
    void add_note(std::string first, std::string text);
    void print(std::ostream& out) const;

private:
    struct Row {
        std::vector<std::string> cells;
        bool note = false;
    };

    std::vector<Column> columns_;
    std::vector<Row> rows_;
};

// Without trailing zeros that say nothing: 0.99987, 12.3, 1.2e-05.
std::string number(double value, int digits = 4);
std::string bytes(double count);  // "1.3 MB"
// A share in [0, 1] as a bar of 20 cells.
std::string bar(double share);

}  // namespace zoo::apps
