// Writes: sends and receives without blocking, then a wait for all of them (Feki & Gabriel, section III-B).
#include "backpressure.h"
#include "incoming.h"

#include <algorithm>

namespace overlap {
namespace {

constexpr overlap_piece kNothing{nullptr, 0, 0, 1}; // a message without bytes

class TwoSidedShuffle final : public Shuffle {
  public:
    explicit TwoSidedShuffle(const ShuffleJob &job)
        : job_(job), backpressure_(job.slots), own_(job_), scattered_(job_), sent_(job.plan.shares.size()),
          one_(job.team.transport()) {
        std::size_t messages = 0;
        for (const OwnedDomain &domain : job_.plan.owned) {
            clients_.emplace_back(domain);
            if (job_.plan.overlap) {
                in_order_.emplace_back(domain);
            }
            messages += 2 * domain.clients.size();
        }
        for (int slot = 0; slot < job_.slots; ++slot) {
            messages_.emplace_back(job_.team.transport()).Reserve(messages + job_.plan.shares.size());
        }
        one_.Reserve(1);
        pieces_.reserve(std::max({job_.most_pieces, job_.plan.most_client_pieces, std::size_t{1}}));
    }

    // This rank's own part as an aggregator first: what is sent may have to wait until its aggregator has come here.
    Status Start(Cycle cycle, Slot slot) noexcept override {
        Status status;
        for (std::size_t i = 0; i < clients_.size(); ++i) {
            status.Merge(cycle < job_.plan.owned[i].cycles() ? ReceiveAll(i, cycle, slot) : Status());
        }
        job_.pack.Begin(slot);
        for (std::size_t i = 0; i < job_.plan.shares.size(); ++i) {
            status.Merge(SendShare(job_.plan.shares[i], sent_[i], cycle, slot));
        }
        if (!job_.plan.overlap) {
            status.Merge(own_.Copy(cycle, slot));
        }
        return status;
    }

    Status Wait(Cycle cycle, Slot slot) noexcept override {
        Status status;
        for (std::size_t i = 0; i < in_order_.size(); ++i) {
            status.Merge(cycle < job_.plan.owned[i].cycles() ? ReceiveInOrder(i, cycle, slot) : Status());
        }
        status.Merge(MessagesOf(slot).Wait());
        scattered_.Scatter(slot);
        return status;
    }

    Status Test(Cycle /*cycle*/, Slot slot, bool &done) noexcept override {
        const Status status = MessagesOf(slot).Test(done);
        if (done) {
            scattered_.Scatter(slot);
        }
        return status;
    }

    // The messages of overlapping data are received in Wait, which has to come in their order.
    bool CompletesInAnyOrder() const noexcept override { return !job_.plan.overlap; }

    Status Finish() noexcept override { return Status(); }

  private:
    // Of a share: the cycles of its last message, and of its last synchronous one.
    struct Sent {
        Cycle last = -1;
        Cycle synchronous = -1;
    };

    Messages &MessagesOf(Slot slot) { return messages_[static_cast<std::size_t>(slot)]; }

    Status ReceiveAll(std::size_t owned, Cycle cycle, Slot slot) noexcept {
        Status status;
        clients_[owned].ForEach(cycle, [&](const Client &client, ByteCount first, ByteCount last, Cycle before) {
            if (client.rank == job_.team.rank()) {
                return;
            }
            if (!job_.plan.overlap) {
                PlacesOf(owned, client, first, last, cycle, slot);
                status.Merge(MessagesOf(slot).Receive(client.rank, kTagData, pieces_));
            }
            if (backpressure_.IsCalledFor(cycle, before, last - first)) {
                status.Merge(MessagesOf(slot).Send(client.rank, kTagCall, &kNothing, 1));
            }
        });
        return status;
    }

    // Leaves in pieces_ where a message is to be received.
    void PlacesOf(std::size_t owned, const Client &client, ByteCount first, ByteCount last, Cycle cycle,
                  Slot slot) noexcept {
        if (client.scatters) {
            pieces_.assign(1, scattered_.PlaceFor(owned, client, first, last, cycle, slot));
        } else {
            PiecesOfClient(job_, owned, client, first, last, cycle, slot, pieces_);
        }
    }

    // Where ranks overlap, one message after the other, so that the bytes of a higher rank come last. This does not block:
    // every rank starts its sends of the cycle before it waits.
    Status ReceiveInOrder(std::size_t owned, Cycle cycle, Slot slot) noexcept {
        Status status;
        in_order_[owned].ForEach(cycle, [&](const Client &client, ByteCount first, ByteCount last, Cycle /*before*/) {
            if (client.rank == job_.team.rank()) {
                status.Merge(own_.CopyTo(owned, cycle, slot));
                return;
            }
            PlacesOf(owned, client, first, last, cycle, slot);
            status.Merge(one_.Receive(client.rank, kTagData, pieces_));
            status.Merge(one_.Wait());
            scattered_.Scatter(slot);
        });
        return status;
    }

    Status SendShare(const Share &share, Sent &sent, Cycle cycle, Slot slot) noexcept {
        Status status;
        const ByteCount first = share.First(cycle);
        const ByteCount last = share.Last(cycle);
        if (first == last || share.aggregator == job_.team.rank()) {
            return status;
        }
        if (backpressure_.IsCalledFor(cycle, sent.last, last - first)) {
            status.Merge(one_.Receive(share.aggregator, kTagCall, &kNothing, 1));
            status.Merge(one_.Wait());
            sent.synchronous = cycle;
        }
        status.Merge(job_.pack.PiecesOf(share, first, last, job_.memory, slot, pieces_));
        sent.last = cycle;
        status.Merge(MessagesOf(slot).Send(share.aggregator, kTagData, pieces_.data(), pieces_.size(),
                                           backpressure_.ModeOf(cycle, last - first, sent.synchronous)));
        return status;
    }

    const ShuffleJob job_;
    const Backpressure backpressure_;
    OwnShares own_;
    ScatteredClients scattered_;
    std::vector<ClientsOfCycles> clients_;  // of each owned domain
    std::vector<ClientsOfCycles> in_order_; // the same where ranks overlap, for Wait
    std::vector<Sent> sent_;                // of each share
    std::vector<Messages> messages_;        // of each slot
    Messages one_;                          // one at a time
    Pieces pieces_;
};

} // namespace

std::unique_ptr<Shuffle> MakeTwoSidedShuffle(const ShuffleJob &job) { return std::make_unique<TwoSidedShuffle>(job); }

} // namespace overlap
