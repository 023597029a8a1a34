// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// Makes the plan of a collective write together with the other ranks.
#ifndef OVERLAP_ENGINE_PLAN_PLANNER_H
#define OVERLAP_ENGINE_PLAN_PLANNER_H

#include "../placement/placer.h"
#include "../policy/choice.h"
#include "../team/team.h"
#include "exchange.h"

#include <algorithm>
#include <memory>

namespace overlap {

class Planner {
  public:
    Planner(const Team &team, const overlap_host &host, const overlap_settings &settings)
        : team_(team), put_threshold_(settings.put_threshold), placer_(team, host, settings) {}

    /// Collective, before the ranks agree on a range: learns at the first call what the settings of placements refer to, and
    /// takes the memory that the agreements of Make need, for the aggregators of `choice` or up to `most_aggregators`. All
    /// ranks return the same error; `local` is merged with what only this one met, and has to be agreed on before Make.
    Status Prepare(const Choice &choice, int most_aggregators, Status &local);

    /// The most domains that a plan has with so many aggregators in its choice. After Prepare.
    int DomainLimit(int aggregators) const noexcept { return aggregators > 0 ? std::min(aggregators, most_) : usual_; }

    /// Collective, after Prepare. `plan` becomes null where the ranks have agreed on the error that is returned. Else the
    /// status is this rank's alone, for the next agreement. The bytes of the file that any rank transfers lie in `range`.
    /// `enclosed` becomes what of the bytes has travelled with their descriptions, as far as `enclosing` allows.
    Status Make(const StridedList &file, const Choice &choice, const Range &range, const Enclosing &enclosing,
                std::shared_ptr<const Plan> &plan, Enclosed &enclosed);

    /// Which ranks aggregate and why, on rank 0.
    std::string DescribePlacement() const { return placer_.Describe(); }

    /// Whether DomainLimit follows from so many aggregators in the choice. After Prepare.
    bool NumberCounts(int aggregators) const noexcept { return placer_.TakesNumber() || aggregators < most_; }

    /// Why plans have as many domains where a choice asks for no number, or none that counts. After Prepare.
    std::string DescribeNumber() const;

  private:
    void FindLimits(const Choice &choice);
    Status PlaceDomains(const StridedList &file);
    Status AgreeOnPlan(Status local, bool fills_domains);
    void CutShares(const Choice &choice);

    const Team &team_;
    const ByteCount put_threshold_;
    Placer placer_;
    PlacementProblem problem_;
    std::int64_t limits_of_ = -1; // version of the placer that problem_ has the limits of
    int dealt_to_ = -1;           // what else problem_ had, whose plans have; less than 0: that is not known
    int usual_ = 1;               // domains at most where nobody asks for a number,
    int most_ = 1;                // and this many where somebody does
    // Of the plan that is made.
    std::shared_ptr<Plan> plan_;
    std::vector<Domain> domains_;
    Words words_; // for its agreements
};

} // namespace overlap

#endif
