// SPDX-License-Identifier: Apache-2.0
#include "vision/demo_vision.hpp"

#include "common/scratch.hpp"
#include "fake_vision.hpp"
#include "golden.hpp"

namespace zoo::apps {
namespace {

using ::testing::Contains;
using testing::expect_error;
using ::testing::HasSubstr;

class DemoVision : public testing::Scratch {
protected:
    void SetUp() override {
        Scratch::SetUp();
        // An empty cache: nothing is fetched.
        setenv("TT_ZOO_CACHE", directory_.c_str(), 1);
        options_.out = path("page.html").string();
        options_.repeats = 1;
    }
    void TearDown() override {
        unsetenv("TT_ZOO_CACHE");
        Scratch::TearDown();
    }

    std::vector<ModelEntry> models_{
        classifier_entry(testing::fake_classifier_with_troubles()), detector_entry(testing::fake_detector())};
    DemoVisionOptions options_;
};

TEST_F(DemoVision, WorksHalfWayWithoutAnythingFetched) {
    const Page page = collect_page(models_, options_);
    // The classifier of few classes has labelled pictures of its own; the detector has no photos.
    ASSERT_EQ(page.models.size(), 1U);
    EXPECT_EQ(page.models[0].title, "plain");
    EXPECT_EQ(page.models[0].layout, PageModel::Layout::Thumbnails);
    ASSERT_EQ(page.models[0].pictures.size(), 5U);
    EXPECT_EQ(page.models[0].pictures[1].truth, "green");
    EXPECT_THAT(page.missing, Contains(HasSubstr("photos-darknet: not here (./tt-zoo fetch photos-darknet)")));
    EXPECT_THAT(page.missing, Contains(HasSubstr("dark: its trained weights are not here")));
    EXPECT_THAT(page.missing, Contains(HasSubstr("broken: [fake] the weights are broken")));
    EXPECT_THAT(page.missing, Contains(HasSubstr("plain-finder: [demo] there are no photos")));
}

TEST_F(DemoVision, ShowsPicturesOfOnesOwnInAllVersions) {
    write_png(path("green.png"), filled_image(200, 100, 0, 250, 0));
    options_.images = {path("green.png").string()};
    const Page page = collect_page(models_, options_);
    ASSERT_EQ(page.models.size(), 2U);
    const std::size_t versions = golden_available() ? 3 : 2;
    for (const PageModel& model : page.models) {
        ASSERT_EQ(model.versions.size(), versions);
        EXPECT_EQ(model.versions.back().name, "optimized");
        ASSERT_EQ(model.pictures.size(), 1U);
        ASSERT_EQ(model.pictures[0].answers.size(), versions);
        if (golden_available()) {
            EXPECT_FALSE(model.versions[0].comparison);
            EXPECT_LT(model.versions[1].comparison->relative_error, model.versions[2].comparison->relative_error);
            EXPECT_GT(*model.pictures[0].answers[2].pcc, 0.99);
        }
    }
    EXPECT_EQ(page.models[0].pictures[0].answers[0].classes[0].name, "green");
    EXPECT_EQ(page.models[1].pictures[0].answers[0].boxes[0].name, "green");
}

TEST_F(DemoVision, WritesOneFileAndSaysWhere) {
    std::ostringstream log;
    demo_vision(models_, options_, log);
    EXPECT_THAT(log.str(), HasSubstr("The page: " + options_.out));
    EXPECT_THAT(log.str(), HasSubstr("Not shown: dark"));
    EXPECT_THAT(log.str(), HasSubstr("optimized"));
    EXPECT_GT(std::filesystem::file_size(options_.out), 3000U);
    options_.out = path("no/such/place.html").string();
    expect_error([&] { demo_vision(models_, options_, log); }, {"place.html", "cannot be written"});
}

TEST_F(DemoVision, PictureThatIsNoneEndsIt) {
    options_.images = {write("text.jpg", "hello").string()};
    expect_error([&] { (void)collect_page(models_, options_); }, {"text.jpg", "not a picture"});
}

}  // namespace
}  // namespace zoo::apps
