// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "host_list.h"

#include <algorithm>

namespace overlap {
namespace {

// A list that is longer than this is a slip of the pen (n[1-99999999]).
constexpr int kMostHosts = 1 << 20;

Failure Bad(std::string_view list, const std::string &why) {
    return Failure{"the host list \"" + Brief(list) + "\" " + why};
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
        int from = 0;
        int to = 0;
        if (!ParseNumber(first, from) || !ParseNumber(last, to)) {
            return Failure{"has \"" + Brief(range) + "\" where a number or a range of numbers belongs"};
        }
        if (from > to) {
            return Failure{"has the descending range \"" + Brief(range) + "\""};
        }
        if (to - from >= kMostHosts) {
            return Failure{"is longer than " + std::to_string(kMostHosts) + " hosts"};
        }
        for (int i = 0; i <= to - from; ++i) {
            const std::string digits = std::to_string(from + i);
            numbers.push_back(std::string(first.size() - std::min(first.size(), digits.size()), '0') + digits);
        }
    }
    return numbers;
}

// One item of a list.
Outcome<std::vector<std::string>> ExpandItem(std::string_view item) {
    std::vector<std::string> names = {""};
    while (!item.empty()) {
        const std::string_view plain = item.substr(0, item.find('['));
        item.remove_prefix(plain.size());
        if (plain.find(']') != std::string_view::npos) {
            return Failure{"has a ] without a ["};
        }
        std::vector<std::string> numbers = {""};
        if (!item.empty()) {
            const std::size_t close = item.find(']');
            if (close == std::string_view::npos) {
                return Failure{"has a [ without a ]"};
            }
            auto expanded = ExpandRanges(item.substr(1, close - 1));
            if (!expanded.ok()) {
                return expanded;
            }
            numbers = std::move(expanded.value());
            item.remove_prefix(close + 1);
        }
        if (names.size() * numbers.size() > static_cast<std::size_t>(kMostHosts)) {
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

NamedHosts::NamedHosts(const std::vector<std::string> &known) {
    for (std::size_t i = 0; i < known.size(); ++i) {
        by_name_.emplace(known[i], static_cast<int>(i));
        const auto added = by_short_name_.emplace(ShortHostName(known[i]), static_cast<int>(i));
        if (!added.second) {
            added.first->second = kSeveral;
        }
    }
}

int NamedHosts::Find(const std::string &host) const {
    const auto exact = by_name_.find(host);
    if (exact != by_name_.end()) {
        return exact->second;
    }
    const auto similar = by_short_name_.find(ShortHostName(host));
    return similar == by_short_name_.end() ? kMissing : similar->second;
}

Outcome<std::vector<int>> NamedHosts::FindAll(const std::vector<std::string> &wanted, const SourceText &source) const {
    std::vector<int> places;
    for (const std::string &host : wanted) {
        const int place = Find(host);
        if (place < 0) {
            return At(source, 0,
                      "host " + Brief(host) +
                          (place == kMissing ? " is missing" : " may be one of several that differ in their domain"));
        }
        places.push_back(place);
    }
    return places;
}

} // namespace overlap
