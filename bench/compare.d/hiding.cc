// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "hiding.h"

#include "../common/median.h"

namespace compare {
namespace {

using Json = nlohmann::ordered_json;

} // namespace

std::optional<Hiding> HidingOf(const Entry &entry) {
    std::vector<double> blocking, compute, added, start_share, test_share, hidden;
    for (const Measured &run : entry.runs) {
        const Json parts = run.result["repetitions"][0].value("nonblocking", Json());
        if (!parts.is_object()) {
            return std::nullopt;
        }
        blocking.push_back(parts.value("blocking", 0.0));
        compute.push_back(parts.value("compute", 0.0));
        added.push_back(run.seconds - compute.back());
        start_share.push_back(parts.value("start_share", 0.0));
        test_share.push_back(parts.value("test_share", 0.0));
        hidden.push_back(parts.value("hidden", 0.0));
    }
    if (entry.failed || entry.runs.empty()) {
        return std::nullopt;
    }
    return Hiding{bench::Median(blocking),    bench::Median(compute),    bench::Median(added),
                  bench::Median(start_share), bench::Median(test_share), bench::Median(hidden)};
}

bool SameComputation(const Comparison &comparison) {
    const Json &described = Described(comparison);
    const Json asked = described.is_object() ? described.value("nonblocking", Json()) : Json();
    return asked.is_object() && asked.value("compute", 0.0) > 0;
}

} // namespace compare
