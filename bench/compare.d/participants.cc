// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "participants.h"

#include "contenders.h"
#include "failure.h"

#include <iostream>

namespace compare {

void AddContenders(Comparison &comparison, const Installation &installation, const std::string &target) {
    const Options &options = comparison.options;
    const Words usual = UsualContenders(options.openmpi, options.gio);
    for (const Contender &contender : ParseContenders(options.contenders.empty() ? usual : options.contenders)) {
        std::optional<std::string> missing = Missing(contender, installation, options.gio);
        if (!missing && options.nonblocking) {
            missing = MissingNonblocking(contender);
        }
        if (missing) {
            comparison.left_out.push_back({contender.label, *missing});
            std::cerr << "compare: left out: " << contender.label << ": " << *missing << "\n";
            continue;
        }
        Entry entry;
        entry.contender = contender;
        entry.job = Job{McaArguments(contender, installation), BenchArguments(contender), target};
        comparison.entries.push_back(entry);
    }
    if (comparison.entries.empty()) {
        throw Failure(1, "no contender is left");
    }
}

} // namespace compare
