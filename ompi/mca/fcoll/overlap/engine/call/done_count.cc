#include "done_count.h"

#include <numeric>

namespace overlap {

DoneCount::DoneCount(const Team &team, const Plan &plan)
    : team_(team), plan_(plan), heard_(plan.shares.size(), 0), messages_(team.transport()) {
    std::size_t clients = 0;
    for (const OwnedDomain &domain : plan.owned) {
        clients += domain.clients.size();
    }
    said_.reserve(clients);
    messages_.Reserve(clients + plan.shares.size());
}

Status DoneCount::Count(const CycleIo &io, ByteCount &done) noexcept {
    Status status;
    ByteCount own = 0;
    for (std::size_t i = 0; i < plan_.shares.size(); ++i) {
        if (plan_.shares[i].aggregator != team_.rank()) {
            status.Merge(messages_.Receive(plan_.shares[i].aggregator, kTagOnFile, &heard_[i], 1));
        }
    }
    for (std::size_t i = 0; i < plan_.owned.size(); ++i) {
        for (const Client &client : plan_.owned[i].clients) {
            const ByteCount bytes = io.Done(i, client);
            if (client.rank == team_.rank()) {
                own += bytes;
            } else {
                said_.push_back(bytes);
                status.Merge(messages_.Send(client.rank, kTagOnFile, &said_.back(), 1));
            }
        }
    }
    status.Merge(messages_.Wait());
    done = std::accumulate(heard_.begin(), heard_.end(), own);
    return status;
}

} // namespace overlap
