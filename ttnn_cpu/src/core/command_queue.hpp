// SPDX-License-Identifier: Apache-2.0
#pragma once

// Work that runs behind the caller's back, in order.
#include <condition_variable>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>

namespace ttnn_cpu {

// Set once, when a queue reaches the event.
class EventState {
public:
    void set();
    void wait();
    bool is_set();

private:
    std::mutex mutex_;
    std::condition_variable changed_;
    bool set_ = false;
};

class CommandQueue {
public:
    CommandQueue();
    ~CommandQueue();
    CommandQueue(const CommandQueue&) = delete;
    CommandQueue& operator=(const CommandQueue&) = delete;

    void enqueue(std::function<void()> command);
    // Waits until all that was enqueued has run. Rethrows what a command threw, once.
    void finish();

private:
    void run();

    std::mutex mutex_;
    std::condition_variable has_work_;
    std::condition_variable idle_;
    std::deque<std::function<void()>> commands_;
    bool busy_ = false;
    bool stopping_ = false;
    std::exception_ptr failure_;
    std::thread thread_;
};

}  // namespace ttnn_cpu
