// All nodes at one switch that never is the bottleneck: nothing is known but the nodes' own links.
#include "star.h"

namespace overlap {
namespace {

class FlatNetwork final : public Network {
  public:
    explicit FlatNetwork(const NetworkRequest &request)
        : Network(MakeStar(request), static_cast<int>(request.hosts.size()), request.rates.latency) {}

    std::string Describe() const override { return "flat"; }
    int Hops(int from, int to) const override { return from == to ? 0 : 2; }
    void AppendPath(int from, int to, std::vector<int> &links) const override { AppendStarPath(from, to, links); }
};

} // namespace

std::unique_ptr<Network> MakeFlatNetwork(const NetworkRequest &request) { return std::make_unique<FlatNetwork>(request); }

} // namespace overlap
