#include "explain.h"

#include "../call/call.h"
#include "../schedule/schedule.h"

#include <iomanip>
#include <sstream>

namespace overlap {

namespace {

std::string ExplainShuffle(const PlanFacts &facts, const Plan &plan) {
    const overlap_shuffle asked = facts.choice.shuffle;
    std::ostringstream text;
    text << overlap_shuffle_names[facts.shuffle];
    if (facts.shuffle != asked) {
        text << " instead of " << overlap_shuffle_names[asked]
             << (plan.overlap                               ? " (ranks write the same bytes, whose order it keeps)"
                 : plan.small_blocks                        ? " (the blocks are too small to move them one by one)"
                 : plan.busiest < facts.choice.window_bytes ? " (the call is too small to make windows for)"
                                                            : " (no window can be made)");
    }
    if (facts.shuffle == OVERLAP_SHUFFLE_PUT_FENCE) {
        text << " (" << 2 * plan.cycles << " fences of " << facts.ranks << " ranks, without data to send or receive in "
             << facts.idle << " of " << plan.cycles * facts.ranks << " cycles x ranks)";
    }
    return text.str();
}

std::string ExplainPartition(const PlanFacts &facts, const Plan &plan) {
    const Striping &striping = facts.choice.striping;
    std::ostringstream text;
    text << overlap_partition_names[facts.choice.partition] << " file domains ";
    if (striping.stripe == 0) {
        text << "aligned to " << facts.choice.alignment << " bytes";
        return text.str();
    }
    text << "of stripes of " << striping.stripe << " bytes";
    if (striping.targets > 0) {
        text << ", each on at most " << TargetsOfDomain(plan.domains(), striping.targets) << " of " << striping.targets
             << " storage targets";
    }
    return text.str();
}

std::string ExplainWriter(const PlanFacts &facts) {
    const std::string asked = overlap_writer_names[facts.choice.writer];
    return facts.writer == asked ? asked : std::string(facts.writer) + " instead of " + asked;
}

std::string ExplainHoles(const PlanFacts &facts) {
    const overlap_holes asked = facts.settings.holes;
    const std::string text = std::string("gaps between the written bytes (holes ") + overlap_holes_names[facts.holes];
    return facts.holes == asked ? text + ")"
                                : text + " instead of " + overlap_holes_names[asked] + ": " + facts.why_holes + ")";
}

// In milliseconds, with three digits that count.
std::string Milliseconds(double seconds) {
    std::ostringstream text;
    text << std::setprecision(3) << 1e3 * seconds << " ms";
    return text.str();
}

std::string ExplainTime(const PlanFacts &facts) {
    const Took &took = facts.took;
    return "took " + Milliseconds(took.call) + ", shuffles under way for " + Milliseconds(took.shuffle) + " of it and " +
           (facts.direction == OVERLAP_READ ? "reads" : "writes") + " for " + Milliseconds(took.write);
}

std::string WhoChose(const PlanFacts &facts) {
    return facts.rule == 0 ? "" : "with line " + std::to_string(facts.rule) + " of the rules where nobody asked, ";
}

} // namespace

std::string ExplainChoice(const PlanFacts &facts, const Plan &plan) {
    const Choice &choice = facts.choice;
    const bool by_auto = facts.settings.algorithm == OVERLAP_ALGORITHM_AUTO && facts.rule == 0;
    std::ostringstream line;
    const bool reads = facts.direction == OVERLAP_READ;
    line << (facts.in_passing ? "nonblocking " : "")
         << (reads              ? "reads: "
             : facts.in_passing ? "writes: "
                                : "")
         << WhoChose(facts) << "schedule " << overlap_algorithm_names[choice.algorithm] << (by_auto ? " by auto (" : " (")
         << AlgorithmOf(choice.algorithm).description << "), shuffle " << ExplainShuffle(facts, plan) << ", writer "
         << ExplainWriter(facts) << ", " << plan.domains() << " file domains of " << plan.AggregatorCount()
         << " aggregators (placement " << facts.placement << ", " << facts.number << ", " << ExplainPartition(facts, plan)
         << "), " << plan.cycles << " cycles of at most " << choice.sub_buffer << " bytes (collective buffer over "
         << choice.slots << " sub-buffers), "
         << (plan.gapless ? "no gaps"
             : reads      ? "gaps that are short are read through"
                          : ExplainHoles(facts))
         << (TakesTurns(facts.direction, plan, !facts.in_passing) ? ", written in the call itself" : "");
    return line.str();
}

std::string ExplainPlan(const PlanFacts &facts, const Plan &plan) {
    return ExplainChoice(facts, plan) + "; " + ExplainTime(facts);
}

} // namespace overlap
