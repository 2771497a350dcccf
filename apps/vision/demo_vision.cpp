// SPDX-License-Identifier: Apache-2.0
#include "vision/demo_vision.hpp"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "golden.hpp"
#include "progress.hpp"
#include "table.hpp"
#include "vision/boxes.hpp"
#include "zoo/error.hpp"
#include "zoo/fetched_weights.hpp"
#include "zoo/top_k.hpp"
#include "zoo/write_file.hpp"

namespace zoo::apps {

namespace {

namespace fs = std::filesystem;
using PhotoFile = std::pair<std::string, std::string>;  // what is fetched, and a file of it

const std::vector<PhotoFile> kPhotosToName{{"photos-coco", "cats.png"},      {"photos-skimage", "chelsea.png"},
                                           {"photos-skimage", "coffee.png"}, {"photos-darknet", "dog.jpg"},
                                           {"photos-darknet", "eagle.jpg"},  {"yolov4-tiny", "bus.jpg"}};
const std::vector<PhotoFile> kPhotosToSearch{
    {"photos-darknet", "dog.jpg"},
    {"photos-darknet", "person.jpg"},
    {"photos-darknet", "horses.jpg"},
    {"photos-darknet", "giraffe.jpg"},
    {"yolov4-tiny", "bus.jpg"}};
constexpr std::int64_t kThumbnails = 16;
// A network with at least so many classes knows things by name and gets photos; others get pictures of their labelled set.
constexpr std::size_t kManyClasses = 100;

void add_once(std::vector<std::string>& list, std::string text) {
    if (std::ranges::find(list, text) == list.end()) {
        list.push_back(std::move(text));
    }
}

// The photos that are here; what is not goes to `missing`.
std::vector<Picture> photos_of(std::span<const PhotoFile> files, std::vector<std::string>& missing) {
    std::vector<Picture> pictures;
    for (const auto& [fetched, file] : files) {
        const std::optional<fs::path> directory = fetched_weights(fetched);
        if (!directory) {
            add_once(missing, fmt::format("photos of {}: not here (./tt-zoo fetch {})", fetched, fetched));
            continue;
        }
        try {
            pictures.push_back({file, read_image(*directory / file)});
        } catch (const Error& error) {
            add_once(missing, error.what());
        }
    }
    return pictures;
}

// One network on all its pictures, one picture a run.
class Show {
public:
    Show(const VisionModel& model, std::size_t l1_small_size, const DemoVisionOptions& options)
        : model_(model), device_(options.device.open(2, kTraceRegionBytes, l1_small_size)), repeats_(options.repeats) {}

    void run(const std::vector<Picture>& pictures) {
        const HostTensor inputs = prepare_all(model_, pictures);
        if (golden_available()) {
            runs_.push_back(run_golden(model_, inputs, repeats_));
        }
        for (const Plan plan : {Plan::Functional, Plan::Optimized}) {
            const Mode mode = plan == Plan::Optimized ? Mode::Traced : Mode::Plain;
            runs_.push_back(
                run_on_device(model_, *device_, {.batch = 1, .plan = plan, .mode = mode}, inputs, repeats_));
        }
        count_ = static_cast<std::int64_t>(pictures.size());
    }

    [[nodiscard]] const std::vector<VersionRun>& runs() const { return runs_; }

    [[nodiscard]] std::vector<PageVersion> versions() const {
        std::vector<PageVersion> result;
        for (const VersionRun& run : runs_) {
            result.push_back({run.version, compared(run), run.milliseconds / static_cast<double>(count_)});
        }
        return result;
    }

    // PCC of one picture's outputs.
    [[nodiscard]] std::optional<double> pcc(const VersionRun& run, std::int64_t picture) const {
        if (!golden_available() || &run == &runs_.front()) {
            return std::nullopt;
        }
        const auto only = [&](const VersionRun& all) {
            VersionRun one{all.version, {}, 0};
            for (const HostTensor& output : all.outputs) {
                one.outputs.push_back(slice_batch(output, picture, 1));
            }
            return one;
        };
        return compare_runs(only(runs_.front()), only(run)).pcc;
    }

private:
    [[nodiscard]] std::optional<Comparison> compared(const VersionRun& run) const {
        if (!golden_available() || &run == &runs_.front()) {
            return std::nullopt;
        }
        return compare_runs(runs_.front(), run);
    }

