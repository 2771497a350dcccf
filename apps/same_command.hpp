// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>

#include <nlohmann/json_fwd.hpp>

namespace zoo::apps {

// Runs the command line of this process once more, in a process of its own and with these flags ("--numerics": "fast")
// in place of its own; an empty value leaves the flag out. Returns the object that --json makes it print. Error when it
// fails.
nlohmann::json run_same_command(const std::map<std::string, std::string>& flags);

}  // namespace zoo::apps
