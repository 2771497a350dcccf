// SPDX-License-Identifier: Apache-2.0
#include "conformance/golden_report.hpp"

#include <algorithm>
#include <map>
#include <system_error>

#include <fmt/format.h>

#include "conformance/golden_ops.hpp"
#include "zoo/error.hpp"

namespace zoo::conformance {

std::size_t GoldenReport::answered() const {
    return static_cast<std::size_t>(
        std::count_if(rows.begin(), rows.end(), [](const GoldenRow& row) { return row.problem.empty(); }));
}

std::size_t GoldenReport::exact() const {
    return static_cast<std::size_t>(std::count_if(rows.begin(), rows.end(), [](const GoldenRow& row) {
        return row.problem.empty() && row.ulp.exact == row.ulp.count;
    }));
}

std::string markdown(const GoldenReport& report) {
    struct Family {
        std::size_t cases = 0;
        std::size_t exact_cases = 0;
        std::size_t values = 0;
        std::size_t exact = 0;
        std::size_t within_1 = 0;
    };
    std::map<std::string, Family> families;
    const auto add = [](Family& family, const GoldenRow& row) {
        family.cases += 1;
        family.exact_cases += row.problem.empty() && row.ulp.exact == row.ulp.count ? 1 : 0;
        family.values += row.ulp.count;
        family.exact += row.ulp.exact;
        family.within_1 += row.ulp.within_1;
    };
    Family all;
    for (const GoldenRow& row : report.rows) {
        add(families[row.name.substr(0, row.name.find('.'))], row);
        add(all, row);
    }
    std::string text =
        "| family | cases | exact in every value | values | exact | within 1 ULP |\n"
        "| --- | --- | --- | --- | --- | --- |\n";
    const auto share = [](std::size_t part, std::size_t whole) {
        return fmt::format(
            "{:.2f} %", whole == 0 ? 0.0 : 100.0 * static_cast<double>(part) / static_cast<double>(whole));
    };
    const auto line = [&](const std::string& name, const Family& family) {
        text += fmt::format(
            "| {} | {} | {} | {} | {} | {} |\n", name, family.cases, family.exact_cases, family.values,
            share(family.exact, family.values), share(family.within_1, family.values));
    };
    for (const auto& [name, family] : families) {
        line(name, family);
    }
    line("all", all);
    return text;
}

std::vector<std::filesystem::path> golden_files(const std::filesystem::path& directory) {
    std::error_code error;
    std::filesystem::directory_iterator entries(directory, error);
    if (error) {
        fail("conformance", "cannot list ", directory.string(), ": ", error.message());
    }
    std::vector<std::filesystem::path> files;
    for (const std::filesystem::directory_entry& entry : entries) {
        if (entry.path().extension() == ".safetensors") {
            files.push_back(entry.path());
        }
    }
    if (files.empty()) {
        fail("conformance", directory.string(), " holds no .safetensors file");
    }
    std::sort(files.begin(), files.end());
    return files;
}

GoldenRow run_case(const GoldenCase& golden, ttnn::MeshDevice& device) {
    GoldenRow row;
    row.name = golden.name();
    row.op = golden.op();
    try {
        const std::vector<float> actual = run_on_device(golden, device);
        const std::vector<float>& expected = golden.output().data;
        if (actual.size() != expected.size()) {
            row.problem =
                "gives " + std::to_string(actual.size()) + " values; the file has " + std::to_string(expected.size());
            return row;
        }
        row.ulp = ulp_histogram(expected, actual);
        row.comparison = compare(expected, actual);
        if (row.ulp.exact != row.ulp.count) {
            golden.check_all_used();  // an argument that nobody asked for may be why
        }
    } catch (const std::exception& error) {
        row.problem = error.what();
        return row;
    }
    try {
        const std::vector<float> exact = run_exactly(golden);
        if (exact.size() == golden.output().data.size()) {
            row.own_error = compare(exact, golden.output().data).relative_error;
        }
    } catch (const UnknownCase&) {
        // Data movement: there is no arithmetic to be exact about.
    }
    return row;
}

GoldenReport run_directory(
    const std::filesystem::path& directory, ttnn::MeshDevice& device,
    const std::function<void(std::size_t, std::size_t, const std::string&)>& progress) {
    GoldenReport report;
    const std::vector<std::filesystem::path> files = golden_files(directory);
    for (const std::filesystem::path& file : files) {
        if (progress) {
            progress(report.rows.size(), files.size(), file.stem().string());
        }
        try {
            report.rows.push_back(run_case(GoldenCase::load(file), device));
        } catch (const std::exception& error) {
            GoldenRow row;
            row.name = file.stem().string();
            row.problem = error.what();
            report.rows.push_back(std::move(row));
        }
    }
    return report;
}

}  // namespace zoo::conformance
