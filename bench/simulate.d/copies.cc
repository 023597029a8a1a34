// In the place of the engine's copies of user data (shuffle/copy.cc): nothing is touched, time passes.
#include "job.h"

#include "shuffle/copy.h"

#include <algorithm>

namespace overlap {
namespace {

void Copied(ByteCount bytes, double pieces) {
    simulate::Rank &rank = simulate::RunningRank();
    const simulate::Machine &machine = rank.job->machine();
    rank.job->Work(rank, static_cast<double>(bytes) / machine.copy_rate + pieces * machine.piece);
}

// Of the bytes [from, to) of a list, where its pieces lie evenly.
double PiecesIn(const StridedList &list, ByteCount from, ByteCount to) {
    const double pieces = static_cast<double>(list.PiecesAtLeast()) * static_cast<double>(to - from);
    return pieces / static_cast<double>(list.bytes());
}

double PiecesIn(const InMemory &place, ByteCount from, ByteCount to) { return PiecesIn(place.memory, from, to); }
double PiecesIn(const InBuffer &place, ByteCount from, ByteCount to) { return PiecesIn(place.file, from, to); }

} // namespace

template <typename Place> void Gather(const Place &place, ByteCount from, ByteCount to, char * /*packed*/) noexcept {
    Copied(to - from, PiecesIn(place, from, to));
}

template <typename Place> void Scatter(const char * /*packed*/, const Place &place, ByteCount from, ByteCount to) noexcept {
    Copied(to - from, PiecesIn(place, from, to));
}

template void Gather(const InMemory &place, ByteCount from, ByteCount to, char *packed) noexcept;
template void Gather(const InBuffer &place, ByteCount from, ByteCount to, char *packed) noexcept;
template void Scatter(const char *packed, const InMemory &place, ByteCount from, ByteCount to) noexcept;
template void Scatter(const char *packed, const InBuffer &place, ByteCount from, ByteCount to) noexcept;

void CopyShare(overlap_direction /*direction*/, const InMemory &memory, const InBuffer &buffer, ByteCount from,
               ByteCount to) noexcept {
    Copied(to - from, std::max(PiecesIn(memory.memory, from, to), PiecesIn(buffer.file, from, to)));
}

} // namespace overlap
