// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "planner.h"

#include "../team/team.h"

#include <algorithm>
#include <limits>

namespace overlap {
namespace {

// Needs: `domains` has room for `limit`.
void CutIntoDomains(const Choice &choice, const Range &range, int limit, std::vector<Domain> &domains) {
    if (choice.striping.stripe > 0) {
        StaticDomains(range.first, range.last, limit, choice.striping, choice.SmallestDomain(), domains);
    } else {
        EvenDomains(range.first, range.last, limit, choice.alignment, choice.SmallestDomain(), domains);
    }
}

// As PlacementProblem has it.
int DealtTo(const Choice &choice) { return choice.striping.stripe > 0 ? choice.targets : 0; }

} // namespace

// What a repeated call finds as it was costs it nothing, whatever the number of ranks.
Status Planner::Prepare(const Choice &choice, int most_aggregators, Status &local) {
    Status status;
    if (limits_of_ != placer_.version()) {
        problem_.nodes = team_.node_map();
        problem_.nics = team_.transport().nics;
        dealt_to_ = -1;
        status = placer_.Prepare(problem_);
        limits_of_ = status.ok() ? placer_.version() : -1;
    }
    local.Merge(Guarded([&] {
        if (dealt_to_ != DealtTo(choice) || problem_.targets != choice.targets || problem_.ompio != choice.ompio) {
            FindLimits(choice);
        }
        const auto limit =
            static_cast<std::size_t>(std::max(DomainLimit(choice.aggregators), DomainLimit(most_aggregators)));
        domains_.reserve(limit);
        words_.reserve(limit + Agreement::kMost + 1);
        if (plan_ == nullptr) { // the last call has used it
            plan_ = std::make_shared<Plan>();
        }
    }));
    return status;
}

void Planner::FindLimits(const Choice &choice) {
    dealt_to_ = -1;
    problem_.ompio = choice.ompio;
    problem_.targets = choice.targets;
    problem_.dealt_to = DealtTo(choice);
    problem_.requested = 0;
    usual_ = placer_.DomainLimit(problem_);
    problem_.requested = std::numeric_limits<int>::max();
    most_ = placer_.DomainLimit(problem_);
    dealt_to_ = problem_.dealt_to;
}

Status Planner::Make(const StridedList &file, const Choice &choice, const Range &range, const Enclosing &enclosing,
                     std::shared_ptr<const Plan> &plan, Enclosed &enclosed) {
    plan.reset();
    enclosed = Enclosed();
    problem_.dealt_to = DealtTo(choice);
    CutIntoDomains(choice, range, DomainLimit(choice.aggregators), domains_);
    const bool puts = choice.shuffle != OVERLAP_SHUFFLE_TWO_SIDED;

    Status status = ExchangeShares(team_, PlaceDomains(file), domains_.size(), enclosing, words_, *plan_, enclosed);
    bool fills_domains = true;
    CutDescriptions cuts(team_);
    status.Merge(Guarded([&] {
        for (OwnedDomain &owned : plan_->owned) {
            const Domain &domain = domains_[static_cast<std::size_t>(owned.domain)];
            fills_domains = CoverDomain(domain, choice.sub_buffer, choice.alignment, owned) && fills_domains;
            // On one node every order is as good.
            owned.cuts.StartWith(team_.nodes() > 1 ? FirstPart(owned, team_.node_map(), team_.rank()) : 0);
        }
        plan_->MeasureCycles();
        plan_->small_blocks = puts && plan_->OwnBlocksBelow(put_threshold_, choice.sub_buffer, team_.rank());
        cuts.Prepare(*plan_);
    }));
    status = AgreeOnPlan(status, fills_domains);
    if (!status.ok()) {
        plan_.reset(); // it is made in part
        return status;
    }
    status = plan_->gapless ? Guarded([&] { CutShares(choice); }) : cuts.Exchange(*plan_);
    plan = std::move(plan_);
    return status;
}

std::string Planner::DescribeNumber() const {
    PlacementProblem limited = problem_;
    limited.dealt_to = dealt_to_;
    return placer_.DescribeNumber(limited);
}

// Collective where the placement needs the other ranks. The status is this rank's.
Status Planner::PlaceDomains(const StridedList &file) {
    Plan &plan = *plan_;
    UnsizedMessage row;
    Status status = Guarded([&] {
        plan.shares = CutByDomains(file, domains_);
        for (const Share &share : plan.shares) {
            row.Add({share.domain, share.file.bytes()});
        }
    });
    status = placer_.Place(problem_, row, status, static_cast<int>(domains_.size()), plan.aggregators);
    status.Merge(status.ok() ? Guarded([&] {
        plan.rotation = Rotation(plan.aggregators, team_.node_map(), team_.rank());
        NameAggregators(plan.aggregators, plan.shares);
    })
                             : Status());
    return status;
}

// Leaves the first part of each domain in words_, where there are several nodes.
Status Planner::AgreeOnPlan(Status local, bool fills_domains) {
    Plan &plan = *plan_;
    const std::size_t firsts = team_.nodes() > 1 ? domains_.size() : 0;
    words_.assign(firsts + Agreement::kMost + 1, 0);
    plan.gapless = fills_domains;
    plan.fullest_cycle = plan.FullestOwnCycle();
    plan.most_owned = static_cast<std::int64_t>(plan.owned.size());
    for (const OwnedDomain &owned : plan.owned) {
        plan.busiest += owned.coverage.data.bytes();
        plan.cycles = std::max(plan.cycles, owned.cycles());
        plan.overlap = plan.overlap || owned.coverage.overlap;
        if (firsts > 0) {
            words_[static_cast<std::size_t>(owned.domain)] = owned.cuts.first_part();
        }
    }
    Agreement agreement;
    agreement.Max(plan.cycles);
    agreement.All(plan.gapless);
    agreement.Any(plan.overlap);
    agreement.Any(plan.small_blocks);
    agreement.Max(plan.fullest_cycle);
    agreement.Max(plan.busiest);
    agreement.Max(plan.most_owned);
    return agreement.Run(team_, local, words_.data(), firsts);
}

// Without gaps every rank works out by itself where a domain is cut.
void Planner::CutShares(const Choice &choice) {
    for (Share &share : plan_->shares) {
        const auto domain = static_cast<std::size_t>(share.domain);
        share.cuts = CutGapless(domains_[domain], choice.sub_buffer, choice.alignment);
        share.cuts.StartWith(team_.nodes() > 1 ? words_[domain] : 0);
    }
}

} // namespace overlap
