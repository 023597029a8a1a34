#include "first_parts.h"

namespace overlap {
namespace {

// Looked at of a domain. Blocks that go round the nodes do so within fewer parts, or all parts are alike.
constexpr Cycle kMostParts = 4096;

} // namespace

Cycle FirstPart(const OwnedDomain &domain, const int *node_of_rank, Rank aggregator) {
    Cycle first = 0;
    ByteCount most = 0;
    const Cycle step = DivideUp(domain.cycles(), kMostParts);
    for (Cycle part = 0; part < domain.cycles(); part += step) {
        ByteCount bytes = 0;
        for (const Client &client : domain.clients) {
            if (node_of_rank[client.rank] == node_of_rank[aggregator]) {
                bytes += client.file.BytesBefore(domain.cuts.End(part)) - client.file.BytesBefore(domain.cuts.Begin(part));
            }
        }
        // Cuts at whole blocks make parts a little unlike where nothing is meant by it.
        if (bytes > most + most / 8) {
            most = bytes;
            first = part;
        }
    }
    return first;
}

} // namespace overlap
