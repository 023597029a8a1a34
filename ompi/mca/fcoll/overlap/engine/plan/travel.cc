#include "travel.h"

namespace overlap {

Travel TravelOf(const Plan &plan, const int *node_of_rank, Rank own) {
    Travel travel;
    for (const Share &share : plan.shares) {
        const bool here = node_of_rank[share.aggregator] == node_of_rank[own];
        ByteCount &bytes = share.aggregator == own ? travel.to_self : here ? travel.to_node : travel.to_network;
        bytes += share.file.bytes();
    }
    travel.from_network = plan.OwnRemoteBytes(node_of_rank, own);
    return travel;
}

} // namespace overlap
