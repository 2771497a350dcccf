// SPDX-License-Identifier: Apache-2.0
#include "core/command_queue.hpp"

#include <utility>

namespace ttnn_cpu {

void EventState::set() {
    {
        const std::lock_guard lock(mutex_);
        set_ = true;
    }
    changed_.notify_all();
}

void EventState::wait() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return set_; });
}

bool EventState::is_set() {
    const std::lock_guard lock(mutex_);
    return set_;
}

CommandQueue::CommandQueue() : thread_([this] { run(); }) {}

CommandQueue::~CommandQueue() {
    {
        const std::lock_guard lock(mutex_);
        stopping_ = true;
    }
    has_work_.notify_one();
    thread_.join();
}

void CommandQueue::enqueue(std::function<void()> command) {
    {
        const std::lock_guard lock(mutex_);
        commands_.push_back(std::move(command));
    }
    has_work_.notify_one();
}

void CommandQueue::finish() {
    std::unique_lock lock(mutex_);
    idle_.wait(lock, [this] { return commands_.empty() && !busy_; });
    if (failure_) {
        std::rethrow_exception(std::exchange(failure_, nullptr));
    }
}

void CommandQueue::run() {
    std::unique_lock lock(mutex_);
    while (true) {
        has_work_.wait(lock, [this] { return !commands_.empty() || stopping_; });
        if (commands_.empty()) {
            return;
        }
        std::function<void()> command = std::move(commands_.front());
        commands_.pop_front();
        busy_ = true;
        lock.unlock();
        std::exception_ptr failure;
        try {
            command();
        } catch (...) {
            failure = std::current_exception();
        }
        command = nullptr;  // lets go of what it held before anyone is told that it is done
        lock.lock();
        if (failure && !failure_) {
            failure_ = failure;
        }
        busy_ = false;
        if (commands_.empty()) {
            idle_.notify_all();
        }
    }
}

}  // namespace ttnn_cpu
