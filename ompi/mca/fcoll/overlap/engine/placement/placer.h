// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// Places file domains together with the other ranks: gathers what the chosen strategy looks at, and sees to it that all
// ranks continue with the same aggregators, also where the strategy fails.
#ifndef OVERLAP_ENGINE_PLACEMENT_PLACER_H
#define OVERLAP_ENGINE_PLACEMENT_PLACER_H

#include "../base/status.h"
#include "gather.h"
#include "placement.h"
#include "plugin.h"

#include <memory>
#include <string>
#include <vector>

namespace overlap {

class Placer {
  public:
    /// `team` and `settings` have to outlive it. Throws std::bad_alloc.
    Placer(const Team &team, const overlap_host &host, const overlap_settings &settings);

    /// Collective. Puts the limits into `problem`. At the first call it learns what the settings refer to and tells the user
    /// what of it cannot be used. After an error, which all ranks return, it may be called again.
    Status Prepare(PlacementProblem &problem) noexcept;

    /// Another number than before where Prepare has something new to put into a problem. The same on all ranks.
    std::int64_t version() const { return version_; }

    /// Needs Prepare. Throws std::bad_alloc.
    int DomainLimit(const PlacementProblem &problem) const { return strategy_->DomainLimit(problem); }

    /// Whether DomainLimit looks at how many aggregators were asked for.
    bool TakesNumber() const { return strategy_->takes_number; }

    /// Whether Place looks at its `row`; else no message is sent.
    bool NeedsShares() const { return strategy_->needs_matrix; }

    /// Collective. Needs: domains > 0. `row`: of each domain in which this rank has bytes its number and theirs; `local`:
    /// what went wrong on this rank since Prepare, after which `row` and `domains` may be anything.
    ///
    /// Ranks that return no error have the same aggregators, and one that returns an error has none. Whether another rank
    /// did is not known, so the caller agrees on the result with the other ranks before it sends anything to an aggregator.
    /// After an error it may be called again.
    Status Place(const PlacementProblem &problem, UnsizedMessage &row, Status local, int domains,
                 std::vector<Rank> &aggregators) noexcept;

    /// What DomainLimit follows from where nobody asks for a number: "at most 4: one on each node".
    std::string DescribeNumber(const PlacementProblem &problem) const { return strategy_->usual(problem).why; }

    /// "lap over 4 nodes ..., 1234 hop-bytes": of the last placement, on rank 0.
    std::string Describe() const;

  private:
    bool ListsHosts() const { return settings_.config_list[0] != '\0'; }
    Status Learn(const PlacementProblem &problem) noexcept;
    void Warn(overlap_warning warning, const std::string &why) const;
    std::unique_ptr<Topology> OpenTopology(const Site &site) const;
    void ApplyHosts(const PlacementProblem &problem, const Words &hosts, PlacementLimits &limits) const;
    Status PlaceOnRankZero(const PlacementProblem &problem, UnsizedMessage &row, Status local, int domains,
                           std::vector<Rank> &aggregators) noexcept;
    std::vector<Rank> Decide(const PlacementProblem &problem, CommunicationMatrix &matrix, int domains);

    const Team &team_;
    const overlap_host host_;
    const overlap_settings &settings_;
    const Placement *strategy_; // in use, the same on all ranks
    PlacementLimits limits_;
    std::unique_ptr<Plugin> plugin_;     // on rank 0, from the first domains to place on
    std::unique_ptr<Topology> topology_; // the same
    std::int64_t version_ = 0;           // of limits_ and strategy_; 0 before Learn
    double hop_bytes_ = -1;              // of the last placement, less than 0 where not known
};

} // namespace overlap

#endif
