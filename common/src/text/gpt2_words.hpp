// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string_view>

namespace zoo::text {

// Cuts text into GPT-2's words, in order: 's|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+
// The text must be UTF-8.
void for_each_gpt2_word(std::string_view text, const std::function<void(std::string_view)>& use);

}  // namespace zoo::text
