// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "lines.h"

#include <algorithm>
#include <charconv>

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

std::vector<std::string> SplitAtCommas(std::string_view text) {
    std::vector<std::string> parts;
    for (std::size_t comma = text.find(','); comma != std::string_view::npos; comma = text.find(',')) {
        parts.emplace_back(text.substr(0, comma));
        text.remove_prefix(comma + 1);
    }
    parts.emplace_back(text);
    return parts;
}

std::string_view WithoutComment(std::string_view text) { return text.substr(0, text.find('#')); }

bool ParseNumber(std::string_view text, int &number) {
    const char *const end = text.data() + text.size();
    const auto parsed = std::from_chars(text.data(), end, number);
    return parsed.ec == std::errc() && parsed.ptr == end && number >= 0;
}

} // namespace overlap
