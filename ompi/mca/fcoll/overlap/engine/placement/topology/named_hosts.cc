// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "named_hosts.h"

#include "host_list.h"

namespace overlap {

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
