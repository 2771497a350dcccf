// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "ttnn/types.hpp"

namespace zoo::apps::language {

// The project's own small GPT-2 goes on with a prompt, on the screen as its tokens come. The device has two queues and a trace region.
void show_writing(ttnn::MeshDevice& device, const std::string& prompt, std::int64_t max_new_tokens, std::uint64_t seed);

}  // namespace zoo::apps::language
