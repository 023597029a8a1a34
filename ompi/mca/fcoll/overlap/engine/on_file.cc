#include "on_file.h"

#include "team/messages.h"

namespace overlap {
namespace {

ByteCount CountOfClient(const OwnedDomain &domain, std::size_t owned, const Client &client, const CycleWriter &writer) {
    ByteCount bytes = 0;
    for (Cycle cycle = 0; cycle < domain.cycles(); ++cycle) {
        const FileOffset start = domain.cuts.Begin(cycle);
        bytes += client.file.BytesBefore(writer.Reached(owned, cycle)) - client.file.BytesBefore(start);
    }
    return bytes;
}

} // namespace

Status CountOnFile(const overlap_transport &transport, const Plan &plan, const CycleWriter &writer, ByteCount &on_file) {
    on_file = 0;
    std::vector<std::vector<std::int64_t>> counts(plan.shares.size(), std::vector<std::int64_t>(1, 0));
    std::vector<std::vector<std::int64_t>> told;
    Status status;
    Messages messages(transport);
    for (std::size_t i = 0; i < plan.shares.size(); ++i) {
        if (plan.shares[i].aggregator != transport.rank) {
            status.Merge(messages.Receive(plan.shares[i].aggregator, kTagOnFile, counts[i]));
        }
    }
    for (std::size_t i = 0; i < plan.owned.size(); ++i) {
        for (const Client &client : plan.owned[i].clients) {
            const ByteCount bytes = CountOfClient(plan.owned[i], i, client, writer);
            if (client.rank == transport.rank) {
                on_file += bytes;
            } else {
                told.push_back({bytes});
                status.Merge(messages.Send(client.rank, kTagOnFile, told.back()));
            }
        }
    }
    status.Merge(messages.Wait());
    for (const std::vector<std::int64_t> &count : counts) {
        on_file += count[0];
    }
    return status;
}

} // namespace overlap
