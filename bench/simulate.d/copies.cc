// In the place of the engine's copies of user data (shuffle/scatter.cc, shuffle/copy_pieces.cc): nothing is touched, time
// passes.
#include "job.h"

#include "shuffle/copy_pieces.h"
#include "shuffle/scatter.h"

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

} // namespace

void GatherShare(const Share & /*share*/, ByteCount from, ByteCount to, const StridedList &memory,
                 char * /*packed*/) noexcept {
    Copied(to - from, PiecesIn(memory, from, to));
}

Status StartGatherFrom(const overlap_host & /*device*/, const Share &share, ByteCount from, ByteCount to,
                       const StridedList &memory, char *packed) noexcept {
    GatherShare(share, from, to, memory, packed);
    return Status();
}

void ScatterShare(const char * /*packed*/, const Share & /*share*/, ByteCount from, ByteCount to,
                  const StridedList &memory) noexcept {
    Copied(to - from, PiecesIn(memory, from, to));
}

Status StartScatterTo(const overlap_host & /*device*/, char *packed, const Share &share, ByteCount from, ByteCount to,
                      const StridedList &memory) noexcept {
    ScatterShare(packed, share, from, to, memory);
    return Status();
}

void ScatterBytes(const char * /*packed*/, const StridedList &file, ByteCount from, ByteCount to,
                  const StridedList & /*data*/, ByteCount /*base*/, char * /*buffer*/) noexcept {
    Copied(to - from, PiecesIn(file, from, to));
}

void GatherBytes(const StridedList &file, ByteCount from, ByteCount to, const StridedList & /*data*/, ByteCount /*base*/,
                 const char * /*buffer*/, char * /*packed*/) noexcept {
    Copied(to - from, PiecesIn(file, from, to));
}

void CopyShare(const Share &share, ByteCount from, ByteCount to, const StridedList & /*memory*/,
               const StridedList & /*data*/, ByteCount /*base*/, char * /*buffer*/) noexcept {
    Copied(to - from, PiecesIn(share.file, from, to));
}

void CopyShareBack(const Share &share, ByteCount from, ByteCount to, const StridedList & /*memory*/,
                   const StridedList & /*data*/, ByteCount /*base*/, const char * /*buffer*/) noexcept {
    Copied(to - from, PiecesIn(share.file, from, to));
}

void CopyPieces(const Pieces &from, const Pieces &to) {
    ByteCount bytes = 0;
    for (const overlap_piece &piece : from) {
        bytes += static_cast<ByteCount>(piece.length * piece.count);
    }
    Copied(bytes, static_cast<double>(std::max(BlockCount(from), BlockCount(to))));
}

void GatherPieces(const Pieces &from, char * /*to*/) {
    ByteCount bytes = 0;
    for (const overlap_piece &piece : from) {
        bytes += static_cast<ByteCount>(piece.length * piece.count);
    }
    Copied(bytes, static_cast<double>(BlockCount(from)));
}

} // namespace overlap
