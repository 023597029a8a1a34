// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// Text that users write: its lines and words, and what is wrong with it.
#ifndef OVERLAP_ENGINE_PLACEMENT_TOPOLOGY_LINES_H
#define OVERLAP_ENGINE_PLACEMENT_TOPOLOGY_LINES_H

#include "../../ports.h"

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace overlap {

/// What a user has named cannot be used; what() tells the user what is wrong and where. Who reads it warns, and continues
/// without it.
class Failure : public std::invalid_argument {
  public:
    using std::invalid_argument::invalid_argument;
};

/// As much of what somebody else has written as a message should quote.
inline std::string Brief(std::string_view quoted) {
    constexpr std::size_t kMostCharacters = 200;
    std::string brief(quoted.substr(0, kMostCharacters));
    return quoted.size() > kMostCharacters ? brief + "..." : brief;
}

/// The contents of a file; the empty path has none. Throws Failure.
std::string ReadText(const overlap_host &host, const std::string &path);

/// Text of a file, which the caller has read.
struct SourceText {
    std::string name; // for messages
    std::string_view text;
};

struct Line {
    int number = 0; // the first line of the file is 1
    std::string text;
};

/// "FILE:LINE: why"; without the line where it is 0. A Failure's text ends at the first NUL that `why` quotes.
std::string Located(const SourceText &source, int line, const std::string &why);
Failure At(const SourceText &source, int line, const std::string &why);

/// The lines without the ends of line, empty ones included. With `continued` a backslash at an end joins the next line to
/// it.
std::vector<Line> SplitLines(std::string_view text, bool continued);

/// What stands between blanks.
std::vector<std::string> SplitWords(std::string_view text);

/// What stands between commas that are not in brackets; a text without one is one part.
std::vector<std::string_view> SplitAtCommas(std::string_view text);

/// Without the comment that `#` starts.
std::string_view WithoutComment(std::string_view text);

/// Whether all of the text is a decimal number that is not negative.
bool ParseNumber(std::string_view text, int &number);

/// The same of "3" (first and last) or "8-15".
bool ParseRange(std::string_view text, int &first, int &last);

/// Calls visit(words, line number) for each line that is not empty but for its comment. A Failure of `visit` gets file and
/// line.
template <typename Visit> void ForEachLine(const SourceText &source, bool continued, Visit visit) {
    for (const Line &line : SplitLines(source.text, continued)) {
        std::vector<std::string> words = SplitWords(WithoutComment(line.text));
        if (words.empty()) {
            continue;
        }
        try {
            visit(std::move(words), line.number);
        } catch (const Failure &failure) {
            throw At(source, line.number, failure.what());
        }
    }
}

} // namespace overlap

#endif
