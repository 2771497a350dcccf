// SPDX-License-Identifier: Apache-2.0
#pragma once

// What the tracer of PyTorch models leaves behind, below one directory:
//   raw/fw_MODEL.json             every op with shapes, dtypes and arguments
//   fw_node_count.csv             how often each op occurs, a row a model
//   fw_total_input_size_dist/     for each op and input, how large it is how often: a table and a drawing
//   fw_total_output_size_dist/    the same of outputs
//   total_arguments/              for each op, which values its other arguments take how often
//   profile/MODEL.json            a Chrome trace: ops within the golden functions that call them
// and bw_... for the ops of the backward pass. Reports are made of all models that raw/ holds.
#include <filesystem>
#include <string>
#include <vector>

#include "aten/aten_trace.hpp"

namespace zoo::apps::aten {

void write_raw(const std::vector<Op>& ops, const std::string& model, const std::filesystem::path& out);
void write_profile(const Trace& trace, const std::string& model, const std::filesystem::path& out);
// Reads raw/ and writes everything else. Error naming a file of raw/ that is not one of ours.
void write_reports(const std::filesystem::path& out);

}  // namespace zoo::apps::aten
