// The answer to "what does it do with my file, and why?"
#ifndef OVERLAP_ENGINE_FILE_EXPLAIN_H
#define OVERLAP_ENGINE_FILE_EXPLAIN_H

#include "../call/took.h"
#include "../choose/choice.h"
#include "../plan/plan.h"

#include <string>

namespace overlap {

/// What a plan was made with, and what is in use, which may be another than what was asked for.
struct PlanFacts {
    overlap_direction direction;
    bool in_passing;
    const overlap_settings &settings; // asked for
    const Choice &choice;
    overlap_shuffle shuffle;
    std::string placement; // which ranks aggregate, and what that looked at
    std::string number;    // why they are as many
    const char *writer;
    overlap_holes holes;
    const char *why_holes; // where `holes` is not what was asked for
    int ranks;
    std::int64_t idle; // cycles of put-fence in which a rank has nothing to send or receive, the sum over all ranks
    int rule;          // line of the rule of the site that spoke, 0 where none did
    Took took;         // the first call
};

/// One line: schedule, shuffle, writer, aggregators, cycles, and what decided their number.
std::string ExplainChoice(const PlanFacts &facts, const Plan &plan);

/// The same, and how long the first call took.
std::string ExplainPlan(const PlanFacts &facts, const Plan &plan);

} // namespace overlap

#endif
