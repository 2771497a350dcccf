// SPDX-License-Identifier: Apache-2.0
// Modules of a traced golden, their summary and their drawing.
#include <random>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "modules/boxes.hpp"
#include "modules/drawing.hpp"
#include "modules/layout.hpp"
#include "modules/modules.hpp"

namespace zoo::apps::modules {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

// A trace written by hand: linear layers with a relu behind, in a function each.
class Written {
public:
    Written() { parameters_.reserve(32); }

    aten::TensorInfo input() { return {.shape = {4, 8}, .dtype = "torch.float32", .input = inputs_++}; }

    std::int64_t scope(const std::string& name, std::int64_t parent = aten::kNone) {
        trace_.scopes.push_back({name, parent});
        return std::ssize(trace_.scopes) - 1;
    }

    aten::TensorInfo op(
        const std::string& type, std::int64_t scope, const std::vector<aten::TensorInfo>& tensors,
        std::vector<std::int64_t> shape = {4, 8}) {
        aten::Op op{.type = type, .scope = scope};
        for (const aten::TensorInfo& tensor : tensors) {
            op.arguments.push_back({.tensors = {tensor}});
        }
        op.outputs = {{.shape = std::move(shape), .dtype = "torch.float32", .producer = std::ssize(trace_.ops)}};
        trace_.ops.push_back(op);
        return op.outputs[0];
    }

    aten::TensorInfo parameter(const std::string& name, const Shape& shape) {
        for (std::size_t i = 0; i < named_.size(); ++i) {
            if (named_[i].first == name) {
                return {.shape = shape, .dtype = "torch.float32", .parameter = static_cast<std::int64_t>(i)};
            }
        }
        parameters_.push_back({shape, std::vector<float>(static_cast<std::size_t>(element_count(shape)))});
        named_.emplace_back(name, &parameters_.back());
        return {.shape = shape, .dtype = "torch.float32", .parameter = std::ssize(named_) - 1};
    }

    aten::TensorInfo linear(const std::string& name, std::int64_t scope, const aten::TensorInfo& x) {
        const auto turned = op("aten.t.default", scope, {parameter(name + ".weight", {8, 8})}, {8, 8});
        return op("aten.addmm.default", scope, {parameter(name + ".bias", {8}), x, turned});
    }

    aten::TensorInfo block(const std::string& name, const aten::TensorInfo& x) {
        const std::int64_t here = scope("block");
        return op("aten.add.Tensor", here, {x, op("aten.relu.default", here, {linear(name + ".fc", here, x)})});
    }

