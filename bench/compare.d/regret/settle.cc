// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "settle.h"

#include <algorithm>
#include <optional>

namespace compare {
namespace {

// Who was dropped has no times; who failed may have some.
std::optional<Summary> TimesOf(const Timed &timed) {
    return timed.failure.empty() ? Summarize(timed.seconds) : std::nullopt;
}

// As the rival's median is below the default's, its least time is below the default's most.
bool LooksFaster(const Summary &rival, const Summary &by_default) {
    return rival.median < by_default.median && by_default.least <= rival.most;
}

} // namespace

std::vector<std::size_t> Unsettled(const std::vector<Timed> &timed) {
    const auto own = std::find_if(timed.begin(), timed.end(), [](const Timed &each) { return each.part == Part::kDefault; });
    const std::optional<Summary> by_default = own == timed.end() ? std::nullopt : TimesOf(*own);
    std::vector<std::size_t> open;
    bool rivals = false;
    for (std::size_t i = 0; by_default && i < timed.size(); ++i) {
        const std::optional<Summary> summary = TimesOf(timed[i]);
        const bool rival = summary && LooksFaster(*summary, *by_default);
        if (rival || timed[i].part == Part::kDefault) {
            open.push_back(i);
        }
        rivals = rivals || rival;
    }
    return rivals ? open : std::vector<std::size_t>();
}

} // namespace compare
