// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "rules.h"

#include "../placement/gather.h"

#include <algorithm>

namespace overlap {
namespace {

// Thousands of rules; what is longer was meant for something else, and would go to every rank.
constexpr std::size_t kLargestFile = std::size_t{1} << 20;

bool Matches(const Rule &rule, const Situation &situation) {
    for (std::size_t i = 0; i < std::size(kBounded); ++i) {
        const std::int64_t value = situation.*kBounded[i].second;
        if (value < rule.bounds[i].least || value > rule.bounds[i].most) {
            return false;
        }
    }
    const std::vector<std::string> &names = rule.file_systems;
    return names.empty() || std::find(names.begin(), names.end(), situation.file_system) != names.end();
}

} // namespace

int MostAggregators(const Rules &rules) noexcept {
    int most = 0;
    for (const Rule &rule : rules) {
        most = std::max(most, rule.advice.aggregators);
    }
    return most;
}

Advice Match(const Rules &rules, const Situation &situation) {
    const auto first = std::find_if(rules.begin(), rules.end(), [&](const Rule &rule) { return Matches(rule, situation); });
    return first == rules.end() ? Advice() : first->advice;
}

// All ranks parse the same text, so that none needs what another made of it.
Status ReadRules(const Team &team, const overlap_host &host, const overlap_settings &settings, Rules &rules) noexcept {
    if (settings.rules[0] == '\0') {
        return Status();
    }
    std::string complaints;
    Words words; // none where rank 0 cannot use the file
    Status status;
    if (team.rank() == 0) {
        status = Guarded([&] {
            try {
                const std::string text = ReadText(host, settings.rules);
                if (text.size() > kLargestFile) {
                    throw At(SourceText{settings.rules, ""}, 0,
                             "it has more than " + std::to_string(kLargestFile) + " bytes");
                }
                AppendText(words, text);
            } catch (const Failure &failure) {
                complaints = failure.what();
            }
        });
    }
    status = team.Broadcast(words, status);
    if (!status.ok()) {
        return status;
    }
    ParsedRules parsed;
    status = Guarded([&] {
        if (!words.empty()) {
            const std::int64_t *at = words.data();
            parsed = ParseRules(SourceText{settings.rules, TakeText(at)});
        }
        for (const std::string &complaint : parsed.complaints) {
            complaints += (complaints.empty() ? "" : "\n") + complaint;
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
