// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// Text that users write: its lines and words, and a value that is read from it or what is wrong with it.
#ifndef OVERLAP_ENGINE_PLACEMENT_TOPOLOGY_LINES_H
#define OVERLAP_ENGINE_PLACEMENT_TOPOLOGY_LINES_H

#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

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

/// Text of a file, which the caller has read.
struct SourceText {
    std::string name; // for messages
    std::string_view text;
};

struct Line {
    int number = 0; // the first line of the file is 1
    std::string text;
};

/// "FILE:LINE: why"; without the line where it is 0.
Failure At(const SourceText &source, int line, const std::string &why);

/// The lines without the ends of line, empty ones included. With `continued` a backslash at an end joins the next line to
/// it.
std::vector<Line> SplitLines(std::string_view text, bool continued);

/// What stands between blanks.
std::vector<std::string> SplitWords(std::string_view text);

/// What stands between commas; a text without one is one part.
std::vector<std::string> SplitAtCommas(std::string_view text);

/// Without the comment that `#` starts.
std::string_view WithoutComment(std::string_view text);

/// Whether all of the text is a decimal number that is not negative.
bool ParseNumber(std::string_view text, int &number);

} // namespace overlap

#endif
