// SPDX-License-Identifier: Apache-2.0
#include "vision/demo_page.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "vision/demo_style.hpp"
#include "zoo/image/resize.hpp"

namespace zoo::apps {

namespace {

// Photos are shown at most this wide; twice that in pixels would only make the page heavy.
constexpr std::int64_t kPhotoWidth = 520;
constexpr std::int64_t kThumbnailWidth = 96;

std::string image_source(const Image& image, std::int64_t most_width) {
    if (image.width <= kThumbnailWidth) {
        return "data:image/png;base64," + base64(encode_png(image));
    }
    const std::int64_t width = std::min(image.width, most_width);
    const std::int64_t height = std::clamp<std::int64_t>(image.height * width / image.width, 1, 4 * most_width);
    return "data:image/jpeg;base64," + base64(encode_jpeg(resize(image, width, height), 88));
}

std::string percent(double share) { return fmt::format("{:.1f}", 100 * std::clamp(share, 0.0, 1.0)); }

std::string hex(Color color) { return fmt::format("#{:02x}{:02x}{:02x}", color.r, color.g, color.b); }

// 0.999871 as it is, 1 to five places as "1.00000", so that columns line up.
std::string pcc_text(double pcc) { return fmt::format("{:.5f}", pcc); }

std::string_view subtitle(std::string_view version) {
    if (version == "golden") {
        return "libtorch, float32";
    }
    return version == "functional" ? "TTNN, bfloat16" : "TTNN, block floats, sharded, traced";
}

std::string version_head(const PageVersion& version, const PageAnswer& answer) {
    return fmt::format(
        "<h4><span class=\"dot {0}\"></span>{0}{1}</h4>", escaped(version.name),
        answer.pcc ? fmt::format("<span class=\"pcc\">PCC {}</span>", pcc_text(*answer.pcc)) : "");
}

std::string bars(const std::vector<PageClass>& classes) {
    std::string html = "<ol class=\"bars\">";
    for (const PageClass& row : classes) {
        html += fmt::format(
            "<li><span class=\"name\">{}</span><span class=\"value\">{} %</span><span class=\"track\"><span "
            "class=\"fill\" "
            "style=\"width:{}%\"></span></span></li>",
            escaped(row.name), percent(row.probability), percent(row.probability));
    }
    return html + "</ol>";
}

std::string photo_card(const PageModel& model, const PagePicture& picture) {
    std::string html = fmt::format(
        "<article class=\"card photo\"><figure><img src=\"{}\" alt=\"{}\"><figcaption>{}</figcaption></figure>"
        "<div class=\"answers\">",
        image_source(picture.image, kPhotoWidth), escaped(picture.title), escaped(picture.title));
    for (std::size_t i = 0; i < model.versions.size(); ++i) {
        html += "<section class=\"answer " + escaped(model.versions[i].name) + "\">" +
                version_head(model.versions[i], picture.answers[i]) + bars(picture.answers[i].classes) + "</section>";
    }
    return html + "</div></article>\n";
}

// Small pictures with one answer each: digits, CIFAR-10.
std::string thumbnail_card(const PageModel& model, const PagePicture& picture) {
    std::string html = fmt::format(
        "<article class=\"card thumb\"><img src=\"{}\" alt=\"{}\"><p class=\"truth\">{}</p>",
        image_source(picture.image, kThumbnailWidth), escaped(picture.title), escaped(picture.truth));
    for (std::size_t i = 0; i < model.versions.size(); ++i) {
        const PageClass best = picture.answers[i].classes.empty() ? PageClass{} : picture.answers[i].classes.front();
        const bool right = picture.truth.empty() || best.name == picture.truth;
        html += fmt::format(
            "<p class=\"guess {}\"><span class=\"dot {}\"></span><span class=\"name\">{}</span>"
            "<span class=\"value\">{} %</span></p>",
            right ? "right" : "wrong", escaped(model.versions[i].name), escaped(best.name), percent(best.probability));
    }
    return html + "</article>\n";
}

// The picture once as data; each version draws its boxes over it in units of the picture.
std::string box_layer(const PagePicture& picture, const PageAnswer& answer) {
    const auto width = static_cast<float>(picture.image.width);
    const auto height = static_cast<float>(picture.image.height);
    const float unit = width / 100;  // letters and lines are as large as the picture is
    std::string html = fmt::format("<svg viewBox=\"0 0 {} {}\" preserveAspectRatio=\"none\">", width, height);
    for (auto box = answer.boxes.rbegin(); box != answer.boxes.rend(); ++box) {  // the best one on top
        const float left = box->x_min * width;
        const float top = box->y_min * height;
        const std::string label = fmt::format("{} {:.0f} %", box->name, 100 * box->score);
        const float label_width = unit * 2.35F * static_cast<float>(label.size()) + 2 * unit;
        const float label_top = std::max(top - 5.4F * unit, 0.0F);
        const float label_left = std::clamp(left - unit / 4, 0.0F, std::max(width - label_width, 0.0F));
        html += fmt::format(
            "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" fill=\"none\" stroke=\"{}\" "
            "stroke-width=\"{:.2f}\" rx=\"{:.2f}\"/>",
            left, top, (box->x_max - box->x_min) * width, (box->y_max - box->y_min) * height, hex(box->color),
            0.7F * unit, 0.6F * unit);
        html += fmt::format(
            "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" fill=\"{}\" rx=\"{:.2f}\"/>"
            "<text x=\"{:.1f}\" y=\"{:.1f}\" font-size=\"{:.1f}\" textLength=\"{:.1f}\" "
            "lengthAdjust=\"spacingAndGlyphs\">{}</text>",
            label_left, label_top, label_width, 5.4F * unit, hex(box->color), 0.6F * unit, label_left + unit,
            label_top + 4.0F * unit, 4.2F * unit, label_width - 2 * unit, escaped(label));
    }
    return html + "</svg>";
}

std::string box_card(const PageModel& model, const PagePicture& picture) {
    const std::string source = image_source(picture.image, kPhotoWidth);
    std::string html = "<article class=\"card boxes\"><div class=\"panels\">";
    for (std::size_t i = 0; i < model.versions.size(); ++i) {
        html += fmt::format(
            "<section class=\"answer {}\">{}<div class=\"canvas\"><img src=\"{}\" alt=\"{}\">{}</div>",
            escaped(model.versions[i].name), version_head(model.versions[i], picture.answers[i]), source,
            escaped(picture.title), box_layer(picture, picture.answers[i]));
        std::vector<PageClass> scores;
        for (const PageBox& box : picture.answers[i].boxes) {
            scores.push_back({box.name, box.score});
        }
        html += scores.empty() ? "<p class=\"none\">nothing found</p>" : bars(scores);
        html += "</section>";
    }
    return html + fmt::format("</div><p class=\"caption\">{}</p></article>\n", escaped(picture.title));
}

std::string version_table(const PageModel& model) {
    double slowest = 0;
    for (const PageVersion& version : model.versions) {
        slowest = std::max(slowest, version.milliseconds);
    }
    std::string html =
        "<table><thead><tr><th>version</th><th>PCC</th><th>relative error</th><th class=\"time\">time a picture</th>"
        "</tr></thead><tbody>";
    for (const PageVersion& version : model.versions) {
        html += fmt::format(
            "<tr><th><span class=\"dot {0}\"></span>{0} <small>{1}</small></th><td>{2}</td><td>{3}</td>"
            "<td class=\"time\"><span class=\"track {0}\"><span class=\"fill\" style=\"width:{4:.1f}%\"></span></span>"
            "<span class=\"value\">{5:.1f} ms</span></td></tr>",
            escaped(version.name), subtitle(version.name),
            version.comparison ? pcc_text(version.comparison->pcc) : "reference",
            version.comparison ? fmt::format("{:.2f} %", 100 * version.comparison->relative_error) : "",
            slowest > 0 ? 100 * version.milliseconds / slowest : 0.0, version.milliseconds);
    }
    return html + "</tbody></table>";
}

std::string model_section(const PageModel& model) {
    std::string html = fmt::format(
        "<section class=\"model\"><h2>{}</h2><p class=\"summary\">{}. Weights: {}.</p>{}<div class=\"{}\">\n",
        escaped(model.title), escaped(model.summary), escaped(model.weights), version_table(model),
        model.layout == PageModel::Layout::Thumbnails ? "thumbs" : "cards");
    for (const PagePicture& picture : model.pictures) {
        switch (model.layout) {
            case PageModel::Layout::Photos:
                html += photo_card(model, picture);
                break;
            case PageModel::Layout::Thumbnails:
                html += thumbnail_card(model, picture);
                break;
            case PageModel::Layout::Boxes:
                html += box_card(model, picture);
                break;
        }
    }
    return html + "</div></section>\n";
}

}  // namespace

std::string escaped(std::string_view text) {
    std::string result;
    for (const char c : text) {
        switch (c) {
            case '&':
                result += "&amp;";
                break;
            case '<':
                result += "&lt;";
                break;
            case '>':
                result += "&gt;";
                break;
            case '"':
                result += "&quot;";
                break;
            case '\'':
                result += "&#39;";
                break;
            default:
                result += c;
        }
    }
    return result;
}

std::string base64(std::string_view bytes) {
    static constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string result;
    result.reserve((bytes.size() + 2) / 3 * 4);
    for (std::size_t i = 0; i < bytes.size(); i += 3) {
        const auto byte = [&](std::size_t k) -> unsigned {
            return i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0U;
        };
        const unsigned group = byte(0) << 16 | byte(1) << 8 | byte(2);
        for (std::size_t k = 0; k < 4; ++k) {
            result += i + k <= bytes.size() ? kDigits[group >> (18 - 6 * k) & 63U] : '=';
        }
    }
    return result;
}

std::string render(const Page& page) {
    std::string html = fmt::format(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"><title>tt-zoo: vision</title>"
        "<style>{}</style></head><body>\n<header><p class=\"brand\">tt-zoo</p><h1>Three versions, the same "
        "pictures</h1>"
        "<p class=\"lead\">Each network runs three times: as the libtorch <b>golden</b> in float32, as "
        "<b>functional</b> TTNN "
        "code in bfloat16, and as <b>optimized</b> TTNN code with block floats where they do, sharded and replayed "
        "from a "
        "captured "
        "trace. The TTNN versions run on the embedded device ({}), with the formats and the limits of the card; times "
        "are "
        "this computer's.</p></header>\n<main>",
        kDemoStyle, escaped(page.device));
    for (const PageModel& model : page.models) {
        html += model_section(model);
    }
    if (page.models.empty()) {
        html += "<section class=\"model\"><h2>Nothing to show yet</h2><p>No trained weights are here.</p></section>";
    }
    if (!page.missing.empty()) {
        html += "<section class=\"missing\"><h2>Not shown</h2><ul>";
        for (const std::string& text : page.missing) {
            html += "<li>" + escaped(text) + "</li>";
        }
        html += "</ul></section>";
    }
    return html + "</main><footer>Written by <code>tt-zoo demo vision</code>.</footer></body></html>\n";
}

}  // namespace zoo::apps
