// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "lines.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <iterator>
#include <memory>
#include <sstream>
#include <system_error>

namespace overlap {
namespace {

using Names = std::vector<std::string>;

// A list that is longer than this is a slip of the pen (n[1-99999999]).
constexpr int kMostHosts = 1 << 20;

// "01-03,7" to 01, 02, 03, 7; nothing where it is anything else.
Names ExpandRanges(std::string_view ranges) {
    Names numbers;
    for (const std::string_view range : SplitAtCommas(ranges)) {
        int from = 0;
        int to = 0;
        if (!ParseRange(range, from, to) || to - from >= kMostHosts) {
            return {};
        }
        const std::size_t width = std::min(range.find('-'), range.size());
        for (int i = 0; i <= to - from; ++i) {
            const std::string digits = std::to_string(from + i);
            numbers.push_back(std::string(width - std::min(width, digits.size()), '0') + digits);
        }
    }
    return numbers;
}

// The names of one item of a list; none where it is anything else.
Names ExpandItem(std::string_view item) {
    Names names(item.empty() ? 0 : 1);
    while (!item.empty()) {
        const std::size_t open = std::min(item.find('['), item.size());
        const std::size_t close = std::min(item.find(']'), item.size());
        Names numbers = {""};
        if (open < close && close < item.size()) {
            numbers = ExpandRanges(item.substr(open + 1, close - open - 1));
        } else if (std::min(open, close) < item.size()) {
            return {};
        }
        if (names.size() * numbers.size() > static_cast<std::size_t>(kMostHosts)) {
            return {};
        }
        Names longer;
        for (const std::string &name : names) {
            for (const std::string &number : numbers) {
                longer.push_back(name);
                longer.back().append(item.substr(0, open)).append(number);
            }
        }
        names = std::move(longer);
        item.remove_prefix(std::min(close + 1, item.size()));
    }
    return names;
}

} // namespace

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

std::vector<std::string> SplitWords(const std::string &text) {
    std::istringstream words(text);
    return {std::istream_iterator<std::string>(words), std::istream_iterator<std::string>()};
}

std::vector<std::string_view> SplitAtCommas(std::string_view text) {
    std::vector<std::string_view> parts;
    std::size_t begin = 0;
    int depth = 0;
    for (std::size_t i = 0; i <= text.size() && !text.empty(); ++i) {
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

bool ParseNumber(std::string_view text, int &number) {
    const char *const end = text.data() + text.size();
    const auto parsed = std::from_chars(text.data(), end, number);
    return parsed.ec == std::errc() && parsed.ptr == end && number >= 0;
}

bool ParseRange(std::string_view text, int &first, int &last) {
    const std::size_t dash = text.find('-');
    return ParseNumber(text.substr(0, dash), first) &&
           ParseNumber(dash == std::string_view::npos ? text : text.substr(dash + 1), last) && first <= last;
}

std::vector<std::string> ExpandHostList(std::string_view list) {
    Names hosts;
    for (const std::string_view item : SplitAtCommas(list)) {
        const Names names = ExpandItem(item);
        if (names.empty()) {
            throw Failure("\"" + Brief(list) + "\" is no list of at most " + std::to_string(kMostHosts) +
                          " hosts, as n[01-16,20],login1");
        }
        hosts.insert(hosts.end(), names.begin(), names.end());
    }
    return hosts;
}

std::string ShortHostName(const std::string &host) { return host.substr(0, host.find('.')); }

void ForEachLine(const SourceText &source, const std::function<void(std::vector<std::string> words)> &visit) {
    std::string text(source.text);
    text.erase(std::remove(text.begin(), text.end(), '\r'), text.end());
    std::istringstream lines(text);
    int number = 1;
    for (std::string line; std::getline(lines, line); ++number) {
        const int first = number;
        while (!line.empty() && line.back() == '\\') {
            line.pop_back();
            std::string next;
            number += std::getline(lines, next) ? 1 : 0;
            line += next;
        }
        std::vector<std::string> words = SplitWords(line.substr(0, line.find('#')));
        try {
            if (!words.empty()) {
                visit(std::move(words));
            }
        } catch (const Failure &failure) {
            throw At(source, first, failure.what());
        }
    }
}

} // namespace overlap