    Network network() { return network_of(trace_, named_, "written"); }

private:
    aten::Trace trace_;
    std::vector<HostTensor> parameters_;
    NamedTensors named_;
    std::int64_t inputs_ = 0;
};

TEST(Modules, LayersAreFoundByTheNamesOfTheirWeights) {
    Written written;
    (void)written.block("layers.0", written.input());
    const Network network = written.network();
    ASSERT_EQ(network.root.children.size(), 1U);
    const Module& block = network.root.children[0];
    EXPECT_EQ(block.kind, "block");
    EXPECT_EQ(block.path, "layers.0");
    EXPECT_EQ(describe_ops(network, block.ops), "relu, add");
    ASSERT_EQ(block.children.size(), 1U);
    const Module& layer = block.children[0];
    EXPECT_EQ(layer.kind, "Linear");
    EXPECT_EQ(layer.path, "layers.0.fc");
    EXPECT_EQ(layer.detail, "8 -> 8");
    EXPECT_EQ(layer.parameters, 72);
    EXPECT_EQ(layer.multiply_adds, 4 * 8 * 8);
    EXPECT_EQ(network.root.parameters, 72);
    EXPECT_THAT(network.root.output, ElementsAre(4, 8));
    EXPECT_TRUE(network.constant[0]) << "a weight that is turned depends on no input";
    EXPECT_FALSE(network.constant[1]);
}

TEST(Modules, WeightsThatAreReadAgainCountOnce) {
    Written written;
    const auto x = written.block("shared", written.input());
    (void)written.block("shared", x);
    (void)written.parameter("head.weight", {3, 8});
    const Network network = written.network();
    EXPECT_EQ(network.root.parameters, 72);
    EXPECT_EQ(network.unused_parameters, 24);
    EXPECT_FALSE(network.root.children[0].shared);
    EXPECT_TRUE(network.root.children[1].shared);
    EXPECT_EQ(network.root.children[1].parameters, 0);
    EXPECT_TRUE(alike(network, network.root.children[0], network.root.children[1]));
}

TEST(Boxes, ModulesThatFollowEachOtherAndAreAlikeAreOne) {
    Written written;
    auto x = written.input();
    for (int i = 0; i < 3; ++i) {
        x = written.block(fmt::format("layers.{}", i), x);
    }
    const Box box = boxes_of(written.network(), 0);
    ASSERT_EQ(box.boxes.size(), 3U) << "blocks, input, output";
    EXPECT_EQ(box.boxes[0].title, "block x 3");
    // The layer with its relu, and the sum, which takes the input as well.
    ASSERT_EQ(box.boxes[0].boxes.size(), 2U);
    EXPECT_EQ(box.boxes[0].boxes[0].rows.size(), 2U);
    EXPECT_EQ(box.boxes[0].flows.size(), 4U);
}

TEST(Boxes, ModulesSideBySideStayApart) {
    Written written;
    const auto x = written.input();
    const auto one = written.block("left", x);
    const auto two = written.block("right", x);
    (void)written.op("aten.cat.default", aten::kNone, {one, two});
    const Box box = boxes_of(written.network(), 0);
    EXPECT_EQ(box.boxes.size(), 5U) << "two blocks, the cat, input, output";
}

TEST(Boxes, DepthClosesModules) {
    Written written;
    (void)written.block("layers.0", written.input());
    const Box box = boxes_of(written.network(), 1);
    EXPECT_EQ(count_boxes(box), 3U);
    EXPECT_TRUE(box.boxes[0].boxes.empty());
    EXPECT_EQ(box.boxes[0].rows[0].text, "addmm, relu, add");
}

TEST(Drawing, EscapesWhatXmlWouldRead) {
    const std::string svg = draw({.boxes = {{.rows = {{"8 -> 8 & <more>"}}}}}, "a < b");
    EXPECT_THAT(svg, HasSubstr("8 -&gt; 8 &amp; &lt;more&gt;"));
    EXPECT_THAT(svg, HasSubstr("a &lt; b"));
    EXPECT_THAT(svg, Not(HasSubstr("<more>")));
}

// Of random graphs: boxes never touch, edges go down from box to box and pass beside all others.
TEST(Layout, NothingOverlaps) {
    std::mt19937 random(1);
    const auto number = [&](std::size_t from, std::size_t to) {
        return std::uniform_int_distribution<std::size_t>(from, to)(random);
    };
    for (int graph = 0; graph < 200; ++graph) {
        Layout layout;
        const std::size_t count = number(1, 14);
        for (std::size_t i = 0; i < count; ++i) {
            layout.nodes.push_back(
                {.width = static_cast<double>(number(20, 200)), .height = static_cast<double>(number(20, 90))});
        }
        for (std::size_t i = 1; i < count; ++i) {
            for (std::size_t edges = number(0, 2); edges > 0; --edges) {
                layout.edges.push_back({.from = number(0, i - 1), .to = i});
            }
        }
        lay_out(layout);
        for (std::size_t i = 0; i < count; ++i) {
            const LayoutNode& a = layout.nodes[i];
            EXPECT_GE(a.x, -0.01);
            EXPECT_LE(a.x + a.width, layout.width + 0.01);
            EXPECT_LE(a.y + a.height, layout.height + 0.01);
            for (std::size_t j = i + 1; j < count; ++j) {
                const LayoutNode& b = layout.nodes[j];
                const bool apart =
                    a.x + a.width < b.x || b.x + b.width < a.x || a.y + a.height < b.y || b.y + b.height < a.y;
                EXPECT_TRUE(apart) << "graph " << graph << ": " << i << " and " << j;
            }
        }
        for (const LayoutEdge& edge : layout.edges) {
            const LayoutNode& from = layout.nodes[edge.from];
            const LayoutNode& to = layout.nodes[edge.to];
            ASSERT_GE(edge.points.size(), 4U);
            EXPECT_NEAR(edge.points.front().x, from.x + from.width / 2, 0.01);
            EXPECT_NEAR(edge.points.front().y, from.y + from.height, 0.01);
            EXPECT_NEAR(edge.points.back().x, to.x + to.width / 2, 0.01);
            EXPECT_NEAR(edge.points.back().y, to.y, 0.01);
            for (std::size_t i = 0; i + 1 < edge.points.size(); i += 2) {
                EXPECT_EQ(edge.points[i].x, edge.points[i + 1].x);
                for (std::size_t node = 0; node < count; ++node) {
                    const LayoutNode& other = layout.nodes[node];
                    const bool crosses = node != edge.from && node != edge.to && edge.points[i].x > other.x &&
                                         edge.points[i].x < other.x + other.width &&
                                         edge.points[i].y < other.y + other.height && edge.points[i + 1].y > other.y;
                    EXPECT_FALSE(crosses) << "graph " << graph << ": an edge runs through box " << node;
                }
            }
        }
    }
}

}  // namespace
}  // namespace zoo::apps::modules
