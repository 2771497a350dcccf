// SPDX-License-Identifier: Apache-2.0
#include "kernels/parallel.hpp"

#include <omp.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <deque>
#include <exception>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace ttnn_cpu::kernels {
namespace {

thread_local bool inside_chunk = false;

// About 20 us of waiting before a thread sleeps: ops follow each other faster than a sleeping thread wakes up.
constexpr int kSpins = 400;

void spin_pause() {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#else
    std::this_thread::yield();
#endif
}

class OneOmpThread {
public:
    OneOmpThread() : before_(omp_get_max_threads()), nested_(inside_chunk) {
        omp_set_num_threads(1);
        inside_chunk = true;
    }
    ~OneOmpThread() {
        omp_set_num_threads(before_);
        inside_chunk = nested_;
    }
    OneOmpThread(const OneOmpThread&) = delete;
    OneOmpThread& operator=(const OneOmpThread&) = delete;

private:
    int before_;
    bool nested_;
};

class Job {
public:
    Job(std::size_t chunks, const std::function<void(std::size_t)>& fn) : chunks_(chunks), fn_(&fn) {}

    [[nodiscard]] bool exhausted() const { return next_.load(std::memory_order_relaxed) >= chunks_; }

    // fn_ is only called for a claimed chunk, and the owner waits for every chunk: it never dangles.
    void work() {
        for (;;) {
            const std::size_t chunk = next_.fetch_add(1, std::memory_order_relaxed);
            if (chunk >= chunks_) {
                return;
            }
            try {
                (*fn_)(chunk);
            } catch (...) {
                const std::lock_guard lock(mutex_);
                error_ = std::current_exception();
            }
            if (done_.fetch_add(1, std::memory_order_acq_rel) + 1 == chunks_) {
                const std::lock_guard lock(mutex_);
                finished_.notify_all();
            }
        }
    }

    void wait() {
        for (int spin = 0; spin < kSpins && !done(); ++spin) {
            spin_pause();
        }
        std::unique_lock lock(mutex_);
        finished_.wait(lock, [this] { return done(); });
        if (error_) {
            std::rethrow_exception(error_);
        }
    }

private:
    [[nodiscard]] bool done() const { return done_.load(std::memory_order_acquire) == chunks_; }

    std::size_t chunks_;
    const std::function<void(std::size_t)>* fn_;
    std::atomic<std::size_t> next_{0};
    std::atomic<std::size_t> done_{0};
    std::mutex mutex_;
    std::condition_variable finished_;
    std::exception_ptr error_;
};

std::size_t hardware_threads() { return std::max(1U, std::thread::hardware_concurrency()); }

class Pool {
public:
    [[nodiscard]] std::size_t size() const { return size_.load(std::memory_order_relaxed); }

    void resize(std::size_t threads) {
        const std::lock_guard resizing(resize_mutex_);
        stop_workers();
        size_.store(threads == 0 ? hardware_threads() : threads, std::memory_order_relaxed);
    }

    void run(std::size_t chunks, const std::function<void(std::size_t)>& fn) {
        auto job = std::make_shared<Job>(chunks, fn);
        start_workers();
        {
            const std::lock_guard lock(mutex_);
            jobs_.push_back(job);
            pending_.fetch_add(1, std::memory_order_release);
        }
        wake_.notify_all();
        {
            const OneOmpThread limit;
            job->work();
        }
        {
            const std::lock_guard lock(mutex_);
            forget(job);
        }
        job->wait();
    }

private:
    void start_workers() {
        if (running_.load(std::memory_order_acquire)) {
            return;
        }
        const std::lock_guard resizing(resize_mutex_);
        if (running_.load(std::memory_order_relaxed)) {
            return;
        }
        stopping_.store(false, std::memory_order_relaxed);
        for (std::size_t i = 1; i < size(); ++i) {
            workers_.emplace_back([this] { worker(); });
        }
        running_.store(true, std::memory_order_release);
    }

    void stop_workers() {
        {
            const std::lock_guard lock(mutex_);
            stopping_.store(true, std::memory_order_relaxed);
        }
        wake_.notify_all();
        for (std::thread& thread : workers_) {
            thread.join();
        }
        workers_.clear();
        running_.store(false, std::memory_order_release);
    }

    void forget(const std::shared_ptr<Job>& job) {
        const auto found = std::find(jobs_.begin(), jobs_.end(), job);
        if (found != jobs_.end()) {
            jobs_.erase(found);
            pending_.fetch_sub(1, std::memory_order_release);
        }
    }

    void worker() {
        const OneOmpThread limit;
        for (;;) {
            for (int spin = 0; spin < kSpins && pending_.load(std::memory_order_acquire) == 0; ++spin) {
                spin_pause();
            }
            std::shared_ptr<Job> job;
            {
                std::unique_lock lock(mutex_);
                wake_.wait(lock, [this] { return stopping_.load(std::memory_order_relaxed) || !jobs_.empty(); });
                if (stopping_.load(std::memory_order_relaxed)) {
                    return;
                }
                job = jobs_.front();
                if (job->exhausted()) {
                    forget(job);
                    continue;
                }
            }
            job->work();
        }
    }

    std::mutex resize_mutex_;
    std::atomic<std::size_t> size_{hardware_threads()};
    std::atomic<bool> running_{false};
    std::vector<std::thread> workers_;

    std::mutex mutex_;
    std::condition_variable wake_;
    std::deque<std::shared_ptr<Job>> jobs_;
    std::atomic<std::size_t> pending_{0};
    std::atomic<bool> stopping_{false};
};

// Never destroyed: a queue thread may still compute while static objects are torn down.
Pool& pool() {
    static Pool* const instance = new Pool;
    return *instance;
}

}  // namespace

std::size_t num_threads() { return pool().size(); }

void set_num_threads(std::size_t threads) { pool().resize(threads); }

void parallel_for(std::size_t chunks, const std::function<void(std::size_t)>& fn) {
    if (chunks == 0) {
        return;
    }
    if (chunks == 1 || inside_chunk || pool().size() == 1) {
        const OneOmpThread limit;
        for (std::size_t chunk = 0; chunk < chunks; ++chunk) {
            fn(chunk);
        }
        return;
    }
    pool().run(chunks, fn);
}

}  // namespace ttnn_cpu::kernels
