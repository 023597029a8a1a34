// Sends and receives without blocking, then a wait for all of them (Feki & Gabriel, section III-B).
#include "shuffle.h"

#include "../team/messages.h"
#include "own_shares.h"
#include "pack_buffer.h"

namespace overlap {
namespace {

class TwoSidedShuffle final : public Shuffle {
  public:
    explicit TwoSidedShuffle(const ShuffleJob &job)
        : job_(job), own_(job_), one_(job_.transport), packed_(static_cast<std::size_t>(job.slots)) {
        for (int slot = 0; slot < job.slots; ++slot) {
            messages_.emplace_back(job.transport);
        }
        for (const OwnedDomain &domain : job.plan.owned) {
            ordered_ = ordered_ || domain.coverage.overlap;
        }
        for (std::vector<PackBuffer> &of_slot : packed_) {
            of_slot.resize(job.plan.shares.size());
        }
    }

    Status Start(Cycle cycle, Slot slot) override {
        Status status;
        if (!ordered_) {
            status.Merge(ReceiveAll(cycle, slot));
        }
        for (std::size_t i = 0; i < job_.plan.shares.size(); ++i) {
            const Share &share = job_.plan.shares[i];
            if (share.aggregator != job_.transport.rank) {
                status.Merge(SendShare(share, cycle, slot, packed_[static_cast<std::size_t>(slot)][i]));
            }
        }
        if (!ordered_) {
            own_.Copy(cycle, slot);
        }
        return status;
    }

    Status Wait(Cycle cycle, Slot slot) override {
        Status status;
        if (ordered_) {
            status.Merge(ReceiveInOrder(cycle, slot));
        }
        status.Merge(MessagesOf(slot).Wait());
        return status;
    }

    Status Test(Cycle /*cycle*/, Slot slot, bool &done) override { return MessagesOf(slot).Test(done); }

    // The messages of overlapping data are received in Wait, which has to come in their order.
    bool CompletesInAnyOrder() const override { return !job_.plan.overlap; }

    Status Finish() override { return Status(); }

  private:
    Messages &MessagesOf(Slot slot) { return messages_[static_cast<std::size_t>(slot)]; }

    Status ReceiveAll(Cycle cycle, Slot slot) {
        Status status;
        for (std::size_t i = 0; i < job_.plan.owned.size(); ++i) {
            const OwnedDomain &domain = job_.plan.owned[i];
            for (const Client &client : domain.clients) {
                if (cycle < domain.cycles() && client.rank != job_.transport.rank) {
                    PiecesOfClient(job_, i, client, cycle, slot, pieces_);
                    status.Merge(pieces_.empty() ? Status() : MessagesOf(slot).Receive(client.rank, kTagData, pieces_));
                }
            }
        }
        return status;
    }

    // Where ranks overlap, one message after the other, so that the bytes of a higher rank come last. This does not block:
    // every rank has started its sends of the cycle before it waits.
    Status ReceiveInOrder(Cycle cycle, Slot slot) {
        Status status;
        for (std::size_t i = 0; i < job_.plan.owned.size(); ++i) {
            const OwnedDomain &domain = job_.plan.owned[i];
            for (const Client &client : domain.clients) {
                if (cycle >= domain.cycles()) {
                    break;
                }
                if (client.rank == job_.transport.rank) {
                    own_.CopyTo(i, client, cycle, slot);
                    continue;
                }
                PiecesOfClient(job_, i, client, cycle, slot, pieces_);
                if (!pieces_.empty()) {
                    status.Merge(one_.Receive(client.rank, kTagData, pieces_));
                    status.Merge(one_.Wait());
                }
            }
        }
        return status;
    }

    Status SendShare(const Share &share, Cycle cycle, Slot slot, PackBuffer &pack) {
        const ByteCount from = share.First(cycle);
        const auto bytes = static_cast<std::size_t>(share.Last(cycle) - from);
        if (bytes == 0) {
            return Status();
        }
        PiecesInMemory(share, from, share.Last(cycle), job_.memory, pieces_);
        pack.PackIfSmall(pieces_, bytes);
        return MessagesOf(slot).Send(share.aggregator, kTagData, pieces_);
    }

    const ShuffleJob job_;
    OwnShares own_;
    bool ordered_ = false;
    std::vector<Messages> messages_;              // of each slot
    Messages one_;                                // where they come in their order
    std::vector<std::vector<PackBuffer>> packed_; // of each slot and share
    Pieces pieces_;                               // kept, so that a cycle allocates nothing
};

} // namespace

std::unique_ptr<Shuffle> MakeTwoSidedShuffle(const ShuffleJob &job) { return std::make_unique<TwoSidedShuffle>(job); }

} // namespace overlap
