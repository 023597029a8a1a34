// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "planner.h"

#include "../base/guard.h"
#include "../team/agreement.h"
#include "exchange.h"

#include <algorithm>

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
        known_ = false;
        status = placer_.Prepare(problem_);
        limits_of_ = status.ok() ? placer_.version() : -1;
    }
    local.Merge(Guarded([&] {
        const bool same = prepared_for_ == choice.aggregators && most_for_ == most_aggregators &&
                          problem_.targets == choice.targets && dealt_to_ == DealtTo(choice);
        if (!known_ || !same || problem_.ompio != choice.ompio) {
            known_ = false;
            FindLimits(choice, most_aggregators);
            known_ = true;
        }
        plan_ = std::make_shared<Plan>();
    }));
    return status;
}

void Planner::FindLimits(const Choice &choice, int most_aggregators) {
    problem_.ompio = choice.ompio;
    problem_.targets = choice.targets;
    problem_.dealt_to = dealt_to_ = DealtTo(choice);
    problem_.requested = choice.aggregators;
    prepared_for_ = choice.aggregators;
    most_for_ = most_aggregators;
    limit_ = placer_.DomainLimit(problem_);
    problem_.requested = most_aggregators;
    most_ = most_aggregators > 0 ? placer_.DomainLimit(problem_) : limit_;
    const auto limit = static_cast<std::size_t>(std::max(limit_, most_));
    domains_.reserve(limit);
    words_.reserve(limit + Agreement::kMost + 1);
}

Status Planner::Make(overlap_direction direction, const StridedList &file, const Choice &choice, const Range &range,
                     const Enclosing &enclosing, std::shared_ptr<const Plan> &plan, Enclosed &enclosed) {
    plan.reset();
    enclosed = Enclosed();
    problem_.requested = choice.aggregators;
    problem_.dealt_to = DealtTo(choice);
    CutIntoDomains(choice, range, DomainLimit(choice.aggregators), domains_);
    const bool puts = choice.shuffle != OVERLAP_SHUFFLE_TWO_SIDED;

    Status status = PlaceDomains(file);
    const Exchanged shares = ExchangeShares(team_, status, domains_.size(), enclosing, words_, *plan_, enclosed);
    if (shares.agreed) {
        return shares.status;
    }
    status = shares.status;
    bool fills_domains = true;
    CutDescriptions cuts(team_);
    status.Merge(Guarded([&] {
        for (OwnedDomain &owned : plan_->owned) {
            const Domain &domain = domains_[static_cast<std::size_t>(owned.domain)];
            fills_domains = CoverDomain(domain, choice.sub_buffer, choice.alignment, owned) && fills_domains;
            // On one node every order is as good.
            const bool ends_file =
                direction == OVERLAP_WRITE && choice.striping.stripe == 0 && domain.end == domains_.back().end;
            owned.cuts.StartWith(team_.nodes() > 1 ? FirstPart(owned, team_.node_map(), team_.rank(), ends_file) : 0);
        }
        plan_->MeasureCycles();
        plan_->small_blocks = puts && plan_->OwnBlocksBelow(choice.put_bytes, choice.sub_buffer, team_.rank());
        cuts.Prepare(*plan_, puts && !plan_->small_blocks);
    }));
    status = AgreeOnPlan(status, fills_domains);
    if (!status.ok()) {
        return status;
    }
    if (plan_->gapless) {
        status = Guarded([&] { CutShares(choice); });
    } else {
        status = cuts.Exchange(*plan_);
    }
    plan = std::move(plan_);
    return status;
}

std::string Planner::DescribeNumber() const {
    PlacementProblem limited = problem_;
    limited.dealt_to = dealt_to_;
    return placer_.DescribeNumber(limited);
}

// Collective where the placement needs the other ranks. The status is this rank's; after an error there are no shares.
Status Planner::PlaceDomains(const StridedList &file) {
    std::vector<DomainShare> own;
    Status status = Guarded([&] {
        for (const Share &share : CutByDomains(file, placer_.NeedsShares() ? domains_ : std::vector<Domain>())) {
            own.push_back(DomainShare{share.domain, share.file.bytes()});
        }
    });
    status = placer_.Place(problem_, own, status, static_cast<int>(domains_.size()), plan_->aggregators);
    status.Merge(status.ok() ? Guarded([&] {
        plan_->rotation = Rotation(plan_->aggregators, team_.node_map(), team_.rank());
        plan_->shares = MakeShares(file, domains_, plan_->aggregators);
    })
                             : Status());
    return status;
}

// Leaves the first part of each domain in words_, where there are several nodes.
Status Planner::AgreeOnPlan(Status local, bool fills_domains) {
    Plan &plan = *plan_;
    words_.assign(team_.nodes() > 1 ? domains_.size() : 0, 0);
    plan.gapless = fills_domains;
    plan.fullest_cycle = plan.FullestOwnCycle();
    plan.busiest = plan.OwnBytes();
    auto most_owned = static_cast<std::int64_t>(plan.owned.size());
    for (const OwnedDomain &owned : plan.owned) {
        plan.cycles = std::max(plan.cycles, owned.cycles());
        plan.overlap = plan.overlap || owned.coverage.overlap;
        if (!words_.empty()) {
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
    agreement.Max(most_owned);
    const Status status = agreement.Run(team_, local, words_);
    plan.most_owned = static_cast<std::size_t>(most_owned);
    return status;
}

// Without gaps every rank works out by itself where a domain is cut.
void Planner::CutShares(const Choice &choice) {
    for (Share &share : plan_->shares) {
        const auto domain = static_cast<std::size_t>(share.domain);
        share.cuts = CutGapless(domains_[domain], choice.sub_buffer, choice.alignment);
        share.cuts.StartWith(words_.empty() ? 0 : words_[domain]);
    }
}

} // namespace overlap
