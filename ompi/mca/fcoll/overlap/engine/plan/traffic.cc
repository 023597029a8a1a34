#include "travel.h"

namespace overlap {

Travel TravelOf(const Plan &plan, const NodeMap &nodes, Rank own) {
    Travel travel;
    for (const Share &share : plan.shares) {
        const bool here = nodes.OnOneNode(share.aggregator, own);
        ByteCount &bytes = share.aggregator == own ? travel.to_self : here ? travel.to_node : travel.to_network;
        bytes += share.file.bytes();
    }
    travel.from_network = plan.OwnRemoteBytes(nodes, own);
    return travel;
}

} // namespace overlap
