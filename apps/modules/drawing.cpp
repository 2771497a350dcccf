// SPDX-License-Identifier: Apache-2.0
#include "modules/drawing.hpp"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "modules/layout.hpp"

namespace zoo::apps::modules {

namespace {

constexpr double kCharacter = 7.4;  // the widest that 12 pixels of a usual sans-serif font take on average
constexpr double kRowHeight = 20;
constexpr double kBarHeight = 22;  // of a title
constexpr double kPadding = 16;

std::string escaped(const std::string& text) {
    std::string result;
    for (const char c : text) {
        result += c == '<' ? "&lt;" : c == '>' ? "&gt;" : c == '&' ? "&amp;" : std::string(1, c);
    }
    return result;
}

double text_width(const std::string& text) { return kCharacter * static_cast<double>(text.size()); }

const char* fill_of(Row::Style style) {
    switch (style) {
        case Row::Style::Product:
            return "#d6e6f7";
        case Row::Style::Norm:
            return "#e2f1da";
        case Row::Style::Table:
            return "#fbecd0";
        case Row::Style::Op:
            return "#efefef";
        case Row::Style::Text:
            return "#ffffff";
    }
    return "";
}

// A box with its size, its parts in their places, and where tensors enter and leave it.
struct Sized {
    const Box* box = nullptr;
    double width = 0;
    double height = 0;
    std::vector<Sized> parts = {};
    Layout inner = {};
    std::map<std::int64_t, double> ins = {};  // from the left
    std::map<std::int64_t, double> outs = {};
};

// Bold letters are wider.
double head_width(const Box& box) { return 1.12 * text_width(box.title) + text_width(box.name) + 9; }

double inner_top(const Box& box) { return box.title.empty() ? 0 : kBarHeight; }

Sized sized(const Box& box) {
    Sized result{.box = &box};
    const double head = box.title.empty() ? 0 : head_width(box) + kPadding;
    if (box.boxes.empty()) {
        result.width = std::max(head, text_width(box.shape) + kPadding);
        for (const Row& row : box.rows) {
            result.width = std::max(result.width, text_width(row.text) + kPadding);
        }
        result.height = inner_top(box) + kRowHeight * static_cast<double>(box.rows.size()) +
                        (box.shape.empty() ? 0 : kRowHeight - 4);
        return result;
    }
    Layout& layout = result.inner;
    for (const Box& part : box.boxes) {
        result.parts.push_back(sized(part));
        layout.nodes.push_back({.width = result.parts.back().width, .height = result.parts.back().height});
    }
    // Where a tensor passes the frame there is a node without size.
    std::map<std::int64_t, std::size_t> tops;
    std::map<std::int64_t, std::size_t> bottoms;
    const auto port = [&](auto& ports, std::int64_t tensor, LayoutNode::Place place) {
        const auto [found, fresh] = ports.try_emplace(tensor, layout.nodes.size());
        if (fresh) {
            layout.nodes.push_back({.width = 0, .height = 0, .place = place});
        }
        return found->second;
    };
    const auto offset = [&](const std::map<std::int64_t, double>& ports, std::int64_t tensor, double width) {
        const auto found = ports.find(tensor);
        return found == ports.end() ? 0.0 : found->second - width / 2;
    };
    for (const Flow& flow : box.flows) {
        LayoutEdge edge;
        if (flow.from == Flow::kOutside) {
            edge.from = port(tops, flow.tensor, LayoutNode::Place::Top);
        } else {
            edge.from = flow.from;
            edge.from_offset = offset(result.parts[flow.from].outs, flow.tensor, result.parts[flow.from].width);
        }
        if (flow.to == Flow::kOutside) {
            edge.to = port(bottoms, flow.tensor, LayoutNode::Place::Bottom);
        } else {
            edge.to = flow.to;
            edge.to_offset = offset(result.parts[flow.to].ins, flow.tensor, result.parts[flow.to].width);
        }
        layout.edges.push_back(edge);
    }
    lay_out(layout);
    result.width = std::max(head, layout.width + 2 * kPadding);
    // Frames without ports at their ends have a margin there.
    const double above = tops.empty() ? kPadding : 0;
    const double below = bottoms.empty() ? kPadding : 0;
    result.height = inner_top(box) + above + layout.height + below;
    const double left = (result.width - layout.width) / 2;
    const auto shift = [&](Point& point) {
        point.x += left;
        point.y += inner_top(box) + above;
    };
    for (LayoutNode& node : layout.nodes) {
        node.x += left;
        node.y += inner_top(box) + above;
    }
    for (LayoutEdge& edge : layout.edges) {
        std::ranges::for_each(edge.points, shift);
    }
    for (const auto& [tensor, node] : tops) {
        result.ins[tensor] = layout.nodes[node].x;
    }
    for (const auto& [tensor, node] : bottoms) {
        result.outs[tensor] = layout.nodes[node].x;
    }
    return result;
}

class Svg {
public:
    void box(const Sized& sized, double x, double y, int level) {
        const Box& box = *sized.box;
        const char* fill = box.boxes.empty() ? "#ffffff" : level % 2 == 0 ? "#fafbfd" : "#f1f5fa";
        rectangle(x, y, sized.width, sized.height, fill, box.boxes.empty() ? "#8a98a8" : "#b4c0ce");
        if (!box.title.empty()) {
            text_ += fmt::format(
                "<text x=\"{:.1f}\" y=\"{:.1f}\" font-weight=\"bold\">{}<tspan dx=\"9\" font-weight=\"normal\" "
                "fill=\"#5a6674\">{}</tspan></text>\n",
                x + 8, y + 15, escaped(box.title), escaped(box.name));
        }
        double top = y + inner_top(box);
        for (const Row& row : box.rows) {
            text_ += fmt::format(
                "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" fill=\"{}\"/>\n", x + 1, top + 1,
                sized.width - 2, kRowHeight - 1, fill_of(row.style));
            text_ += fmt::format(
                "<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">{}</text>\n", x + sized.width / 2, top + 14,
                escaped(row.text));
            top += kRowHeight;
        }
        if (box.boxes.empty() && !box.shape.empty()) {
            text_ += fmt::format(
                "<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\" font-size=\"11\" fill=\"#5a6674\">{}</text>\n",
                x + sized.width / 2, top + 12, escaped(box.shape));
        }
        for (const LayoutEdge& edge : sized.inner.edges) {
            this->edge(edge, edge.to < sized.parts.size(), x, y);
        }
        for (std::size_t i = 0; i < sized.parts.size(); ++i) {
            this->box(sized.parts[i], x + sized.inner.nodes[i].x, y + sized.inner.nodes[i].y, level + 1);
        }
    }