    const VisionModel& model_;
    std::shared_ptr<ttnn::MeshDevice> device_;
    int repeats_;
    std::int64_t count_ = 1;
    std::vector<VersionRun> runs_;
};

PageAnswer classes_of(const Classifier& model, const VersionRun& run, std::int64_t picture, std::size_t top) {
    PageAnswer answer;
    const HostTensor logits = slice_batch(run.outputs.front(), picture, 1);
    for (const Candidate& candidate : softmax_top_k(logits.data, top)) {
        answer.classes.push_back({class_name(model, candidate.index), candidate.probability});
    }
    return answer;
}

PageAnswer boxes_of(const Detector& model, const VersionRun& run, std::int64_t picture, const Image& image) {
    PageAnswer answer;
    for (const Detection& found : model.detections(run.outputs, picture, image, {})) {
        answer.boxes.push_back(
            {class_name(model, found.class_id), class_color(found.class_id), found.score, found.x_min, found.y_min,
             found.x_max, found.y_max});
    }
    return answer;
}

template <class Model>
PageModel head_of(const VisionSpec<Model>& spec, const VisionModel& model, PageModel::Layout layout) {
    return {
        .title = model.preset(),
        .summary = std::string(spec.summary),
        .weights = model.source(),
        .layout = layout,
        .versions = {},
        .pictures = {}};
}

PageModel show(
    const VisionSpec<Classifier>& spec, const Classifier& model, const std::vector<Picture>& photos,
    const DemoVisionOptions& options) {
    std::vector<Picture> pictures = photos;
    std::vector<std::string> truths(photos.size());
    const bool thumbnails = options.images.empty() && model.class_names().size() < kManyClasses;
    if (thumbnails) {
        pictures.clear();
        truths.clear();
        if (const std::optional<LabelledSet> set = model.labelled_set()) {
            for (std::int64_t i = 0; i < std::min(kThumbnails, set->size); ++i) {
                pictures.push_back({fmt::format("{} {}", set->name, i), set->picture(i)});
                truths.push_back(class_name(model, set->label(i)));
            }
        }
    }
    if (pictures.empty()) {
        fail("demo", "there are no pictures for it");
    }
    PageModel page = head_of(spec, model, thumbnails ? PageModel::Layout::Thumbnails : PageModel::Layout::Photos);
    Show all(model, spec.l1_small_size, options);
    all.run(pictures);
    page.versions = all.versions();
    for (std::size_t i = 0; i < pictures.size(); ++i) {
        PagePicture picture{pictures[i].name, pictures[i].image, truths[i], {}};
        for (const VersionRun& run : all.runs()) {
            picture.answers.push_back(classes_of(model, run, static_cast<std::int64_t>(i), 5));
            picture.answers.back().pcc = all.pcc(run, static_cast<std::int64_t>(i));
        }
        page.pictures.push_back(std::move(picture));
    }
    return page;
}

PageModel show(
    const VisionSpec<Detector>& spec, const Detector& model, const std::vector<Picture>& photos,
    const DemoVisionOptions& options) {
    if (photos.empty()) {
        fail("demo", "there are no photos for it");
    }
    PageModel page = head_of(spec, model, PageModel::Layout::Boxes);
    Show all(model, spec.l1_small_size, options);
    all.run(photos);
    page.versions = all.versions();
    for (std::size_t i = 0; i < photos.size(); ++i) {
        PagePicture picture{photos[i].name, photos[i].image, "", {}};
        for (const VersionRun& run : all.runs()) {
            picture.answers.push_back(boxes_of(model, run, static_cast<std::int64_t>(i), photos[i].image));
            picture.answers.back().pcc = all.pcc(run, static_cast<std::int64_t>(i));
        }
        page.pictures.push_back(std::move(picture));
    }
    return page;
}

template <class Model>
void add_model(
    Page& page, const VisionSpec<Model>& spec, const std::vector<Picture>& photos, const DemoVisionOptions& options) {
    std::vector<std::string> presets = spec.demo_presets;
    if (presets.empty()) {
        presets.push_back(spec.default_preset);
    }
    for (const std::string& preset : presets) {
        Progress progress("demo");
        progress.say(preset);
        try {
            ModelFlags flags;
            flags.preset = preset;
            const std::unique_ptr<Model> model = spec.open(flags);
            if (!model->trained()) {
                add_once(
                    page.missing,
                    fmt::format("{}: its trained weights are not here (./tt-zoo fetch {})", preset, preset));
                continue;
            }
            page.models.push_back(show(spec, *model, photos, options));
        } catch (const std::exception& error) {
            add_once(page.missing, fmt::format("{}: {}", preset, error.what()));
        }
    }
}

void print_summary(const Page& page, std::ostream& log) {
    using Align = Table::Align;
    Table table(
        {{"network"},
         {"version"},
         {"pictures", Align::Right},
         {"PCC", Align::Right},
         {"error", Align::Right},
         {"ms a picture", Align::Right}});
    for (const PageModel& model : page.models) {
        for (const PageVersion& version : model.versions) {
            const auto& comparison = version.comparison;
            table.add(
                {&version == &model.versions.front() ? model.title : "", version.name,
                 std::to_string(model.pictures.size()), comparison ? fmt::format("{:.6f}", comparison->pcc) : "-",
                 comparison ? fmt::format("{:.1e}", comparison->relative_error) : "-",
                 fmt::format("{:.1f}", version.milliseconds)});
        }
    }
    table.print(log);
}

}  // namespace

Page collect_page(std::span<const ModelEntry> models, const DemoVisionOptions& options) {
    Page page;
    page.device = fmt::format("{}, numerics {}", options.device.board, options.device.numerics);
    std::vector<Picture> to_name;
    std::vector<Picture> to_search;
    if (options.images.empty()) {
        to_name = photos_of(kPhotosToName, page.missing);
        to_search = photos_of(kPhotosToSearch, page.missing);
    } else {
        to_name = read_pictures(options.images);
        to_search = to_name;
    }
    for (const ModelEntry& entry : models) {
        if (entry.classifier) {
            add_model(page, *entry.classifier, to_name, options);
        }
        if (entry.detector) {
            add_model(page, *entry.detector, to_search, options);
        }
    }
    if (!golden_available()) {
        page.missing.emplace_back("golden: this program was built without libtorch, so there is no PCC");
    }
    return page;
}

void demo_vision(std::span<const ModelEntry> models, const DemoVisionOptions& options, std::ostream& log) {
    const Page page = collect_page(models, options);
    const std::string html = render(page);
    write_file(options.out, html);
    if (!page.models.empty()) {
        print_summary(page, log);
        log << '\n';
    }
    for (const std::string& text : page.missing) {
        log << "Not shown: " << text << '\n';
    }
    log << fmt::format(
        "The page: {} ({})\n", fs::absolute(options.out).lexically_normal().string(),
        bytes(static_cast<double>(html.size())));
}

}  // namespace zoo::apps
