// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "zoo/checkpoint.hpp"

namespace zoo {

// A file written by torch.save: the zip form (PyTorch 1.6 and later) and the older stream of pickles.
//
// Such a file is a program for Python's pickle machine. Here it is only taken apart: tensors, OrderedDict, dictionaries,
// lists, tuples, numbers and text are read, and any other name or instruction is refused by name, so that no file can make
// this reader run something. Whole modules (torch.save(model)) are therefore refused; state dicts are read.
//
// Tensors in nested containers are named by their path: {"state_dict": {"fc.bias": t}} is state_dict.fc.bias, an element of a
// list goes by its index. Strided tensors come out contiguous; what is no tensor is passed over. Members of a zip must be stored
// uncompressed, as torch.save writes them. See open_checkpoint for `ignored`.
[[nodiscard]] std::unique_ptr<Checkpoint> open_pth(
    const std::filesystem::path& file, const std::vector<std::string>& ignored = {});

}  // namespace zoo
