// SPDX-License-Identifier: Apache-2.0
#include "table.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

namespace zoo::apps {

namespace {

// Columns on the screen: code points of UTF-8 text, which is all that our tables hold.
std::size_t width(const std::string& text) {
    return static_cast<std::size_t>(
        std::count_if(text.begin(), text.end(), [](unsigned char c) { return (c & 0xC0) != 0x80; }));
}

}  // namespace

Table::Table(std::vector<Column> columns) : columns_(std::move(columns)) {}

void Table::add(std::vector<std::string> cells) {
    cells.resize(columns_.size());
    rows_.push_back({std::move(cells)});
}

void Table::add_note(std::string first, std::string text) {
    rows_.push_back({.cells = {std::move(first), std::move(text)}, .note = true});
}

void Table::print(std::ostream& out) const {
    std::vector<std::size_t> widths;
    for (std::size_t i = 0; i < columns_.size(); ++i) {
        std::size_t widest = width(columns_[i].title);
        for (const Row& row : rows_) {
            if (i == 0 || !row.note) {
                widest = std::max(widest, width(row.cells[i]));
            }
        }
        widths.push_back(widest);
    }
    const auto line = [&](const std::vector<std::string>& cells) {
        std::string text;
        for (std::size_t i = 0; i < cells.size(); ++i) {
            const std::string padding(widths[i] - width(cells[i]), ' ');
            text += i == 0 ? "" : "  ";
            text += columns_[i].align == Align::Right ? padding + cells[i] : cells[i] + padding;
        }
        text.erase(text.find_last_not_of(' ') + 1);
        out << text << '\n';
    };
    std::vector<std::string> titles;
    std::vector<std::string> rules;
    for (std::size_t i = 0; i < columns_.size(); ++i) {
        titles.push_back(columns_[i].title);
        rules.emplace_back(widths[i], '-');
    }
    line(titles);
    line(rules);
    for (const Row& row : rows_) {
        if (row.note) {
            out << row.cells[0] << std::string(widths[0] - width(row.cells[0]) + 2, ' ') << row.cells[1] << '\n';
        } else {
            line(row.cells);
        }
    }
}

std::string number(double value, int digits) { return fmt::format("{:.{}g}", value, digits); }

std::string bytes(double count) {
    static constexpr std::array kUnits{"B", "KB", "MB", "GB", "TB"};
    std::size_t unit = 0;
    while (count >= 1000 && unit + 1 < kUnits.size()) {
        count /= 1000;
        ++unit;
    }
    return fmt::format("{:.{}f} {}", count, unit == 0 || count >= 100 ? 0 : 1, kUnits[unit]);
}

std::string bar(double share) {
    constexpr int kWidth = 20;
    const int filled = std::clamp(static_cast<int>(share * kWidth + 0.5), 0, kWidth);
    std::string text;
    for (int i = 0; i < kWidth; ++i) {
        text += i < filled ? "█" : "·";
    }
    return text;
}

}  // namespace zoo::apps
