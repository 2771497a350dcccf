// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>

namespace zoo::apps {

// One line on stderr that is written over, when stderr is a terminal; nothing otherwise. The line goes away with the object.
class Progress {
public:
    explicit Progress(std::string what);
    ~Progress();
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;

    void update(std::size_t done, std::size_t total, const std::string& current = "");

private:
    std::string what_;
    bool terminal_;
    bool shown_ = false;
};

}  // namespace zoo::apps
