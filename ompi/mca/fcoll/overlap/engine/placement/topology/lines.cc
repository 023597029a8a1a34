// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "lines.h"

#include <algorithm>

namespace overlap {

Failure At(const SourceText &source, int line, const std::string &why) {
    return Failure{Brief(source.name) + (line > 0 ? ":" + std::to_string(line) : "") + ": " + why};
}

std::vector<Line> SplitLines(std::string_view text, bool continued) {
    std::vector<Line> lines;
    bool join = false;
    for (int number = 1; !text.empty(); ++number) {
        const std::size_t end = text.find('\n');
        std::string_view line = text.substr(0, end);
        text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
        if (!line.empty() && line.back() == '\r') {
            line.remove_suffix(1);
        }
        const bool goes_on = continued && !line.empty() && line.back() == '\\';
        if (goes_on) {
            line.remove_suffix(1);
        }
        if (join) {
            lines.back().text += line;
        } else {
            lines.push_back(Line{number, std::string(line)});
        }
        join = goes_on;
    }
    return lines;
}

std::vector<std::string> SplitWords(std::string_view text) {
    constexpr std::string_view kBlanks = " \t\r";
    std::vector<std::string> words;
    for (;;) {
        const std::size_t begin = text.find_first_not_of(kBlanks);
        if (begin == std::string_view::npos) {
            return words;
        }
        text.remove_prefix(begin);
        const std::size_t end = std::min(text.find_first_of(kBlanks), text.size());
        words.emplace_back(text.substr(0, end));
        text.remove_prefix(end);
    }
}

std::string_view WithoutComment(std::string_view text) { return text.substr(0, text.find('#')); }

} // namespace overlap