    void edge(const LayoutEdge& edge, bool arrow, double x, double y) {
        std::string path;
        for (std::size_t i = 0; i < edge.points.size(); i += 2) {
            const Point a{edge.points[i].x + x, edge.points[i].y + y};
            const Point b{edge.points[i + 1].x + x, edge.points[i + 1].y + y};
            if (i == 0) {
                path += fmt::format("M{:.1f} {:.1f}", a.x, a.y);
            } else {
                const Point before{edge.points[i - 1].x + x, edge.points[i - 1].y + y};
                const double middle = (before.y + a.y) / 2;
                path +=
                    fmt::format("C{:.1f} {:.1f} {:.1f} {:.1f} {:.1f} {:.1f}", before.x, middle, a.x, middle, a.x, a.y);
            }
            if (b.y > a.y) {
                path += fmt::format("V{:.1f}", b.y);
            }
        }
        text_ += fmt::format(
            "<path d=\"{}\" fill=\"none\" stroke=\"#56708c\" stroke-width=\"1.3\"{}/>\n", path,
            arrow ? " marker-end=\"url(#arrow)\"" : "");
    }

    void rectangle(double x, double y, double width, double height, const char* fill, const char* stroke) {
        text_ += fmt::format(
            "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" rx=\"4\" fill=\"{}\" "
            "stroke=\"{}\"/>\n",
            x, y, width, height, fill, stroke);
    }

    [[nodiscard]] std::string page(double width, double height, const std::string& title) const {
        return fmt::format(
                   "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0f}\" height=\"{1:.0f}\" viewBox=\"0 0 "
                   "{0:.0f} "
                   "{1:.0f}\" font-family=\"DejaVu Sans, Verdana, sans-serif\" font-size=\"12\">\n"
                   "<title>{2}</title>\n"
                   "<defs><marker id=\"arrow\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" markerWidth=\"7\" "
                   "markerHeight=\"7\" orient=\"auto\"><path d=\"M0 0L8 4L0 8z\" fill=\"#56708c\"/></marker></defs>\n"
                   "<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n"
                   "<text x=\"16\" y=\"26\" font-size=\"15\">{2}</text>\n",
                   width, height, escaped(title)) +
               text_ + "</svg>\n";
    }

private:
    std::string text_;
};

}  // namespace

std::string draw(const Box& root, const std::string& title) {
    Box frame = root;
    frame.title.clear();
    frame.name.clear();
    const Sized all = sized(frame);
    Svg svg;
    constexpr double kTop = 40;
    svg.box(all, kPadding, kTop, 0);
    return svg.page(std::max(all.width, 1.25 * text_width(title)) + 2 * kPadding, all.height + kTop + kPadding, title);
}

}  // namespace zoo::apps::modules
