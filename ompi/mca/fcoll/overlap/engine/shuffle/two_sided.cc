// Sends and receives without blocking, then a wait for all of them (Feki & Gabriel, section III-B).
#include "shuffle.h"

#include "../messages.h"
#include "../pieces.h"

#include <new>

namespace overlap {
namespace {

// Below this average length of a block in memory, one pass that packs a message costs less than what the transport spends
// per block of a datatype.
constexpr std::size_t kPackBelow = std::size_t{32} * 1024;

// Memory for packed messages, grown without touching what it is not asked to hold.
class PackBuffer {
  public:
    /// Null where there is no memory.
    char *Take(std::size_t bytes) {
        if (bytes > capacity_) {
            memory_.reset(new (std::nothrow) char[bytes]);
            capacity_ = memory_ == nullptr ? 0 : bytes;
        }
        return memory_.get();
    }

  private:
    std::unique_ptr<char[]> memory_;
    std::size_t capacity_ = 0;
};

class TwoSidedShuffle final : public Shuffle {
  public:
    explicit TwoSidedShuffle(const ShuffleJob &job) : job_(job), packed_(static_cast<std::size_t>(job.slots)) {
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
            CopyOwnShares(cycle, slot);
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

  private:
    Messages &MessagesOf(Slot slot) { return messages_[static_cast<std::size_t>(slot)]; }

    // Leaves in pieces_ where the bytes of `client` go in this cycle.
    void LayOut(std::size_t owned, const Client &client, Cycle cycle, Slot slot) {
        const OwnedDomain &domain = job_.plan.owned[owned];
        const auto index = static_cast<std::size_t>(cycle);
        const ByteCount from = client.file.BytesBefore(domain.cuts[index]);
        const ByteCount to = client.file.BytesBefore(domain.cuts[index + 1]);
        PiecesInBuffer(client.file, from, to, domain.coverage.data, domain.First(cycle), job_.buffers.At(slot, owned),
                       pieces_);
    }

    Status ReceiveAll(Cycle cycle, Slot slot) {
        Status status;
        for (std::size_t i = 0; i < job_.plan.owned.size(); ++i) {
            const OwnedDomain &domain = job_.plan.owned[i];
            for (const Client &client : domain.clients) {
                if (cycle < domain.cycles() && client.rank != job_.transport.rank) {
                    LayOut(i, client, cycle, slot);
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
                    CopyOwnShare(i, client, cycle, slot);
                    continue;
                }
                LayOut(i, client, cycle, slot);
                if (!pieces_.empty()) {
                    Messages one(job_.transport);
                    status.Merge(one.Receive(client.rank, kTagData, pieces_));
                    status.Merge(one.Wait());
                }
            }
        }
        return status;
    }

    void CopyOwnShares(Cycle cycle, Slot slot) {
        for (std::size_t i = 0; i < job_.plan.owned.size(); ++i) {
            for (const Client &client : job_.plan.owned[i].clients) {
                if (client.rank == job_.transport.rank && cycle < job_.plan.owned[i].cycles()) {
                    CopyOwnShare(i, client, cycle, slot);
                }
            }
        }
    }

    void CopyOwnShare(std::size_t owned, const Client &self, Cycle cycle, Slot slot) {
        for (const Share &share : job_.plan.shares) {
            if (share.domain == job_.plan.owned[owned].domain) {
                PiecesInMemory(share, share.First(cycle), share.Last(cycle), job_.memory, source_);
                LayOut(owned, self, cycle, slot);
                CopyPieces(source_, pieces_);
            }
        }
    }

    Status SendShare(const Share &share, Cycle cycle, Slot slot, PackBuffer &pack) {
        const ByteCount from = share.First(cycle);
        const auto bytes = static_cast<std::size_t>(share.Last(cycle) - from);
        if (bytes == 0) {
            return Status();
        }
        PiecesInMemory(share, from, share.Last(cycle), job_.memory, pieces_);
        const std::size_t blocks = BlockCount(pieces_);
        if (blocks > 1 && bytes / blocks < kPackBelow) {
            char *const packed = pack.Take(bytes);
            if (packed != nullptr) {
                source_.swap(pieces_);
                pieces_.assign(1, overlap_piece{packed, bytes, 0, 1});
                CopyPieces(source_, pieces_);
            }
        }
        return MessagesOf(slot).Send(share.aggregator, kTagData, pieces_);
    }

    const ShuffleJob job_;
    bool ordered_ = false;
    std::vector<Messages> messages_;              // of each slot
    std::vector<std::vector<PackBuffer>> packed_; // of each slot and share
    Pieces pieces_;                               // kept, so that a cycle allocates nothing
    Pieces source_;
};

} // namespace

std::unique_ptr<Shuffle> MakeTwoSidedShuffle(const ShuffleJob &job) { return std::make_unique<TwoSidedShuffle>(job); }

} // namespace overlap
