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
    // Of work that is one piece.
    void say(const std::string& current);

private:
    std::string what_;
    bool terminal_;
    bool shown_ = false;
};

// What `work` returns; meanwhile the line says which step of what it is.
template <typename Work>
auto with_progress(const std::string& what, const std::string& step, const Work& work) {
    Progress progress(what);
    progress.say(step);
    return work();
}

}  // namespace zoo::apps
