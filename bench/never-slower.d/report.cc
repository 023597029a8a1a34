// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "report.h"

#include "../common/median.h"
#include "../compare.d/table.h"

#include <optional>
#include <ostream>

namespace never_slower {
namespace {

using against::Row;
using compare::Fixed;
using Json = nlohmann::ordered_json;

// Of fewer than one time nothing.
std::optional<double> MedianOf(const against::Series &series) {
    return series.times.empty() ? std::nullopt : std::optional<double>(bench::Median(series.times));
}

std::string Seconds(double seconds) { return Fixed(seconds, seconds < 0.001 ? 6 : 4); }

std::string CellOf(const against::Series &series) {
    const std::optional<double> median = MedianOf(series);
    if (series.failed) {
        return series.out.rfind("wrong", 0) == 0 ? "wrong" : "failed";
    }
    return !median ? "-" : (series.out == "slower" ? "~" : "") + Seconds(*median);
}

std::string Conclusion(const Row &row) {
    if (row.failed()) {
        return "FAILED: " + row.sides[row.judged].out;
    }
    const against::Verdict verdict = row.verdict();
    if (verdict.ratio <= row.tolerated) {
        return "";
    }
    if (row.sides[row.judged].times.size() < kEnough) {
        return "too few times to tell";
    }
    return std::string(Bad(row) ? "SLOWER" : "within the range seen") +
           (row.measured_again ? ", measured again, " + std::to_string(row.sides[row.judged].times.size()) + " times" : "");
}

void PrintRow(std::ostream &out, const std::vector<against::Side> &sides, const Row &row) {
    compare::Line line(out, 28, row.name);
    for (const against::Series &series : row.sides) {
        line.Cell(11, CellOf(series));
    }
    if (row.failed()) {
        line.Cell(12, "-").Cell(6, "-").Cell(14, "-");
    } else {
        const against::Verdict verdict = row.verdict();
        line.Cell(12, sides[row.base].label)
            .Cell(6, Fixed(verdict.ratio, 3))
            .Cell(14, Fixed(verdict.least, 3) + ".." + Fixed(verdict.most, 3));
    }
    line.Cell(0, Conclusion(row));
}

Json SideJson(const against::Side &side, const against::Series &series) {
    Json json = {{"label", side.label}, {"seconds", series.times}, {"median", nullptr}};
    if (const std::optional<double> median = MedianOf(series)) {
        json["median"] = *median;
    }
    json["failed"] = series.failed;
    json["left_out"] = series.out.empty() ? Json() : Json(series.out);
    return json;
}

Json RowJson(const std::vector<against::Side> &sides, const against::Setting &setting, const against::Case &one,
             const Row &row) {
    Json json = {{"case", one.name},
                 {"ranks", setting.ranks},
                 {"hosts", setting.hosts},
                 {"place", setting.place},
                 {"kernel", one.kernel},
                 {"repetitions", one.repetitions},
                 {"warm_ups", one.warm_ups},
                 {"sides", Json::array()},
                 {"best", nullptr},
                 {"ratio", nullptr},
                 {"least", nullptr},
                 {"most", nullptr},
                 {"tolerated", row.tolerated},
                 {"measured_again", row.measured_again},
                 {"bad", Bad(row)}};
    for (std::size_t side = 0; side < sides.size(); ++side) {
        json["sides"].push_back(SideJson(sides[side], row.sides[side]));
    }
    if (!row.failed()) {
        const against::Verdict verdict = row.verdict();
        json["best"] = sides[row.base].label;
        json["ratio"] = verdict.ratio;
        json["least"] = verdict.least;
        json["most"] = verdict.most;
    }
    return json;
}

} // namespace

bool Bad(const Row &row) {
    return row.failed() || (row.sides[row.judged].times.size() >= kEnough && row.verdict().slower());
}

void PrintTable(std::ostream &out, const std::vector<against::Side> &sides, const std::vector<against::Trial> &trials) {
    {
        compare::Line line(out, 28, "median seconds");
        for (const against::Side &side : sides) {
            line.Cell(11, side.label);
        }
        line.Cell(12, "best other").Cell(6, "ratio").Cell(14, "range").Cell(0, "");
    }
    for (const against::Trial &trial : trials) {
        for (const Row &row : trial.rows) {
            PrintRow(out, sides, row);
        }
    }
}

Json ToJson(const std::vector<against::Side> &sides, const std::vector<against::Trial> &trials) {
    Json rows = Json::array();
    for (const against::Trial &trial : trials) {
        for (std::size_t i = 0; i < trial.rows.size(); ++i) {
            rows.push_back(RowJson(sides, trial.setting, trial.setting.cases[i], trial.rows[i]));
        }
    }
    return rows;
}

} // namespace never_slower
