// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// The lines of a file, numbered for messages.
#ifndef OVERLAP_ENGINE_PLACEMENT_TOPOLOGY_LINES_H
#define OVERLAP_ENGINE_PLACEMENT_TOPOLOGY_LINES_H

#include "outcome.h"

#include <string>
#include <string_view>
#include <vector>

namespace overlap {

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

/// Without the comment that `#` starts.
std::string_view WithoutComment(std::string_view text);

} // namespace overlap

#endif
