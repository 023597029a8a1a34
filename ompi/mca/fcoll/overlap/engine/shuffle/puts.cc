#include "puts.h"

#include "windows.h"

#include <algorithm>

namespace overlap {
namespace {

// Where the bytes of a share go in the window of its aggregator. In a domain without gaps a byte's place in the data is its
// offset in the file.
void PiecesAtTarget(const Share &share, Cycle cycle, ByteCount stride, Pieces &pieces) {
    const bool gapless = share.places.data.empty();
    const StridedList &data = gapless ? share.file : share.places.data;
    const ByteCount base = gapless ? share.cuts.Begin(cycle) : share.places.bases[static_cast<std::size_t>(cycle)];
    const ByteCount start = static_cast<ByteCount>(share.owned) * stride;
    pieces.clear();
    data.ForEach(share.First(cycle), share.Last(cycle), [&](const Run &run, ByteCount) {
        pieces.push_back(overlap_piece{reinterpret_cast<char *>(static_cast<std::intptr_t>(start + run.start - base)),
                                       static_cast<std::size_t>(run.length), static_cast<std::ptrdiff_t>(run.stride),
                                       static_cast<std::size_t>(run.count)});
    });
}

} // namespace

Puts::Puts(const ShuffleJob &job) : job_(job), packed_(static_cast<std::size_t>(job.slots)) {
    for (std::vector<PackBuffer> &of_slot : packed_) {
        of_slot.resize(job.plan.shares.size());
    }
}

const std::vector<Rank> &Puts::Targets(Cycle cycle) {
    targets_.clear();
    for (const Share &share : job_.plan.shares) {
        if (share.aggregator != job_.transport.rank && share.First(cycle) < share.Last(cycle)) {
            targets_.push_back(share.aggregator);
        }
    }
    std::sort(targets_.begin(), targets_.end());
    targets_.erase(std::unique(targets_.begin(), targets_.end()), targets_.end());
    return targets_;
}

Status Puts::Put(Cycle cycle, Slot slot) {
    Status status;
    for (std::size_t i = 0; i < job_.plan.shares.size(); ++i) {
        const Share &share = job_.plan.shares[i];
        if (share.aggregator != job_.transport.rank && share.First(cycle) < share.Last(cycle)) {
            status.Merge(PutShare(share, cycle, slot, packed_[static_cast<std::size_t>(slot)][i]));
        }
    }
    return status;
}

Status Puts::PutShare(const Share &share, Cycle cycle, Slot slot, PackBuffer &pack) {
    const ByteCount from = share.First(cycle);
    const ByteCount to = share.Last(cycle);
    PiecesInMemory(share, from, to, job_.memory, pieces_);
    pack.PackIfSmall(pieces_, static_cast<std::size_t>(to - from));
    PiecesAtTarget(share, cycle, job_.window_stride, places_);
    const overlap_transport &transport = job_.transport;
    return Status(transport.put(transport.self, job_.windows->At(slot), share.aggregator, pieces_.data(), pieces_.size(),
                                places_.data(), places_.size()));
}

} // namespace overlap
