#include "turns.h"

#include "../guard.h"

namespace overlap {

Cycle FirstPart(const OwnedDomain &domain, const int *node_of_rank, Rank aggregator) {
    std::vector<const Client *> neighbours;
    for (const Client &client : domain.clients) {
        if (node_of_rank[client.rank] == node_of_rank[aggregator]) {
            neighbours.push_back(&client);
        }
    }
    Cycle first = 0;
    ByteCount most = 0;
    for (Cycle cycle = 0; cycle < domain.cycles(); ++cycle) {
        ByteCount bytes = 0;
        for (const Client *client : neighbours) {
            bytes += client->file.BytesBefore(domain.cuts.End(cycle)) - client->file.BytesBefore(domain.cuts.Begin(cycle));
        }
        // Cuts at whole blocks make cycles a little unlike where nothing is meant by it.
        if (bytes > most + most / 8) {
            most = bytes;
            first = cycle;
        }
    }
    return first;
}

Status AgreeOnFirstParts(const overlap_transport &transport, Plan &plan, std::vector<std::int64_t> &first_parts) {
    first_parts.assign(static_cast<std::size_t>(plan.domains) + 1, 0);
    const Status local = Guarded([&] {
        for (OwnedDomain &domain : plan.owned) {
            const Cycle first = FirstPart(domain, transport.node_of_rank, transport.rank);
            domain.cuts.StartWith(first);
            first_parts[static_cast<std::size_t>(domain.domain)] = first;
        }
    });
    first_parts.back() = local.error();
    Status status(transport.allreduce(transport.self, first_parts.data(), first_parts.size(), OVERLAP_REDUCE_MAX));
    status.Merge(Status(static_cast<int>(first_parts.back())));
    first_parts.pop_back();
    return status;
}

} // namespace overlap
