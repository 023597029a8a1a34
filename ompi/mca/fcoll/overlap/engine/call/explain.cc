// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "explain.h"

#include "../base/guard.h"
#include "../schedule/schedule.h"
#include "cycles.h"

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
             << (plan.overlap                         ? " (ranks write the same bytes, whose order it keeps)"
                 : plan.small_blocks                  ? " (the blocks are too small to move them one by one)"
                 : plan.busiest < choice.window_bytes ? " (the call is too small to make windows for)"
                                                      : " (no window can be made)");
    }
    if (kind.shuffle == OVERLAP_SHUFFLE_PUT_FENCE) {
        text << " (" << 2 * plan.cycles << " fences of " << file.team.size() << " ranks, without data to send or receive in "
             << kind.idle_cycles << " of " << plan.cycles * file.team.size() << " cycles x ranks)";
    }
    return text.str();
}

std::string ExplainPartition(const Choice &choice, const Plan &plan) {
    const Striping &striping = choice.striping;
    std::ostringstream text;
    text << overlap_partition_names[choice.partition] << " file domains ";
    if (striping.stripe == 0) {
        text << "aligned to " << choice.alignment << " bytes";
        return text.str();
    }
    text << "of stripes of " << striping.stripe << " bytes";
    if (striping.targets > 0) {
        text << ", each on at most " << TargetsOfDomain(plan.domains(), striping.targets) << " of " << striping.targets
             << " storage targets";
    }
    return text.str();
}

std::string ExplainWriter(const std::string &asked, const std::string &in_use) {
    return in_use == asked ? asked : in_use + " instead of " + asked;
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

// In milliseconds, with three digits that count.
std::string Milliseconds(double seconds) {
    std::ostringstream text;
    text << std::setprecision(3) << 1e3 * seconds << " ms";
    return text.str();
}

std::string ExplainTime(const KindState &kind, const Timing &timing) {
    return "took " + Milliseconds(timing.call) + ", shuffles under way for " + Milliseconds(timing.shuffle) + " of it and " +
           (kind.reads() ? "reads" : "writes") + " for " + Milliseconds(timing.write);
}

std::string WhoChose(int rule) {
    return rule == 0 ? "" : "with line " + std::to_string(rule) + " of the rules where nobody asked, ";
}

std::string ExplainCycles(const FileState &file, const KindState &kind) {
    const Plan &plan = *kind.plan;
    const Choice &choice = kind.chooser.choice();
    const int rule = kind.chooser.rule();
    const bool by_auto = kind.settings.algorithm == OVERLAP_ALGORITHM_AUTO && rule == 0;
    std::ostringstream line;
    line << (kind.nonblocking ? "nonblocking " : "")
         << (kind.reads()       ? "reads: "
             : kind.nonblocking ? "writes: "
                                : "")
         << WhoChose(rule) << "schedule " << overlap_algorithm_names[choice.algorithm] << (by_auto ? " by auto (" : " (")
         << AlgorithmOf(choice.algorithm).description << "), shuffle " << ExplainShuffle(file, kind) << ", writer "
         << ExplainWriter(overlap_writer_names[choice.writer], file.resources.io().name()) << ", " << plan.domains()
         << " file domains of " << plan.AggregatorCount() << " aggregators (placement " << file.planner.DescribePlacement()
         << ", " << ExplainNumber(file, kind) << ", " << ExplainPartition(choice, plan) << "), " << plan.cycles
         << " cycles of at most " << choice.sub_buffer << " bytes (collective buffer over " << choice.slots
         << " sub-buffers), "
         << (plan.gapless   ? "no gaps"
             : kind.reads() ? "gaps that are short are read through"
                            : ExplainHoles(file.resources.holes(), kind.settings.holes))
         << (TakesTurns(kind) ? ", written in the call itself" : "");
    return line.str();
}

template <typename Line> void Explain(const FileState &file, Line line) {
    if (file.Explains()) {
        const Status said = Guarded([&] { file.host.explain(file.host.self, std::string(line()).c_str()); });
        static_cast<void>(said);
    }
}

} // namespace

std::string ExplainLast(const FileState &file, overlap_direction direction) {
    const KindState *const kind = file.last[direction];
    if (kind != nullptr && kind->last == KindState::Way::kIndependent) {
        return "without aggregators: each rank transfers its own bytes";
    }
    const bool aggregated = kind != nullptr && kind->last == KindState::Way::kAggregated && kind->plan != nullptr;
    return aggregated ? ExplainCycles(file, *kind) : "";
}

// The ranks' idle cycles are counted for it.
void ExplainFirst(const FileState &file, KindState &kind, const Timing &timing) {
    if (std::exchange(kind.explained, true)) {
        return;
    }
    kind.idle_cycles = 0;
    if (kind.shuffle == OVERLAP_SHUFFLE_PUT_FENCE) {
        kind.idle_cycles = kind.plan->IdleCycles();
        kind.idle_cycles = file.team.Sum(&kind.idle_cycles, 1).ok() ? kind.idle_cycles : 0;
    }
    Explain(file, [&] { return ExplainCycles(file, kind) + "; " + ExplainTime(kind, timing); });
}

void ExplainIndependent(const FileState &file, KindState &kind) {
    if (!std::exchange(kind.explained_independent, true)) {
        Explain(file, [&] {
            return kind.reads() ? "reads: each rank reads its own bytes, without a shuffle"
                                : "each rank writes its own bytes, without a shuffle";
        });
    }
}

void ExplainMerge(const FileState &file, KindState &kind) {
    if (kind.merge.merged() && !std::exchange(kind.explained_merge, true)) {
        Explain(file, [&] {
            return std::string(kind.reads() ? "reads: " : "") + "one rank takes part for the " +
                   std::to_string(kind.merge.ranks()) + " ranks of its node";
        });
    }
}

} // namespace overlap
