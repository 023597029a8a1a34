// The assignment that leaves the most bytes where they are, whatever the distance of the others: LATP, with which Liu, Zhou
// and Guo (Topology-aware strategy for MPI-IO operations in clusters, section 5) compare theirs.
#include "candidates.h"
#include "hop_bytes.h"

namespace overlap {
namespace {

class LocalityPlacement final : public Placement {
  public:
    const char *name() const override { return "locality"; }

    int DomainLimit(const PlacementProblem &problem) const override { return UsualDomainLimit(problem); }

    std::vector<Rank> Place(const PlacementProblem &problem, int domains) const override {
        const std::vector<Rank> candidates = ChooseCandidates(problem, domains);
        return AssignCandidates(problem, candidates, ForeignBytesOfCandidates(*problem.matrix, candidates), domains);
    }
};

} // namespace

std::unique_ptr<Placement> MakeLocalityPlacement() { return std::make_unique<LocalityPlacement>(); }

} // namespace overlap
