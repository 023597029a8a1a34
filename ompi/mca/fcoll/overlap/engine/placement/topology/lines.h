// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// Text that users write: its lines, words and lists, and what is wrong with it.
#ifndef OVERLAP_ENGINE_PLACEMENT_TOPOLOGY_LINES_H
#define OVERLAP_ENGINE_PLACEMENT_TOPOLOGY_LINES_H

#include "../../ports.h"

#include <functional>
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

/// "FILE:LINE: why"; without the line where it is 0. A Failure's text ends at the first NUL that `why` quotes.
std::string Located(const SourceText &source, int line, const std::string &why);
Failure At(const SourceText &source, int line, const std::string &why);

/// What stands between blanks.
std::vector<std::string> SplitWords(const std::string &text);

/// What stands between commas that are not in brackets; of an empty text nothing.
std::vector<std::string_view> SplitAtCommas(std::string_view text);

/// Whether all of the text is a decimal number that is not negative.
bool ParseNumber(std::string_view text, int &number);

/// The same of "3" (first and last) or "8-15", where first <= last.
bool ParseRange(std::string_view text, int &first, int &last);

/// The names of a list as Slurm writes it, "n[01-16,20],login1,rack[1-2]node[01-04]", in its order; of several brackets the
/// last varies fastest. Numbers keep the width of their range's start. Throws Failure.
std::vector<std::string> ExpandHostList(std::string_view list);

/// "node1" of "node1.cluster.example".
std::string ShortHostName(const std::string &host);

/// Visits the words of each line that has any, without the comment that `#` starts. A backslash at the end of a line joins
/// the next line to it. A Failure of `visit` gets file and line.
void ForEachLine(const SourceText &source, const std::function<void(std::vector<std::string> words)> &visit);

} // namespace overlap

#endif
