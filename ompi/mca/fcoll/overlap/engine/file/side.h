// What is kept for the calls of a direction that are waited for, or go on in passing.
#ifndef OVERLAP_ENGINE_FILE_SIDE_H
#define OVERLAP_ENGINE_FILE_SIDE_H

#include "../access/strided.h"
#include "../choose/chooser.h"
#include "../choose/rules.h"
#include "../merge/node_merge.h"
#include "../plan/plan.h"
#include "../plan/travel.h"
#include "../team/team.h"

#include <memory>

namespace overlap {

/// What a plan follows from. A call that finds the same on every rank uses the plan again, also where all of it lies
/// equally further on.
struct PlanKey {
    StridedList file;
    Choice asked; // as far as it follows from settings and facts alone
};

struct Side {
    enum class Did { kNothing, kAlone, kTogether };

    Side(overlap_direction direction, bool in_passing, const overlap_settings &asked, const Team &team,
         const Neighbours &neighbours, const Rules &rules);

    /// Whether this rank's part of a call like `asked` is that of the plan, at whatever distance. There is a plan.
    bool Repeats(const PlanKey &asked, int nodes) const;

    const overlap_direction direction;
    const bool in_passing;
    const overlap_settings settings;
    NodeMerge merge;                  // of the ranks of a node, before each call
    Chooser chooser;                  // what the plan is made and used with
    PlanKey key;                      // of the plan
    std::shared_ptr<const Plan> plan; // null where the next call needs a new one
    Travel travel;                    // of the plan
    overlap_shuffle shuffle = OVERLAP_SHUFFLE_TWO_SIDED;
    std::int64_t idle = 0;   // PlanFacts, of the first call
    bool went_alone = false; // the last call with this plan
    Did did = Did::kNothing; // of transfers, the last
    bool explained = false;
    bool explained_alone = false;
    bool explained_merge = false;
};

} // namespace overlap

#endif
