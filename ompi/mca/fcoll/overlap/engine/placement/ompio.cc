// The aggregators that OMPIO's own selection gives (io_ompio_grouping_option), for comparison with vulcan on equal terms.
#include "placement.h"

namespace overlap {
namespace {

class OmpioPlacement final : public Placement {
  public:
    const char *name() const override { return "ompio"; }

    int DomainLimit(const PlacementProblem &problem) const override {
        return problem.ompio.empty() ? 1 : static_cast<int>(problem.ompio.size());
    }

    std::vector<Rank> Place(const PlacementProblem &problem, int domains) const override {
        if (problem.ompio.empty()) {
            return std::vector<Rank>(static_cast<std::size_t>(domains), 0);
        }
        return std::vector<Rank>(problem.ompio.begin(), problem.ompio.begin() + domains);
    }
};

} // namespace

std::unique_ptr<Placement> MakeOmpioPlacement() { return std::make_unique<OmpioPlacement>(); }

} // namespace overlap
