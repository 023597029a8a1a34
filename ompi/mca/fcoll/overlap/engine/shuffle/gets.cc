#include "gets.h"

#include "windows.h"

namespace overlap {

Gets::Gets(const ShuffleJob &job) : job_(job), places_(job), unpacking_(job) { pieces_.reserve(job_.most_pieces); }

Status Gets::Get(Cycle cycle, Slot slot) noexcept {
    Status status;
    places_.ForEachShare(cycle, [&](const Share &share) { status.Merge(GetShare(share, cycle, slot)); });
    return status;
}

Status Gets::GetShare(const Share &share, Cycle cycle, Slot slot) noexcept {
    unpacking_.PlacesFor(share, share.First(cycle), share.Last(cycle), slot, pieces_);
    const Pieces &places = places_.Of(share, cycle);
    const overlap_transport &transport = job_.team.transport();
    return Status(transport.get(transport.self, job_.windows->At(slot), share.aggregator, pieces_.data(), pieces_.size(),
                                places.data(), places.size()));
}

} // namespace overlap
