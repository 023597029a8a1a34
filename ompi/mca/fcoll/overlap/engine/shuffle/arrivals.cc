#include "arrivals.h"

#include <algorithm>

namespace overlap {

Arrivals::Arrivals(const ShuffleJob &job) : job_(job) {
    std::size_t most = 0;
    for (const OwnedDomain &domain : job_.plan.owned) {
        clients_.emplace_back(domain);
        most += domain.clients.size();
    }
    ranks_.reserve(most);
    slots_.reserve(static_cast<std::size_t>(job_.slots));
    for (int slot = 0; slot < job_.slots; ++slot) {
        OfSlot &made = slots_.emplace_back(OfSlot{{}, 0, Messages(job_.team.transport()), Messages(job_.team.transport())});
        made.heard.reserve(most);
        made.incoming.Reserve(most);
        made.outgoing.Reserve(job_.plan.shares.size());
    }
}

const std::vector<Rank> &Arrivals::Expect(Cycle cycle, Slot slot, Status &status) noexcept {
    OfSlot &own = slots_[static_cast<std::size_t>(slot)];
    ranks_.clear();
    for (std::size_t i = 0; i < clients_.size(); ++i) {
        if (cycle < job_.plan.owned[i].cycles()) {
            clients_[i].ForEach(cycle, [this](const ClientPart &part) {
                if (part.client->rank != job_.team.rank()) {
                    ranks_.push_back(part.client->rank);
                }
            });
        }
    }
    std::sort(ranks_.begin(), ranks_.end());
    ranks_.erase(std::unique(ranks_.begin(), ranks_.end()), ranks_.end());
    own.heard.assign(ranks_.size(), OVERLAP_SUCCESS);
    for (std::size_t i = 0; i < ranks_.size(); ++i) {
        status.Merge(own.incoming.Receive(ranks_[i], kTagArrived, &own.heard[i], 1));
    }
    return ranks_;
}

Status Arrivals::Tell(Slot slot, const std::vector<Rank> &targets, Status puts) noexcept {
    OfSlot &own = slots_[static_cast<std::size_t>(slot)];
    Status status = own.outgoing.Wait();
    own.said = puts.error();
    for (const Rank target : targets) {
        status.Merge(own.outgoing.Send(target, kTagArrived, &own.said, 1));
    }
    return status;
}

Status Arrivals::Heard(OfSlot &slot, Status status) noexcept {
    for (const std::int64_t word : slot.heard) {
        status.Merge(Status(static_cast<int>(word)));
    }
    slot.heard.clear();
    return status;
}

Status Arrivals::Wait(Slot slot) noexcept {
    OfSlot &own = slots_[static_cast<std::size_t>(slot)];
    Status status = own.incoming.Wait();
    status.Merge(own.outgoing.Wait());
    return Heard(own, status);
}

Status Arrivals::Test(Slot slot, bool &done) noexcept {
    OfSlot &own = slots_[static_cast<std::size_t>(slot)];
    const Status status = own.incoming.Test(done);
    return done ? Heard(own, status) : status;
}

} // namespace overlap
