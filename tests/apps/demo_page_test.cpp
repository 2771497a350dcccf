// SPDX-License-Identifier: Apache-2.0
#include "vision/demo_page.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

namespace zoo::apps {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

PageModel model(PageModel::Layout layout) {
    const Comparison close{.pcc = 0.99987, .relative_error = 0.0123};
    PagePicture picture{"dog & <cat>.jpg", filled_image(40, 30, 200, 100, 50), "dog", {}};
    for (const double shift : {0.0, 0.01, 0.02}) {
        PageAnswer answer;
        answer.classes = {{"dog", 0.8 - shift}, {"<i>wolf</i>", 0.1 + shift}};
        answer.boxes = {{"dog", {10, 20, 30}, 0.9 - shift, 0.1F, 0.2F, 0.5F, 0.9F}};
        if (shift > 0) {
            answer.pcc = 1 - shift / 100;
        }
        picture.answers.push_back(answer);
    }
    return {
        .title = "resnet50",
        .summary = "Names what a picture shows",
        .weights = "resnet50 (fetched)",
        .layout = layout,
        .versions = {{"golden", std::nullopt, 60.0}, {"functional", close, 120.0}, {"optimized", close, 30.0}},
        .pictures = {picture}};
}

// Opened tags are closed in order, attributes are quoted: what a browser would silently mend.
void expect_well_formed(const std::string& html) {
    static const std::set<std::string> kVoid{"!doctype", "meta", "img"};
    std::vector<std::string> open;
    for (std::size_t at = html.find('<'); at != std::string::npos; at = html.find('<', at + 1)) {
        const std::size_t end = html.find('>', at);
        ASSERT_NE(end, std::string::npos);
        const std::string tag = html.substr(at + 1, end - at - 1);
        EXPECT_EQ(std::count(tag.begin(), tag.end(), '"') % 2, 0) << tag.substr(0, 100);
        const std::string name = tag.substr(0, tag.find_first_of(" /", 1));
        if (tag.starts_with("/")) {
            ASSERT_FALSE(open.empty()) << tag;
            EXPECT_EQ("/" + open.back(), tag);
            open.pop_back();
        } else if (!kVoid.contains(name) && !tag.ends_with("/")) {
            open.push_back(name);
        }
    }
    EXPECT_TRUE(open.empty()) << open.back() << " is not closed";
}

TEST(DemoPage, EveryLayoutIsWholeAndSelfContained) {
    for (const auto layout : {PageModel::Layout::Photos, PageModel::Layout::Thumbnails, PageModel::Layout::Boxes}) {
        const std::string html = render({"n150, numerics fast", {model(layout)}, {"yolov4: not here"}});
        expect_well_formed(html);
        EXPECT_THAT(html, HasSubstr("resnet50"));
        EXPECT_THAT(html, HasSubstr("data:image/"));
        EXPECT_THAT(html, HasSubstr("0.99987"));
        EXPECT_THAT(html, HasSubstr("30.0 ms"));
        EXPECT_THAT(html, HasSubstr("Not shown"));
        for (const char* outside : {"http", "<script", "<link", "url("}) {
            EXPECT_THAT(html, Not(HasSubstr(outside))) << "the page must need nothing but itself";
        }
    }
}

TEST(DemoPage, NamesAreText) {
    const std::string html = render({"n150", {model(PageModel::Layout::Photos)}, {"<script>alert(1)</script>"}});
    EXPECT_THAT(html, HasSubstr("dog &amp; &lt;cat&gt;.jpg"));
    EXPECT_THAT(html, HasSubstr("&lt;i&gt;wolf&lt;/i&gt;"));
    EXPECT_THAT(html, Not(HasSubstr("<script>")));
}

TEST(DemoPage, BarsAreAsLongAsTheirShare) {
    EXPECT_THAT(render({"", {model(PageModel::Layout::Photos)}, {}}), HasSubstr("style=\"width:80.0%\""));
    // Of the times the longest fills its track.
    EXPECT_THAT(render({"", {model(PageModel::Layout::Photos)}, {}}), HasSubstr("style=\"width:25.0%\""));
}

TEST(DemoPage, BoxesAreDrawnWhereTheyAre) {
    const std::string html = render({"", {model(PageModel::Layout::Boxes)}, {}});
    EXPECT_THAT(html, HasSubstr("viewBox=\"0 0 40 30\""));
    EXPECT_THAT(html, HasSubstr("<rect x=\"4.0\" y=\"6.0\" width=\"16.0\" height=\"21.0\""));
    EXPECT_THAT(html, HasSubstr("#0a141e"));
}

TEST(DemoPage, WrongAnswersAreMarked) {
    PageModel digits = model(PageModel::Layout::Thumbnails);
    EXPECT_THAT(render({"", {digits}, {}}), Not(HasSubstr("guess wrong")));
    digits.pictures[0].truth = "wolf";
    EXPECT_THAT(render({"", {digits}, {}}), HasSubstr("guess wrong"));
}

TEST(DemoPage, NothingIsAPageToo) {
    const std::string html = render({"n150", {}, {}});
    expect_well_formed(html);
    EXPECT_THAT(html, HasSubstr("Nothing to show yet"));
}

TEST(Base64, KnownValues) {
    EXPECT_EQ(base64(""), "");
    EXPECT_EQ(base64("f"), "Zg==");
    EXPECT_EQ(base64("fo"), "Zm8=");
    EXPECT_EQ(base64("foo"), "Zm9v");
    EXPECT_EQ(base64("foobar"), "Zm9vYmFy");
    EXPECT_EQ(base64("\xFF\xFE\xFD"), "//79");
}

}  // namespace
}  // namespace zoo::apps
