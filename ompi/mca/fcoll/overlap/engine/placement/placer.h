// Places file domains together with the other ranks: gathers what the chosen strategy looks at, and sees to it that all
// ranks go on with the same aggregators, also where the strategy fails.
#ifndef OVERLAP_ENGINE_PLACEMENT_PLACER_H
#define OVERLAP_ENGINE_PLACEMENT_PLACER_H

#include "../status.h"
#include "election.h"
#include "gather.h"
#include "placement.h"
#include "site.h"

#include <memory>
#include <string>
#include <vector>

namespace overlap {

class Placer {
  public:
    Placer(const overlap_transport &transport, const overlap_host &host, const overlap_settings &settings);

    /// Collective. Puts the limits into `problem`. At the first call it learns what the settings refer to and tells the user
    /// what of it cannot be used. After an error, which all ranks return, it may be called again.
    Status Prepare(PlacementProblem &problem);

    /// Needs Prepare.
    int DomainLimit(const PlacementProblem &problem) const { return strategy_->DomainLimit(problem); }

    /// Whether Place looks at `own`; else no message is sent.
    bool NeedsShares() const;

    /// Collective; all ranks return the same. `own`: this rank's bytes in the domains; `local`: what went wrong while they
    /// were worked out.
    Status Place(PlacementProblem problem, const std::vector<DomainShare> &own, Status local, int domains,
                 std::vector<Rank> &aggregators);

    /// "lap over 4 nodes ..., 1234 hop-bytes": of the last placement, on rank 0.
    std::string Describe() const;

  private:
    Status Learn(PlacementProblem &problem);
    void MakeLimits(const PlacementProblem &problem);
    void OpenTopology();
    Status ShareLimits(const PlacementProblem &problem);
    Status ShareTopology();
    Status ShareVerdict(Status status, Words &verdict) const;
    Status PlaceOnRankZero(const PlacementProblem &problem, const std::vector<DomainShare> &own, Status local, int domains,
                           std::vector<Rank> &aggregators);
    Status Decide(const PlacementProblem &problem, int domains, Words &verdict);
    Status FallBack(PlacementProblem problem, int domains, std::vector<Rank> &aggregators);
    void Warn(overlap_warning warning, const std::string &why) const;

    const overlap_transport transport_;
    const overlap_host host_;
    const overlap_settings settings_;
    std::unique_ptr<Placement> strategy_; // a plugin: on rank 0 only, spread in its place on the others
    overlap_placement kind_;              // of strategy_, the same on all ranks
    std::unique_ptr<Leaders> leaders_;    // where anything is gathered
    PlacementLimits limits_;
    Site site_;
    NetworkSource source_;
    std::unique_ptr<Topology> topology_; // on rank 0; for an election, on all leaders
    bool prepared_ = false;
    double hop_bytes_ = -1; // of the last placement, less than 0 where not known
};

} // namespace overlap

#endif
