// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "lines.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <memory>
#include <system_error>

namespace overlap {

std::string ReadText(const overlap_host &host, const std::string &path) {
    if (path.empty()) {
        return "";
    }
    char *text = nullptr;
    std::size_t length = 0;
    const int error = host.read_text(host.self, path.c_str(), &text, &length);
    const std::unique_ptr<char, decltype(&std::free)> owner(text, std::free);
    if (error != 0) {
        throw At(SourceText{path, ""}, 0, std::generic_category().message(error));
    }
    return std::string(text, length);
}

std::string Located(const SourceText &source, int line, const std::string &why) {
    return Brief(source.name) + (line > 0 ? ":" + std::to_string(line) : "") + ": " + why;
}

Failure At(const SourceText &source, int line, const std::string &why) { return Failure(Located(source, line, why)); }

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

std::vector<std::string_view> SplitAtCommas(std::string_view text) {
    std::vector<std::string_view> parts;
    std::size_t begin = 0;
    int depth = 0;
    for (std::size_t i = 0; i <= text.size(); ++i) {
        if (i == text.size() || (text[i] == ',' && depth == 0)) {
            parts.push_back(text.substr(begin, i - begin));
            begin = i + 1;
        } else if (text[i] == '[') {
            ++depth;
        } else if (text[i] == ']') {
            --depth;
        }
    }
    return parts;
}

std::string_view WithoutComment(std::string_view text) { return text.substr(0, text.find('#')); }

bool ParseNumber(std::string_view text, int &number) {
    const char *const end = text.data() + text.size();
    const auto parsed = std::from_chars(text.data(), end, number);
    return parsed.ec == std::errc() && parsed.ptr == end && number >= 0;
}

bool ParseRange(std::string_view text, int &first, int &last) {
    const std::size_t dash = text.find('-');
    return ParseNumber(text.substr(0, dash), first) &&
           ParseNumber(dash == std::string_view::npos ? text : text.substr(dash + 1), last);
}

} // namespace overlap
