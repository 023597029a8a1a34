// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "trial.h"

#include <algorithm>
#include <iostream>

namespace against {
namespace {

void Take(const Seconds &seconds, const Case &one, Series &series) {
    const auto found = seconds.find(one.name);
    if (found == seconds.end()) {
        series.failed = true;
    } else {
        series.times.push_back(found->second);
    }
}

} // namespace

Trial::Trial(const Setting &which, std::size_t sides, double tolerated) : setting(which) {
    for (const Case &one : setting.cases) {
        Row row;
        row.name = FullName(one, setting);
        row.sides.resize(sides);
        row.tolerated = tolerated;
        rows.push_back(std::move(row));
    }
}

void Alternate(const std::vector<Side> &sides, Trial &trial, const Programs &programs, int alternations) {
    for (int i = 0; i < alternations; ++i) {
        for (std::size_t turn = 0; turn < sides.size(); ++turn) {
            const std::size_t side = (static_cast<std::size_t>(i) + turn) % sides.size();
            Setting part = trial.setting;
            part.cases.clear();
            std::vector<Series *> of_part;
            for (std::size_t j = 0; j < trial.rows.size(); ++j) {
                if (trial.rows[j].sides[side].active()) {
                    part.cases.push_back(trial.setting.cases[j]);
                    of_part.push_back(&trial.rows[j].sides[side]);
                }
            }
            if (of_part.empty()) {
                continue;
            }
            const Seconds seconds = RunTimed(sides[side], part, programs);
            for (std::size_t j = 0; j < of_part.size(); ++j) {
                Take(seconds, part.cases[j], *of_part[j]);
            }
        }
    }
}

void MeasureAgain(const std::vector<Side> &sides, std::vector<Trial> &trials, const Programs &programs, const Again &again) {
    std::vector<Row *> suspects;
    for (Trial &trial : trials) {
        for (Row &row : trial.rows) {
            row.suspected = !row.failed() && row.verdict().ratio > row.tolerated;
            if (row.suspected) {
                suspects.push_back(&row);
            }
        }
    }
    std::sort(suspects.begin(), suspects.end(),
              [](const Row *a, const Row *b) { return a->verdict().least > b->verdict().least; });
    suspects.resize(std::min(suspects.size(), again.most));
    for (Row *const row : suspects) {
        row->measured_again = true;
        row->sides[row->base].times.clear();
        row->sides[row->judged].times.clear();
    }
    for (Trial &trial : trials) {
        long cases = 0;
        for (Row &row : trial.rows) {
            cases += row.measured_again ? 1 : 0;
            for (std::size_t side = 0; side < row.sides.size(); ++side) {
                Series &series = row.sides[side];
                if ((!row.measured_again || (side != row.base && side != row.judged)) && series.active()) {
                    series.out = "not measured again";
                }
            }
        }
        if (cases > 0) {
            std::cerr << "again, " << trial.setting.ranks << " ranks, " << trial.setting.place << ", " << cases
                      << " cases that look slower\n";
            Alternate(sides, trial, programs, again.alternations);
        }
    }
}

} // namespace against
