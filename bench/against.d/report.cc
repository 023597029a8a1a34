// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "report.h"

#include "../compare.d/table.h"

#include <algorithm>
#include <ostream>

namespace against {
namespace {

using compare::Fixed;

// Both where they differ.
std::string Pair(const std::optional<double> &before, const std::optional<double> &now, double unit, int digits) {
    const auto text = [&](const std::optional<double> &count) { return count ? Fixed(*count / unit, digits) : "-"; };
    return text(before) == text(now) ? text(now) : text(before) + "/" + text(now);
}

std::string Conclusion(const Row &row) {
    if (row.failed()) {
        return row.sides[row.judged].failed ? "FAILED" : "FAILED in the other commit";
    }
    const std::string times = ", " + std::to_string(row.sides[row.judged].times.size()) + " times";
    if (row.measured_again) {
        return row.verdict().text() + " (measured again" + times + ")";
    }
    return row.suspected && row.verdict().slower() ? "perhaps slower, not measured again" : row.verdict().text();
}

constexpr double kMiB = 1 << 20;
constexpr int kName = 22;

void PrintRow(std::ostream &out, const Row &row) {
    compare::Line line(out, kName, row.name);
    if (row.failed()) {
        line.Cell(9, "-").Cell(9, "-").Cell(6, "-").Cell(14, "-");
    } else {
        const Verdict verdict = row.verdict();
        line.Cell(9, Fixed(verdict.before, 4))
            .Cell(9, Fixed(verdict.now, 4))
            .Cell(6, Fixed(verdict.ratio, 3))
            .Cell(14, Fixed(verdict.least, 3) + ".." + Fixed(verdict.most, 3));
    }
    const Counts &before = row.sides[row.base].counts, &now = row.sides[row.judged].counts;
    line.Cell(13, Pair(before.system_calls, now.system_calls, 1, 0))
        .Cell(13, Pair(before.messages, now.messages, 1, 0))
        .Cell(13, Pair(before.sent, now.sent, kMiB, 1))
        .Cell(13, Pair(before.exchanged, now.exchanged, kMiB, 1))
        .Cell(13, Pair(before.memory, now.memory, kMiB, 1))
        .Cell(0, Conclusion(row));
}

} // namespace

void PrintTable(std::ostream &out, const std::vector<Trial> &trials) {
    compare::Line(out, kName, "case")
        .Cell(9, "before s")
        .Cell(9, "now s")
        .Cell(6, "ratio")
        .Cell(14, "range")
        .Cell(13, "system calls")
        .Cell(13, "messages")
        .Cell(13, "sent MiB")
        .Cell(13, "exchanged MiB")
        .Cell(13, "memory MiB")
        .Cell(0, "");
    for (const Trial &trial : trials) {
        for (const Row &row : trial.rows) {
            PrintRow(out, row);
        }
    }
}

} // namespace against
