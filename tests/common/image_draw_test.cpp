// SPDX-License-Identifier: Apache-2.0
#include "zoo/image/draw.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <set>

#include "zoo/class_names.hpp"
#include "zoo/top_k.hpp"

namespace zoo {
namespace {

constexpr Color kRed{200, 0, 0};

bool is(const Image& image, std::int64_t x, std::int64_t y, Color color) {
    const std::uint8_t* pixel = image.at(x, y);
    return Color{pixel[0], pixel[1], pixel[2]} == color;
}

std::int64_t count(const Image& image, Color color) {
    std::int64_t found = 0;
    for (std::int64_t y = 0; y < image.height; ++y) {
        for (std::int64_t x = 0; x < image.width; ++x) {
            found += is(image, x, y, color) ? 1 : 0;
        }
    }
    return found;
}

TEST(Draw, OutlineLiesInside) {
    Image image = filled_image(20, 10, 255, 255, 255);
    draw_rectangle(image, {2, 1, 12, 9}, kRed, 2);
    EXPECT_EQ(count(image, kRed), 10 * 8 - 6 * 4);
    EXPECT_TRUE(is(image, 2, 1, kRed));
    EXPECT_TRUE(is(image, 11, 8, kRed));
    EXPECT_FALSE(is(image, 12, 8, kRed));
    EXPECT_FALSE(is(image, 4, 3, kRed));
}

TEST(Draw, EverythingClips) {
    Image image = filled_image(20, 10, 255, 255, 255);
    draw_rectangle(image, {-50, -50, 100, 100}, kRed, 3);
    EXPECT_EQ(count(image, kRed), 0);
    fill_rectangle(image, {15, 8, 400, 400}, kRed);
    EXPECT_EQ(count(image, kRed), 5 * 2);
    draw_text(image, -5, -5, "wide text that leaves the picture", kRed, 9);
    draw_labelled_box(image, {-3, -3, 25, 12}, "dog 87 %", kRed);
    draw_labelled_box(image, {5, 5, 5, 5}, "", kRed);
    draw_labelled_box(image, {30, 30, 40, 40}, "outside", kRed);
    EXPECT_EQ(image.pixels.size(), 20U * 10U * 3U);
}

TEST(Draw, LettersDifferAndScale) {
    std::set<std::vector<std::uint8_t>> pictures;
    for (char letter = '!'; letter <= '~'; ++letter) {
        Image image = filled_image(16, 14, 255, 255, 255);
        draw_text(image, 1, 1, std::string(1, letter), kRed, 1);
        EXPECT_GT(count(image, kRed), 0) << letter;
        pictures.insert(image.pixels);
    }
    EXPECT_GE(pictures.size(), 92U) << "letters look alike";
    Image small = filled_image(200, 30, 255, 255, 255);
    Image large = filled_image(200, 30, 255, 255, 255);
    draw_text(small, 0, 0, "Bus 12", kRed, 1);
    draw_text(large, 0, 0, "Bus 12", kRed, 2);
    EXPECT_EQ(count(large, kRed), 4 * count(small, kRed));
    EXPECT_EQ(text_width("Bus 12", 2), 2 * text_width("Bus 12", 1));
    // Everything drawn lies within the width that is announced and the height of a line.
    EXPECT_LT(text_width("Bus 12", 2), 200);
    for (std::int64_t y = 0; y < 30; ++y) {
        for (std::int64_t x = 0; x < 200; ++x) {
            if (is(large, x, y, kRed)) {
                EXPECT_LT(x, text_width("Bus 12", 2));
                EXPECT_LT(y, 2 * kLineHeight);
            }
        }
    }
}

TEST(Draw, OtherLettersAreQuestionMarks) {
    Image accented = filled_image(60, 14, 255, 255, 255);
    Image marks = accented;
    draw_text(accented, 0, 0, "caf\xC3\xA9\n", kRed, 1);
    draw_text(marks, 0, 0, "caf???", kRed, 1);
    EXPECT_EQ(accented.pixels, marks.pixels);
}

TEST(Draw, LabelStandsAboveTheBoxOrInsideAtTheEdge) {
    Image image = filled_image(300, 300, 255, 255, 255);
    draw_labelled_box(image, {50, 100, 150, 200}, "cat", kRed);
    EXPECT_TRUE(is(image, 50, 100 - kLineHeight, kRed));
    EXPECT_FALSE(is(image, 50, 100 - kLineHeight - 1, kRed));
    Image edge = filled_image(300, 300, 255, 255, 255);
    draw_labelled_box(edge, {290, 2, 300, 200}, "cat", kRed);
    EXPECT_TRUE(is(edge, 299 - 1, 3, kRed));
    EXPECT_GT(count(edge, {255, 255, 255}), 0);
    EXPECT_TRUE(is(edge, 300 - text_width("cat", 1) - 3, 3, kRed)) << "the label is moved into the picture";
}

TEST(Draw, ClassColorsDiffer) {
    std::set<std::tuple<int, int, int>> colors;
    for (int id = 0; id < 80; ++id) {
        const Color color = class_color(id);
        colors.insert({color.r, color.g, color.b});
    }
    EXPECT_GE(colors.size(), 75U);
}

TEST(ClassNames, InTheOrderOfTheNetworks) {
    const auto& names = imagenet_class_names();
    ASSERT_EQ(names.size(), 1000U);
    EXPECT_EQ(names[0], "tench");
    EXPECT_EQ(names[281], "tabby");
    EXPECT_EQ(names[285], "Egyptian cat");
    EXPECT_EQ(names[967], "espresso");
    EXPECT_EQ(names[999], "toilet tissue");
    ASSERT_EQ(coco_class_names().size(), 80U);
    EXPECT_EQ(coco_class_names()[16], "dog");
    EXPECT_EQ(coco_class_names()[79], "toothbrush");
    EXPECT_EQ(cifar10_class_names().size(), 10U);
    EXPECT_EQ(digit_class_names()[7], "7");
}

TEST(SoftmaxTopK, ProbabilitiesOfTheHighest) {
    const std::vector<float> logits{1.0F, 3.0F, 2.0F, 3.0F};
    const std::vector<Candidate> best = softmax_top_k(logits, 3);
    ASSERT_EQ(best.size(), 3U);
    EXPECT_EQ(best[0].index, 1);
    EXPECT_EQ(best[1].index, 3);
    EXPECT_EQ(best[2].index, 2);
    const double sum = std::exp(-2.0) + 1 + std::exp(-1.0) + 1;
    EXPECT_NEAR(best[0].probability, 1 / sum, 1e-12);
    EXPECT_NEAR(best[2].probability, std::exp(-1.0) / sum, 1e-12);
}

TEST(SoftmaxTopK, EdgesHold) {
    EXPECT_TRUE(softmax_top_k({}, 5).empty());
    EXPECT_EQ(softmax_top_k(std::vector{7.0F}, 5).size(), 1U);
    const std::vector<float> large{1000.0F, std::numeric_limits<float>::quiet_NaN(), 999.0F};
    const std::vector<Candidate> best = softmax_top_k(large, 3);
    EXPECT_EQ(best[0].index, 0);
    EXPECT_EQ(best[2].index, 1);
    EXPECT_EQ(best[2].probability, 0.0);
    EXPECT_NEAR(best[0].probability + best[1].probability, 1.0, 1e-12);
}

}  // namespace
}  // namespace zoo
