// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "report.h"

#include "../table.h"

#include <algorithm>
#include <ostream>

namespace compare {
namespace {

std::string Percent(double share) { return Fixed(100 * share, 1) + " %"; }

std::string Seconds(const std::optional<Best> &best) { return best ? Fixed(best->summary.median, 4) : "-"; }

std::string Label(const std::optional<Best> &best) {
    return best ? best->timed->label + (best->timed->wrong_file ? " !" : "") : "-";
}

int LongestLabel(const RegretRecord &record, Part part, int least) {
    int width = least;
    for (const auto &[label, own] : record.field.parts) {
        // With the mark of a wrong file.
        width = own == part ? std::max(width, static_cast<int>(label.size()) + 2) : width;
    }
    return width;
}

// The condition is last: it may be longer than a terminal is wide.
class Columns {
  public:
    Columns(std::ostream &out, const RegretRecord &record)
        : out_(out), setting_(LongestLabel(record, Part::kSetting, 12)), other_(LongestLabel(record, Part::kOther, 10)) {}

    void Head() const {
        Line(out_, 5, "line")
            .Cell(9, "default s")
            .Cell(9, "best s")
            .Cell(9, "regret")
            .Cell(setting_, "best setting")
            .Cell(9, "other s")
            .Cell(7, "x other")
            .Cell(other_, "best other")
            .Cell(0, "condition");
    }

    void Row(const ConditionResult &result) const {
        const RegretRow row = RowOf(result);
        Line line(out_, 5, std::to_string(result.line));
        if (result.state != State::kMeasured) {
            line.Cell(9, result.state == State::kFailed ? "FAILED" : "left out").Cell(0, result.text);
            return;
        }
        line.Cell(9, Seconds(row.by_default))
            .Cell(9, Seconds(row.setting))
            .Cell(9, Percent(*row.regret) + (row.within_spread ? "~" : " "))
            .Cell(setting_, Label(row.setting))
            .Cell(9, Seconds(row.other))
            .Cell(7, OrDash(row.to_other, 2))
            .Cell(other_, Label(row.other))
            .Cell(0, result.text);
    }

  private:
    std::ostream &out_;
    int setting_;
    int other_;
};

void PrintHead(std::ostream &out, const RegretRecord &record) {
    const bench::MachineFacts &machine = record.machine;
    out << "date        " << record.date << "\n";
    out << "machine     " << machine.cpu << ", " << Counted(machine.cores, "core") << ", " << (machine.memory_bytes >> 20)
        << " MiB, " << machine.system << " " << machine.release << "\n";
    out << "Open MPI    " << record.openmpi << " (" << record.run.mpirun << ")\n";
    out << "default     " << record.field.contenders.front() << "\n";
    out << "measured    medians of " << Counted(record.run.repetitions, "round")
        << " in shuffled order, each time a job of its own, after one round that does not count (seed " << record.run.seed
        << " and the line)\n";
    if (record.run.settle > 0) {
        out << "            and of " << record.run.settle
            << " more of the default and of each that looked faster while their times overlapped\n";
    }
    out << "\n";
}

// Who had more rounds than all had.
void PrintRounds(std::ostream &out, const RegretRecord &record) {
    for (const ConditionResult &result : record.conditions) {
        std::string rounds;
        for (const Timed &timed : result.timed) {
            if (timed.failure.empty() && timed.seconds.size() > static_cast<std::size_t>(record.run.repetitions)) {
                rounds += (rounds.empty() ? "" : ", ") + timed.label + " " + std::to_string(timed.seconds.size());
            }
        }
        if (result.state == State::kMeasured && !rounds.empty()) {
            out << "more than " << Counted(record.run.repetitions, "round") << " in line " << result.line << ": " << rounds
                << "\n";
        }
    }
}

void PrintSummary(std::ostream &out, const RegretSummary &summary) {
    out << "\nregret = T_default / T_best - 1, of medians, T_best of the fixed settings and the default; ~: their times "
           "overlap\n";
    out << "x other = T_other / T_default; !: its file was wrong\n\n";
    if (summary.mean) {
        out << "mean regret " << Percent(*summary.mean) << ", worst " << Percent(*summary.worst) << " (line "
            << summary.worst_line << "), of " << Counted(summary.measured, "condition") << "\n";
        out << "slower than the best of the others in " << Counted(summary.behind_others, "condition") << "\n";
    } else {
        out << "no regret: nothing was measured\n";
    }
    out << Counted(summary.failed, "condition") << " failed, " << summary.left_out << " left out\n";
}

void PrintFailures(std::ostream &out, const RegretRecord &record) {
    for (const LeftOut &left_out : record.left_out) {
        out << "\nleft out: " << left_out.label << ": " << left_out.reason << "\n";
    }
    for (const ConditionResult &result : record.conditions) {
        const std::string line = "line " + std::to_string(result.line);
        if (result.state == State::kFailed) {
            out << "\nFAILED " << line << ": " << result.reason << "\n";
        } else if (result.state == State::kLeftOut) {
            out << "\nleft out: " << line << ": " << result.reason << "\n";
        }
        for (const Timed &timed : result.timed) {
            if (!timed.failure.empty()) {
                out << "\nFAILED " << line << ", " << timed.label << ": " << timed.failure << "\n"
                    << "to repeat it: " << timed.command << "\n";
            }
        }
    }
}

} // namespace

void PrintRegret(std::ostream &out, const RegretRecord &record) {
    PrintHead(out, record);
    const Columns columns(out, record);
    columns.Head();
    for (const ConditionResult &result : record.conditions) {
        columns.Row(result);
    }
    PrintSummary(out, SummaryOf(record.conditions));
    PrintRounds(out, record);
    PrintFailures(out, record);
}

} // namespace compare
