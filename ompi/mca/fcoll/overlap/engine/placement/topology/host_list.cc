// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "host_list.h"

#include <algorithm>
#include <charconv>

namespace overlap {
namespace {

// A list that is longer than this is a slip of the pen (n[1-99999999]).
constexpr std::size_t kMostHosts = std::size_t{1} << 20;
constexpr std::size_t kMostDigits = 9;

Failure Bad(std::string_view list, const std::string &why) {
    return Failure{"the host list \"" + Brief(list) + "\" " + why};
}

bool IsNumber(std::string_view text) {
    return !text.empty() && text.size() <= kMostDigits &&
           std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

int Number(std::string_view digits) {
    int value = 0;
    std::from_chars(digits.data(), digits.data() + digits.size(), value);
    return value;
}

std::vector<std::string_view> SplitOutsideBrackets(std::string_view list) {
    std::vector<std::string_view> items;
    std::size_t begin = 0;
    int depth = 0;
    for (std::size_t i = 0; i <= list.size(); ++i) {
        if (i == list.size() || (list[i] == ',' && depth == 0)) {
            items.push_back(list.substr(begin, i - begin));
            begin = i + 1;
        } else if (list[i] == '[') {
            ++depth;
        } else if (list[i] == ']') {
            --depth;
        }
    }
    return items;
}

// "01-03,7" to 01, 02, 03, 7.
Outcome<std::vector<std::string>> ExpandRanges(std::string_view ranges) {
    std::vector<std::string> numbers;
    for (const std::string_view range : SplitOutsideBrackets(ranges)) {
        const std::size_t dash = range.find('-');
        const std::string_view first = range.substr(0, dash);
        const std::string_view last = dash == std::string_view::npos ? first : range.substr(dash + 1);
        if (!IsNumber(first) || !IsNumber(last)) {
            return Failure{"has \"" + Brief(range) + "\" where a number or a range of numbers belongs"};
        }
        if (Number(first) > Number(last)) {
            return Failure{"has the descending range \"" + Brief(range) + "\""};
        }
        if (static_cast<std::size_t>(Number(last) - Number(first)) >= kMostHosts) {
            return Failure{"is longer than " + std::to_string(kMostHosts) + " hosts"};
        }
        for (int number = Number(first); number <= Number(last); ++number) {
            const std::string digits = std::to_string(number);
            numbers.push_back(std::string(first.size() - std::min(first.size(), digits.size()), '0') + digits);
        }
    }
    return numbers;
}

// One item of a list.
Outcome<std::vector<std::string>> ExpandItem(std::string_view item) {
    std::vector<std::string> names = {""};
    while (!item.empty()) {
        const std::size_t open = item.find('[');
        const std::string_view plain = item.substr(0, open);
        if (plain.find(']') != std::string_view::npos) {
            return Failure{"has a ] without a ["};
        }
        std::vector<std::string> numbers = {""};
        item = open == std::string_view::npos ? std::string_view() : item.substr(open + 1);
        if (open != std::string_view::npos) {
            const std::size_t close = item.find(']');
            if (close == std::string_view::npos) {
                return Failure{"has a [ without a ]"};
            }
            auto expanded = ExpandRanges(item.substr(0, close));
            if (!expanded.ok()) {
                return expanded;
            }
            numbers = std::move(expanded.value());
            item = item.substr(close + 1);
        }
        if (names.size() * numbers.size() > kMostHosts) {
            return Failure{"is longer than " + std::to_string(kMostHosts) + " hosts"};
        }
        std::vector<std::string> longer;
        for (const std::string &name : names) {
            for (const std::string &number : numbers) {
                longer.push_back(name);
                longer.back().append(plain).append(number);
            }
        }
        names = std::move(longer);
    }
    return names;
}

} // namespace

Outcome<std::vector<std::string>> ExpandHostList(std::string_view list) {
    std::vector<std::string> hosts;
    for (const std::string_view item : SplitOutsideBrackets(list)) {
        if (item.empty()) {
            return Bad(list, "has an empty name");
        }
        auto names = ExpandItem(item);
        if (!names.ok()) {
            return Bad(list, names.failure().message);
        }
        hosts.insert(hosts.end(), names.value().begin(), names.value().end());
    }
    return hosts;
}

std::string ShortHostName(const std::string &host) { return host.substr(0, host.find('.')); }

} // namespace overlap
