// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// A result, or the sentence that says why there is none.
#ifndef OVERLAP_ENGINE_PLACEMENT_TOPOLOGY_OUTCOME_H
#define OVERLAP_ENGINE_PLACEMENT_TOPOLOGY_OUTCOME_H

#include <string>
#include <string_view>
#include <utility>
#include <variant>

namespace overlap {

struct Failure {
    std::string message; // for the user: what is wrong and where
};

/// As much of what somebody else has written as a message should quote.
inline std::string Brief(std::string_view quoted) {
    constexpr std::size_t kMostCharacters = 200;
    std::string brief(quoted.substr(0, kMostCharacters));
    return quoted.size() > kMostCharacters ? brief + "..." : brief;
}

template <typename T> class [[nodiscard]] Outcome {
  public:
    Outcome(T value) : either_(std::move(value)) {}
    Outcome(Failure failure) : either_(std::move(failure)) {}

    bool ok() const { return either_.index() == 0; }
    /// Needs: ok().
    T &value() { return std::get<0>(either_); }
    const T &value() const { return std::get<0>(either_); }
    /// Needs: not ok().
    const Failure &failure() const { return std::get<1>(either_); }

  private:
    std::variant<T, Failure> either_;
};

} // namespace overlap

#endif
