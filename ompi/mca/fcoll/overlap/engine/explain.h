// The answer to "what does it do with my file, and why?"
#ifndef OVERLAP_ENGINE_EXPLAIN_H
#define OVERLAP_ENGINE_EXPLAIN_H

#include "plan/plan.h"
#include "plan/static_domains.h"
#include "settings.h"

#include <string>

namespace overlap {

/// What a plan was made with.
struct PlanFacts {
    const overlap_settings &settings;
    overlap_shuffle shuffle; // in use, which may be another than the one asked for
    std::string placement;   // which ranks aggregate, and what that looked at
    overlap_holes holes;     // in use, as the shuffle
    int slots;
    ByteCount sub_buffer;
    ByteCount alignment;
    Striping striping;
    int ranks;
    std::int64_t idle;     // cycles of put-fence in which a rank has nothing to send or receive, the sum over all ranks
    const char *why_holes; // where `holes` is not what was asked for
};

/// One line: schedule, shuffle, writer, aggregators, cycles, and what decided their number.
std::string ExplainPlan(const PlanFacts &facts, const Plan &plan);

} // namespace overlap

#endif
