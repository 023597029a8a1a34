// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "rules.h"

#include "../base/guard.h"
#include "../placement/gather.h"

#include <algorithm>

namespace overlap {
namespace {

// Thousands of rules; what is longer was meant for something else, and would go to every rank.
constexpr std::size_t kLargestFile = std::size_t{1} << 20;

} // namespace

bool Rule::Matches(const Situation &situation) const {
    for (std::size_t i = 0; i < std::size(kBounded); ++i) {
        const std::int64_t value = situation.*kBounded[i].second;
        if (value < bounds[i].least || value > bounds[i].most) {
            return false;
        }
    }
    return file_systems.empty() ||
           std::find(file_systems.begin(), file_systems.end(), situation.file_system) != file_systems.end();
}

int MostAggregators(const Rules &rules) noexcept {
    int most = 0;
    for (const Rule &rule : rules) {
        most = std::max(most, rule.advice.aggregators);
    }
    return most;
}

Advice Match(const Rules &rules, const Situation &situation) {
    const auto first = std::find_if(rules.begin(), rules.end(), [&](const Rule &rule) { return rule.Matches(situation); });
    return first == rules.end() ? Advice() : first->advice;
}

// All ranks parse the same text, so that none needs what another made of it.
Status ReadRules(const Team &team, const overlap_host &host, const overlap_settings &settings, Rules &rules) noexcept {
    if (settings.rules[0] == '\0') {
        return Status();
    }
    std::string complaints;
    bool unread = false; // by rank 0: the others have an empty text in its place
    Words words;
    Status status;
    if (team.rank() == 0) {
        status = Guarded([&] {
            std::string text;
            try {
                text = ReadText(host, settings.rules);
                if (text.size() > kLargestFile) {
                    text.clear();
                    throw At(SourceText{settings.rules, ""}, 0,
                             "it has more than " + std::to_string(kLargestFile) + " bytes");
                }
            } catch (const Failure &failure) {
                unread = true;
                complaints = failure.what();
            }
            AppendText(words, text);
        });
    }
    status = team.Broadcast(words, status);
    if (!status.ok()) {
        return status;
    }
    ParsedRules parsed;
    status = Guarded([&] {
        const std::int64_t *at = words.data();
        const std::string text = TakeText(at);
        parsed = ParseRules(SourceText{settings.rules, text});
        for (std::size_t i = 0; i < parsed.complaints.size() && !unread; ++i) {
            complaints += (i == 0 ? "" : "\n") + parsed.complaints[i];
        }
    });
    status = team.Agree(status);
    if (!status.ok()) {
        return status;
    }
    rules = std::move(parsed.rules);
    if (team.rank() == 0 && !complaints.empty()) {
        host.warn(host.self, OVERLAP_WARNING_RULES, complaints.c_str());
    }
    return status;
}

} // namespace overlap
