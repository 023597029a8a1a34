// What a placement asks of the network's links.
#ifndef OVERLAP_ENGINE_PLACEMENT_LINK_LOAD_H
#define OVERLAP_ENGINE_PLACEMENT_LINK_LOAD_H

#include "communication_matrix.h"

namespace overlap {

struct LinkLoad {
    std::vector<double> bytes; // over each link of the network
    int busiest = -1;          // the link that takes longest, the lowest of equals; -1 where nothing leaves its node
    double seconds = 0;        // it takes for its bytes, and the latency of the longest way
    double most_bytes = 0;     // over any link
};

/// The shuffle to these aggregators, one for each domain; all messages travel at once, and within a node they are free.
LinkLoad LoadLinks(const CommunicationMatrix &matrix, const Topology &topology, const std::vector<Rank> &aggregators);

} // namespace overlap

#endif
