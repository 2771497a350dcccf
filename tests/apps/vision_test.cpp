// SPDX-License-Identifier: Apache-2.0
// run, check and bench of networks for pictures, with networks that need no weights.
#include <nlohmann/json.hpp>

#include <ttnn_cpu/device_options.hpp>

#include "cli.hpp"
#include "common/scratch.hpp"
#include "fake_vision.hpp"
#include "golden.hpp"
#include "model_bench.hpp"
#include "vision/boxes.hpp"

namespace zoo::apps {
namespace {

using testing::expect_error;
using ::testing::HasSubstr;
using ::testing::Not;
using testing::run_program;
using testing::UsageError;

class VisionRun : public testing::Scratch {
protected:
    std::string picture(const std::string& name, int r, int g, int b) {
        write_png(path(name), filled_image(20, 10, std::uint8_t(r), std::uint8_t(g), std::uint8_t(b)));
        return path(name).string();
    }
    static std::string run(const ModelEntry& entry, std::vector<std::string> arguments) {
        return run_program(entry.add_run, std::move(arguments));
    }
    static std::string classify(std::vector<std::string> arguments) {
        return run(classifier_entry(testing::fake_classifier()), std::move(arguments));
    }
    static std::string detect(std::vector<std::string> arguments) {
        return run(detector_entry(testing::fake_detector()), std::move(arguments));
    }
};

TEST_F(VisionRun, ClassifiesSeveralPictures) {
    const std::string text = classify({"--image", picture("a.png", 250, 0, 0), picture("b.png", 0, 250, 0)});
    const std::string device = ttnn_cpu::embedded() ? "n150, numerics fast" : "tt-metal's device, numerics its own";
    EXPECT_THAT(text, HasSubstr("fake plain, weights made up, optimized on " + device));
    EXPECT_THAT(text, HasSubstr("a.png (20 x 10)"));
    EXPECT_LT(text.find("red <b>"), text.find("green")) << "the likeliest comes first";
    EXPECT_THAT(text, HasSubstr("████████████████████"));
    EXPECT_THAT(text, HasSubstr("for 2 pictures"));
    EXPECT_THAT(text, Not(HasSubstr("random")));
    if (golden_available()) {
        EXPECT_THAT(text, HasSubstr("libtorch %"));
        EXPECT_THAT(text, HasSubstr("PCC 0.99"));
    }
    EXPECT_THAT(classify({"--no-check", path("a.png").string()}), Not(HasSubstr("libtorch")));
}

TEST_F(VisionRun, JsonHasEveryPicture) {
    // Three pictures in runs of two.
    const auto result = nlohmann::json::parse(classify(
        {"--json", "--top", "2", "--no-check", "--plan", "functional", "--image", picture("a.png", 250, 0, 0),
         picture("b.png", 0, 250, 0), picture("c.png", 0, 0, 250)}));
    EXPECT_EQ(result["model"], "fake");
    EXPECT_EQ(result["plan"], "functional");
    ASSERT_EQ(result["pictures"].size(), 3U);
    EXPECT_EQ(result["pictures"][0]["classes"].size(), 2U);
    for (int i = 0; i < 3; ++i) {
        EXPECT_EQ(result["pictures"][i]["classes"][0]["index"], i);
        EXPECT_GT(result["pictures"][i]["classes"][0]["probability"], 0.99);
    }
    EXPECT_EQ(result["pictures"][1]["width"], 20);
    EXPECT_FALSE(result.contains("pcc"));
}

TEST_F(VisionRun, RandomWeightsAreSaid) {
    EXPECT_THAT(classify({"--preset", "dark", picture("a.png", 1, 2, 3)}), HasSubstr("The weights are random"));
}

TEST_F(VisionRun, AccuracyOverTheLabelledSet) {
    const auto result = nlohmann::json::parse(classify({"--accuracy", "0", "--json"}));
    EXPECT_EQ(result["pictures"], 5);
    EXPECT_EQ(result["set"], "colours");
    ASSERT_EQ(result["versions"].size(), golden_available() ? 3U : 2U);
    for (const auto& version : result["versions"]) {
        EXPECT_EQ(version["right"], 3);
        EXPECT_DOUBLE_EQ(version["accuracy"], 0.6);
    }
    EXPECT_THAT(classify({"--accuracy", "3"}), HasSubstr("the first 3 of 5"));
    EXPECT_THAT(classify({"--accuracy", "3"}), HasSubstr("100.00 %"));
    expect_error([&] { classify({"--accuracy", "3", "--preset", "dark"}); }, {"no labelled pictures", "fake dark"});
}

TEST_F(VisionRun, RefusesWhatItCannotDo) {
    expect_error([&] { classify({}); }, {"[fake]", "nothing to do", "--image"});
    expect_error([&] { classify({"--accuracy", "3", picture("a.png", 1, 2, 3)}); }, {"takes no pictures"});
    expect_error([&] { classify({path("absent.png").string()}); }, {"absent.png", "cannot be opened"});
    expect_error([&] { classify({write("text.jpg", "hello").string()}); }, {"text.jpg", "not a picture"});
    expect_error([&] { detect({}); }, {"[finder]", "nothing to do"});
    EXPECT_THROW(classify({"--plan", "quick", path("a.png").string()}), UsageError);
    EXPECT_THROW(classify({"--batch", "100", path("a.png").string()}), UsageError);
}

// Every kind of file that a user may give: a result, or one error that names it.
TEST_F(VisionRun, TakesEveryKindOfPicture) {
    const std::string data = std::string(ZOO_TEST_DATA_DIR) + "/image/";
    std::vector<std::string> arguments{"--json", "--no-check", "--image"};
    for (const char* name :
         {"full.jpg", "progressive.jpg", "gray.jpg", "cmyk.jpg", "rgb.png", "gray.png", "rgba.png", "gray_alpha.png",
          "palette.png", "gray16.png", "rgb.bmp", "gray.bmp", "one_pixel.png"}) {
        arguments.push_back(data + name);
    }
    write_png(path("wide.png"), filled_image(20'000, 3, 9, 200, 7));
    arguments.push_back(path("wide.png").string());
    const auto result = nlohmann::json::parse(classify(arguments));
    ASSERT_EQ(result["pictures"].size(), arguments.size() - 3);
    EXPECT_EQ(result["pictures"].back()["width"], 20'000);
    EXPECT_EQ(result["pictures"].back()["classes"][0]["class"], "green");
    EXPECT_THAT(detect({path("wide.png").string()}), HasSubstr("green"));
    EXPECT_THAT(detect({data + "one_pixel.png"}), HasSubstr("one_pixel.png (1 x 1)"));
}

TEST_F(VisionRun, SaysWhatIsWrongWithAFile) {
    const std::string good = picture("a.png", 1, 2, 3);
    std::string bytes = encode_png(filled_image(20, 10, 1, 2, 3));
    bytes.resize(bytes.size() / 2);
    const std::string data = std::string(ZOO_TEST_DATA_DIR) + "/image/";
    const std::vector<std::pair<std::string, std::string>> files{
        {path("absent.jpg").string(), "cannot be opened"},
        {directory_.string(), "is a directory"},
        {write("empty.bmp", "").string(), "is empty"},
        {write("text.jpg", "hello").string(), "not a picture"},
        {write("cut.png", bytes).string(), "truncated"},
        {write("movie.gif", "GIF89a......").string(), "JPEG, PNG or BMP"},
        {data + "cmyk_unmarked.jpg", "convert it to RGB"}};
    for (const auto& [file, reason] : files) {
        const std::string name = std::filesystem::path(file).filename().string();
        expect_error([&] { classify({good, file}); }, {name, reason});
        expect_error([&] { detect({file}); }, {name, reason});
    }
}

TEST_F(VisionRun, DrawsBoxes) {
    const std::string out = path("out.png").string();
    const std::string text = detect({picture("a.png", 0, 200, 0), "--out", out});
    EXPECT_THAT(text, HasSubstr("green"));
    EXPECT_THAT(text, HasSubstr("Boxes drawn: " + out));
    const Image drawn = read_image(out);
    EXPECT_EQ(drawn.width, 20);
    EXPECT_NE(drawn.pixels, read_image(path("a.png")).pixels);
    EXPECT_THAT(detect({picture("b.png", 0, 0, 0)}), HasSubstr("nothing found"));
}

TEST_F(VisionRun, BoxesOfSeveralPicturesGoToADirectory) {
    const std::string a = picture("a.png", 0, 200, 0);
    const std::string b = picture("b.jpg", 0, 100, 0);
    std::filesystem::create_directory(path("out"));
    const auto result =
        nlohmann::json::parse(detect({a, b, "--json", "--no-check", "--out", path("out").string(), "--score", "0.5"}));
    EXPECT_TRUE(std::filesystem::exists(path("out/a.boxes.png")));
    EXPECT_TRUE(std::filesystem::exists(path("out/b.boxes.png")));
    ASSERT_EQ(result["pictures"][0]["detections"].size(), 1U);
    EXPECT_EQ(result["pictures"][0]["detections"][0]["right"], 10);
    EXPECT_EQ(result["pictures"][0]["detections"][0]["top"], 3);
    EXPECT_EQ(result["pictures"][1]["detections"].size(), 0U);
    expect_error(
        [&] {
            detect({a, b, "--out", path("none").string()});
        },
        {"[--out]", "none", "no directory", "2 pictures"});
    expect_error([&] { detect({a, "--out", path("out").string()}); }, {"is a directory", "name of a PNG file"});
}

TEST_F(VisionRun, BoxesReplaceNoPictureThatIsReadAndNoOtherBoxes) {
    const std::string a = picture("a.png", 0, 200, 0);
    std::filesystem::create_directory(path("out"));
    std::filesystem::create_directory(path("other"));
    const std::string same = picture("other/a.png", 0, 200, 0);
    expect_error([&] { detect({a, "--out", a}); }, {"a.png is one of the pictures that are read"});
    expect_error([&] { detect({a, same, "--out", path("out").string()}); }, {"would both go to", "out/a.boxes.png"});
    expect_error([&] { detect({a, "--out", path("none/a.png").string()}); }, {"none is not a directory"});
}

TEST_F(VisionRun, CheckAndBench) {
    const ModelEntry entry = classifier_entry(testing::fake_classifier());
    const auto add_bench = [&](CLI::App& app) { entry.add_bench(app, timing()); };
    const auto timed = nlohmann::json::parse(
        run_program(add_bench, {"--json", "--batch", "2", "--iterations", "3", "--mode", "plain"}));
    EXPECT_EQ(timed["latency"]["samples"], 3);
    EXPECT_EQ(timed["batch"], 2);
    EXPECT_EQ(timed["width"], 8);
    EXPECT_GT(timed["pictures_per_second"], 0);
    EXPECT_FALSE(timed.contains("torch"));
    EXPECT_THROW(run_program(add_bench, {"--batch", "3"}), UsageError) << "the network takes two";
    EXPECT_THAT(run_program(entry.add_info, {}), HasSubstr("fake, preset plain: means of colours"));
    if (!golden_available()) {
        return;
    }
    if (!ttnn_cpu::embedded()) {
        GTEST_SKIP() << "--numerics is a flag of the embedded device";
    }
    const auto checked = nlohmann::json::parse(run_program(entry.add_check, {"--json", "--numerics", "fast,wormhole"}));
    ASSERT_EQ(checked["modules"].size(), 4U);
    EXPECT_EQ(checked["modules"][0]["pcc"], 1.0);
    EXPECT_EQ(checked["modules"][3]["numerics"], "wormhole");
    EXPECT_LT(checked["modules"][3]["pcc"], 1.0);
    EXPECT_THAT(run_program(entry.add_check, {}), HasSubstr("mean"));
}

TEST(Boxes, TheSameObject) {
    const Detection a{0.0F, 0.0F, 0.5F, 0.5F, 1, 0.9F};
    const Detection shifted{0.0F, 0.1F, 0.5F, 0.5F, 1, 0.8F};
    const Detection other{0.0F, 0.0F, 0.5F, 0.5F, 2, 0.8F};
    const Detection far{0.6F, 0.6F, 0.9F, 0.9F, 1, 0.8F};
    EXPECT_FLOAT_EQ(overlap(a, shifted), 0.8F);
    EXPECT_EQ(overlap(a, far), 0.0F);
    const std::vector<Detection> all{far, other, shifted};
    EXPECT_EQ(same_object(all, a), &all[2]);
    EXPECT_EQ(same_object({far, other}, a), nullptr);
}

TEST(Boxes, PixelsStayInThePicture) {
    const Rectangle box = pixels_of({-0.5F, 0.5F, 1.5F, 1.0F, 0, 1.0F}, filled_image(30, 20, 0, 0, 0));
    EXPECT_EQ(box.left, 0);
    EXPECT_EQ(box.top, 10);
    EXPECT_EQ(box.right, 30);
    EXPECT_EQ(box.bottom, 20);
}

}  // namespace
}  // namespace zoo::apps
