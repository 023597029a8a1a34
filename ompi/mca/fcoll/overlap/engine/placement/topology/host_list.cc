// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "host_list.h"

#include <algorithm>

namespace overlap {
namespace {

// A list that is longer than this is a slip of the pen (n[1-99999999]).
constexpr int kMostHosts = 1 << 20;

Failure TooLong() { return Failure("is longer than " + std::to_string(kMostHosts) + " hosts"); }

// "01-03,7" to 01, 02, 03, 7.
std::vector<std::string> ExpandRanges(std::string_view ranges) {
    std::vector<std::string> numbers;
    for (const std::string_view range : SplitAtCommas(ranges)) {
        const std::size_t width = range.substr(0, range.find('-')).size();
        int from = 0;
        int to = 0;
        if (!ParseRange(range, from, to)) {
            throw Failure("has \"" + Brief(range) + "\" where a number or a range of numbers belongs");
        }
        if (from > to) {
            throw Failure("has the descending range \"" + Brief(range) + "\"");
        }
        if (to - from >= kMostHosts) {
            throw TooLong();
        }
        for (int i = 0; i <= to - from; ++i) {
            const std::string digits = std::to_string(from + i);
            numbers.push_back(std::string(width - std::min(width, digits.size()), '0') + digits);
        }
    }
    return numbers;
}

// The names of one item of a list.
std::vector<std::string> ExpandItem(std::string_view item) {
    std::vector<std::string> names = {""};
    while (!item.empty()) {
        const std::string_view plain = item.substr(0, item.find('['));
        item.remove_prefix(plain.size());
        if (plain.find(']') != std::string_view::npos) {
            throw Failure("has a ] without a [");
        }
        std::vector<std::string> numbers = {""};
        if (!item.empty()) {
            const std::size_t close = item.find(']');
            if (close == std::string_view::npos) {
                throw Failure("has a [ without a ]");
            }
            numbers = ExpandRanges(item.substr(1, close - 1));
            item.remove_prefix(close + 1);
        }
        if (names.size() * numbers.size() > static_cast<std::size_t>(kMostHosts)) {
            throw TooLong();
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

std::vector<std::string> ExpandHostList(std::string_view list) {
    std::vector<std::string> hosts;
    try {
        for (const std::string_view item : SplitAtCommas(list)) {
            if (item.empty()) {
                throw Failure("has an empty name");
            }
            const std::vector<std::string> names = ExpandItem(item);
            hosts.insert(hosts.end(), names.begin(), names.end());
        }
    } catch (const Failure &failure) {
        throw Failure("the host list \"" + Brief(list) + "\" " + failure.what());
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

std::vector<int> NamedHosts::FindAll(const std::vector<std::string> &wanted, const SourceText &source) const {
    std::vector<int> places;
    for (const std::string &host : wanted) {
        places.push_back(Find(host));
        if (places.back() < 0) {
            const bool missing = places.back() == kMissing;
            throw At(source, 0,
                     "host " + Brief(host) +
                         (missing ? " is missing" : " may be one of several that differ in their domain"));
        }
    }
    return places;
}

} // namespace overlap
