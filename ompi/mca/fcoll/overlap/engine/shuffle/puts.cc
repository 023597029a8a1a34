#include "puts.h"

#include "windows.h"

namespace overlap {

Puts::Puts(const ShuffleJob &job) : job_(job), places_(job) { pieces_.reserve(job_.most_pieces); }

Status Puts::Put(Cycle cycle, Slot slot) noexcept {
    Status status;
    places_.ForEachShare(cycle, [&](const Share &share) { status.Merge(PutShare(share, cycle, slot)); });
    return status;
}

Status Puts::PutShare(const Share &share, Cycle cycle, Slot slot) noexcept {
    const Status packed = job_.pack.PiecesOf(share, share.First(cycle), share.Last(cycle), job_.memory, slot, pieces_);
    if (!packed.ok()) {
        return packed;
    }
    const Pieces &places = places_.Of(share, cycle);
    const overlap_transport &transport = job_.team.transport();
    return Status(transport.put(transport.self, job_.windows->At(slot), share.aggregator, pieces_.data(), pieces_.size(),
                                places.data(), places.size()));
}

} // namespace overlap
