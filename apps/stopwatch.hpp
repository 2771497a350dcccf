// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <chrono>
#include <vector>

namespace zoo::apps {

class Stopwatch {
public:
    double milliseconds() const {
        return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start_).count();
    }

private:
    std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

// Latencies in milliseconds, and what one says of them.
class Samples {
public:
    void add(double value) { values_.insert(std::upper_bound(values_.begin(), values_.end(), value), value); }
    std::size_t count() const { return values_.size(); }
    double best() const { return values_.front(); }
    double median() const {
        const std::size_t middle = values_.size() / 2;
        return values_.size() % 2 == 1 ? values_[middle] : (values_[middle - 1] + values_[middle]) / 2;
    }
    double p90() const { return at(0.9); }

private:
    double at(double share) const {
        const auto index = static_cast<std::size_t>(share * static_cast<double>(values_.size() - 1) + 0.5);
        return values_[index];
    }

    std::vector<double> values_;  // sorted
};

}  // namespace zoo::apps
