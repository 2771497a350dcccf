// SPDX-License-Identifier: Apache-2.0
#include "conformance/golden_report.hpp"

#include <algorithm>
#include <system_error>

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
        golden.check_all_used();
        const std::vector<float>& expected = golden.output().data;
        if (actual.size() != expected.size()) {
            row.problem =
                "gives " + std::to_string(actual.size()) + " values; the file has " + std::to_string(expected.size());
            return row;
        }
        row.ulp = ulp_histogram(expected, actual);
        row.comparison = compare(expected, actual);
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
