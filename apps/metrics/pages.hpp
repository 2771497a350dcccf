// SPDX-License-Identifier: Apache-2.0
#pragma once

// The tables of metrics as Markdown. What depends on the machine and what does not stand apart, so that a test can hold the second to
// what it finds.
#include <map>
#include <string>
#include <vector>

#include "metrics/collect.hpp"

namespace zoo::apps::metrics {

// "154 (9) | 0 (0) | 5": the cells of the table that the machine has no say in.
[[nodiscard]] std::string ops_cells(const OpFigures& figures);
// One line of the table of all presets.
[[nodiscard]] std::string table_row(const Metrics& metrics);
// The op conversion table of a preset, and which TTNN ops come besides.
[[nodiscard]] std::string ops_section(const OpFigures& figures);

// docs/metrics/MODEL.md
[[nodiscard]] std::string model_page(const std::string& model, const std::vector<Metrics>& presets);
// docs/metrics.md, of the rows of each model.
[[nodiscard]] std::string overview_page(const std::map<std::string, std::vector<std::string>>& rows);
// The rows of an overview that is there already, by model.
[[nodiscard]] std::map<std::string, std::vector<std::string>> rows_of_overview(const std::string& text);

}  // namespace zoo::apps::metrics
