// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "sides.h"

#include "../common/median.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <limits>

namespace never_slower {
namespace {

// The fastest of all is never that much slower than another in the one time that the first round has.
constexpr double kHopeless = 1.5;

// Every other schedule has its turns in `compare --regret`; more here would take more than 20 minutes.
const char *const kContenders[] = {
    "overlap",
    "independent=overlap:writes=independent:reads=independent",
    "collective=overlap:writes=collective:reads=collective",
    "none=overlap:algorithm=none",
    "vulcan",
    "romio",
    "gio",
};

using RowTest = std::function<bool(const against::Row &)>;
using Take = std::function<void(std::size_t row, double seconds)>;

/// One side runs the cases whose row passes the test. Who fails is marked; `take` has the others. Whether there was one.
bool RunPart(const against::Side &side, std::size_t number, against::Trial &trial, const against::Programs &programs,
             bool verify, const RowTest &test, const Take &take) {
    against::Setting part = trial.setting;
    part.cases.clear();
    std::vector<std::size_t> rows;
    for (std::size_t i = 0; i < trial.rows.size(); ++i) {
        if (test(trial.rows[i])) {
            rows.push_back(i);
            part.cases.push_back(trial.setting.cases[i]);
        }
    }
    if (rows.empty()) {
        return false;
    }
    against::Tryings tryings = RunOnce(side, part, programs, verify);
    for (const std::size_t i : rows) {
        const against::Trying &trying = tryings[trial.setting.cases[i].name];
        if (trying.seconds) {
            take(i, *trying.seconds);
        } else {
            trial.rows[i].sides[number].failed = true;
            trial.rows[i].sides[number].out = trying.error.empty() ? "failed" : trying.error;
        }
    }
    return true;
}

void TakeFastest(against::Row &row) {
    double fastest = std::numeric_limits<double>::max();
    row.base = 0;
    for (std::size_t side = 1; side < row.sides.size(); ++side) {
        const against::Series &series = row.sides[side];
        if (series.active() && !series.times.empty() && bench::Median(series.times) < fastest) {
            fastest = bench::Median(series.times);
            row.base = side;
        }
    }
}

} // namespace

std::vector<compare::Contender> Contenders(const compare::Installation &installation, const std::string &gio) {
    std::vector<compare::Contender> present;
    for (compare::Contender &contender : compare::ParseContenders({std::begin(kContenders), std::end(kContenders)})) {
        if (!compare::Missing(contender, installation, gio)) {
            present.push_back(std::move(contender));
        }
    }
    return present;
}

against::Side MakeSide(const compare::Contender &contender, const compare::Installation &installation,
                       const std::string &component_path) {
    against::Side side{
        contender.label, {"--mca", "mca_base_component_path", component_path}, compare::BenchArguments(contender)};
    const compare::Words mca = compare::McaArguments(contender, installation);
    side.mca.insert(side.mca.end(), mca.begin(), mca.end());
    return side;
}

std::string LeftOut(const compare::Contender &contender, const against::Case &one) {
    if (contender.component == "gio" && one.only_mpiio()) {
        return "not in GIO";
    }
    if (one.nonblocking()) {
        return compare::MissingNonblocking(contender).value_or("");
    }
    return "";
}

void TryAll(const std::vector<compare::Contender> &contenders, const std::vector<against::Side> &sides,
            against::Trial &trial, const against::Programs &programs) {
    const std::size_t count = trial.rows.size();
    std::vector<double> fastest(count, std::numeric_limits<double>::max());
    for (std::size_t side = 0; side < sides.size(); ++side) {
        for (std::size_t i = 0; i < count; ++i) {
            trial.rows[i].sides[side].out = LeftOut(contenders[side], trial.setting.cases[i]);
        }
        const auto has_turn = [side](const against::Row &row) { return row.sides[side].active(); };
        RunPart(sides[side], side, trial, programs, false, has_turn, [&](std::size_t i, double seconds) {
            trial.rows[i].sides[side].times = {seconds};
            fastest[i] = std::min(fastest[i], seconds);
        });
    }
    for (std::size_t i = 0; i < count; ++i) {
        for (against::Series &series : trial.rows[i].sides) {
            // overlap itself has all turns.
            if (!series.times.empty() && series.times[0] > kHopeless * fastest[i] && &series != &trial.rows[i].sides[0]) {
                series.out = "slower";
            } else {
                series.times.clear();
            }
        }
    }
}

void ChooseBest(const std::vector<against::Side> &sides, against::Trial &trial, const against::Programs &programs) {
    for (bool asked = true; asked;) {
        asked = false;
        std::for_each(trial.rows.begin(), trial.rows.end(), TakeFastest);
        for (std::size_t side = 0; side < sides.size(); ++side) {
            const auto to_verify = [side](const against::Row &row) {
                const against::Series &series = row.sides[side];
                return (side == row.base || side == row.judged) && series.active() && !series.verified;
            };
            asked = RunPart(sides[side], side, trial, programs, true, to_verify,
                            [&](std::size_t i, double) { trial.rows[i].sides[side].verified = true; }) ||
                    asked;
        }
    }
}

} // namespace never_slower
