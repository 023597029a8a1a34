// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// The quantities that the engine computes with, and the one place where they are narrowed.
#ifndef OVERLAP_ENGINE_BASE_TYPES_H
#define OVERLAP_ENGINE_BASE_TYPES_H

#include <cstddef>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <type_traits>

namespace overlap {

using Rank = int;
using FileOffset = std::int64_t; // bytes from the start of the file
using ByteCount = std::int64_t;
using Cycle = std::int64_t; // 0 .. cycles-1
using Slot = int;           // sub-buffer, 0 .. slots-1

/// Bytes [first, last) of the file, or of a list.
struct Range {
    FileOffset first = 0;
    FileOffset last = 0;
    bool empty() const { return first >= last; }
    ByteCount bytes() const { return last - first; }
};

/// Converts between integer types; throws std::range_error where the value does not fit.
template <typename To, typename From> To Narrow(From value) {
    static_assert(std::is_integral_v<To> && std::is_integral_v<From>);
    const To narrowed = static_cast<To>(value);
    if (static_cast<From>(narrowed) != value || ((narrowed < To{}) != (value < From{}))) {
        throw std::range_error("a number does not fit its type");
    }
    return narrowed;
}

/// No offset, and no end of data, lies behind this one.
constexpr FileOffset kLastOffset = std::numeric_limits<FileOffset>::max();

/// Of a message: those that hold so many bytes.
template <typename Bytes> constexpr std::size_t WordsOf(Bytes bytes) {
    return (static_cast<std::size_t>(bytes) + sizeof(std::int64_t) - 1) / sizeof(std::int64_t);
}

/// Throw std::range_error where the result does not fit.
inline std::int64_t CheckedAdd(std::int64_t a, std::int64_t b) {
    std::int64_t sum = 0;
    if (__builtin_add_overflow(a, b, &sum)) {
        throw std::range_error("a sum does not fit its type");
    }
    return sum;
}

inline std::int64_t CheckedMultiply(std::int64_t a, std::int64_t b) {
    std::int64_t product = 0;
    if (__builtin_mul_overflow(a, b, &product)) {
        throw std::range_error("a product does not fit its type");
    }
    return product;
}

/// Needs: the result fits, as it does where `value` is not negative.
constexpr std::int64_t RoundDown(std::int64_t value, std::int64_t unit) {
    const std::int64_t remainder = value % unit;
    return value - (remainder < 0 ? remainder + unit : remainder);
}

/// Needs: divisor > 0.
constexpr std::int64_t DivideUp(std::int64_t value, std::int64_t divisor) {
    return value / divisor + (value % divisor > 0 ? 1 : 0);
}

} // namespace overlap

#endif
