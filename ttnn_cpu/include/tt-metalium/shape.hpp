// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iosfwd>

#include <tt_stl/small_vector.hpp>
#include <tt_stl/span.hpp>

namespace tt::tt_metal {

// The dimensions of a tensor, outermost first. Negative indices count from the last dimension.
class Shape final {
public:
    using Container = ttsl::SmallVector<std::uint32_t>;

    Shape() = default;
    explicit Shape(const Container& dims) : value_(dims) {}
    explicit Shape(Container&& dims) : value_(std::move(dims)) {}
    explicit Shape(std::initializer_list<std::uint32_t> dims) : value_(dims) {}
    template <std::size_t N>
    explicit Shape(const std::array<std::uint32_t, N>& dims) : value_(dims.begin(), dims.end()) {}
    explicit Shape(ttsl::Span<const std::uint32_t> dims) : value_(dims.begin(), dims.end()) {}

    std::uint32_t operator[](std::int32_t index) const { return value_[get_normalized_index(index)]; }
    std::uint32_t& operator[](std::int32_t index) { return value_[get_normalized_index(index)]; }

    Container::const_iterator begin() const { return value_.begin(); }
    Container::const_iterator end() const { return value_.end(); }
    Container::const_iterator cbegin() const { return value_.cbegin(); }
    Container::const_iterator cend() const { return value_.cend(); }

    ttsl::Span<const std::uint32_t> view() const { return {value_.data(), value_.size()}; }
    bool empty() const { return value_.empty(); }
    std::size_t size() const { return value_.size(); }
    [[nodiscard]] std::size_t rank() const { return value_.size(); }
    [[nodiscard]] std::uint64_t volume() const;

    // Throws for an index outside [-rank, rank).
    std::uint32_t get_normalized_index(std::int64_t index) const;

    std::array<std::uint32_t, 4> to_array_4D() const;
    // Puts ones in front, or takes them away; throws when a dimension other than 1 would be lost.
    Shape to_rank(std::size_t new_rank) const;

    bool operator==(const Shape& other) const = default;

private:
    Container value_;
};

std::ostream& operator<<(std::ostream& os, const Shape& shape);

}  // namespace tt::tt_metal
