// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "transfer.h"

#include "../schedule/schedule.h"

#include <iomanip>
#include <sstream>
#include <utility>

namespace overlap {
namespace {

std::string ExplainShuffle(const FileState &file, const KindState &kind) {
    const Plan &plan = *kind.plan;
    const Choice &choice = kind.chooser.choice();
    const overlap_shuffle asked = choice.shuffle;
    std::ostringstream text;
    text << overlap_shuffle_names[kind.shuffle];
    if (kind.shuffle != asked) {
        text << " instead of " << overlap_shuffle_names[asked]
             << (plan.overlap                                    ? " (ranks write the same bytes, whose order it keeps)"
                 : !plan.gapless                                 ? " (there are gaps between the bytes)"
                 : plan.small_blocks                             ? " (the blocks are too small to move them one by one)"
                 : plan.busiest < kind.settings.window_threshold ? " (the call is too small to make windows for)"
                                                                 : " (no window can be made)");
    }
    if (kind.shuffle == OVERLAP_SHUFFLE_PUT_FENCE) {
        text << " (" << 2 * plan.cycles << " fences of " << file.team.size() << " ranks)";
    }
    return text.str();
}

std::string ExplainPartition(const Choice &choice, const Plan &plan) {
    const Striping &striping = choice.striping;
    if (striping.stripe == 0) {
        return "even file domains aligned to " + std::to_string(choice.alignment) + " bytes";
    }
    std::ostringstream text;
    text << "static file domains of stripes of " << striping.stripe << " bytes";
    if (striping.targets > 0) {
        text << ", each on at most " << TargetsOfDomain(plan.domains(), striping.targets) << " of " << striping.targets
             << " storage targets";
    }
    return text.str();
}

std::string ExplainHoles(const HolesPolicy &holes, overlap_holes asked) {
    const std::string text = std::string("gaps between the written bytes (holes ") + overlap_holes_names[holes.InUse()];
    return holes.InUse() == asked ? text + ")"
                                  : text + " instead of " + overlap_holes_names[asked] + ": " + holes.Why() + ")";
}

std::string ExplainNumber(const FileState &file, const KindState &kind) {
    const int aggregators = kind.chooser.choice().aggregators;
    if (aggregators == 0 || !file.planner.NumberCounts(aggregators)) {
        return file.planner.DescribeNumber();
    }
    const std::string why = file.Facts().aggregators > 0 ? "as many as asked for" : "as many as the rules say";
    return why + (file.planner.DomainLimit(aggregators) < aggregators ? ", as far as ranks and limits go" : "");
}

std::string ExplainTime(const KindState &kind, const Timing &timing) {
    constexpr double kMilliseconds = 1e-6; // in a nanosecond
    std::ostringstream text;
    text << std::setprecision(3) << "in " << kMilliseconds * static_cast<double>(timing.call)
         << " ms, shuffles under way for " << kMilliseconds * static_cast<double>(timing.shuffle) << " ms of it and "
         << (kind.reads() ? "reads" : "writes") << " for " << kMilliseconds * static_cast<double>(timing.file) << " ms";
    return text.str();
}

std::string ExplainCycles(const FileState &file, const KindState &kind) {
    const Plan &plan = *kind.plan;
    const Choice &choice = kind.chooser.choice();
    const int rule = kind.chooser.rule();
    const bool by_auto = kind.settings.algorithm == OVERLAP_ALGORITHM_AUTO && rule == 0;
    const overlap_algorithm schedule = ScheduleOf(kind);
    const std::string writer = file.resources.io().name();
    const std::string asked = overlap_writer_names[choice.writer];
    std::ostringstream line;
    if (rule != 0) {
        line << "by rule " << rule << " of the site where the user set nothing, ";
    }
    line << "schedule " << overlap_algorithm_names[schedule]
         << (schedule == choice.algorithm ? "" : std::string(" instead of ") + overlap_algorithm_names[choice.algorithm])
         << (by_auto ? " by auto (" : " (") << DescriptionOf(schedule) << "), shuffle " << ExplainShuffle(file, kind)
         << ", writer " << writer << (writer == asked ? "" : " instead of " + asked) << ", " << plan.domains()
         << " file domains of " << plan.rotation.aggregators() << " aggregators (placement "
         << file.planner.DescribePlacement() << ", " << ExplainNumber(file, kind) << ", " << ExplainPartition(choice, plan)
         << "), " << plan.cycles << " cycles of at most " << choice.sub_buffer << " bytes (collective buffer over "
         << choice.slots << " sub-buffers), "
         << (plan.gapless   ? "no gaps"
             : kind.reads() ? "gaps that are short are read through"
                            : ExplainHoles(file.resources.holes(), kind.settings.holes))
         << (TakesTurns(kind) ? ", written in the call itself" : "");
    return line.str();
}

// A page of memory: what a message or a system call carries below it costs less than the message or call itself.
constexpr ByteCount kSmallSubBuffer = 4096;

void WarnOfSmallSubBuffer(FileState &file, const KindState &kind) {
    const Choice &choice = kind.chooser.choice();
    if (file.team.rank() != 0 || kind.independent || choice.sub_buffer >= kSmallSubBuffer ||
        std::exchange(file.warned_of_sub_buffer, true)) {
        return;
    }
    static_cast<void>(Guarded([&] {
        const std::string why =
            std::to_string(choice.sub_buffer) + " bytes, one of " + std::to_string(choice.slots) + " of a collective buffer";
        file.host.warn(file.host.self, OVERLAP_WARNING_SMALL_SUB_BUFFER, why.c_str());
    }));
}

// Of the last call.
std::string Explain(const FileState &file, const KindState &kind) {
    return std::string(kind.nonblocking ? "nonblocking " : "") +
           (kind.reads()       ? "reads: "
            : kind.nonblocking ? "writes: "
                               : "") +
           (kind.common ? "all ranks that read ask for the same bytes: each reads a part of them and passes it on"
            : kind.independent
                ? "without aggregators: each rank transfers its own bytes (" + std::string(kind.why_independent) + ")"
                : ExplainCycles(file, kind)) +
           (kind.merge.merged() ? ", one rank takes part for the " + std::to_string(kind.merge.ranks()) + " of its node"
                                : "");
}

} // namespace

std::string ExplainLast(const FileState &file, overlap_direction direction) {
    const KindState *const kind = file.last[direction];
    return kind != nullptr && (kind->independent || kind->plan != nullptr) ? Explain(file, *kind) : "";
}

void ExplainFirst(FileState &file, KindState &kind, const Timing &timing) {
    WarnOfSmallSubBuffer(file, kind);
    const int way = kind.common ? 4 : (kind.independent ? 1 : 0) + (kind.merge.merged() ? 2 : 0);
    if (!std::exchange(kind.explained[way], true) && file.Explains()) {
        static_cast<void>(Guarded([&] {
            const std::string line = Explain(file, kind) + (kind.independent ? "" : "; " + ExplainTime(kind, timing));
            file.host.explain(file.host.self, line.c_str());
        }));
    }
}

} // namespace overlap
