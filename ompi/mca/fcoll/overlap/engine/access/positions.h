// Where the bytes of one list stand in the stream of another that holds them all.
#ifndef OVERLAP_ENGINE_ACCESS_POSITIONS_H
#define OVERLAP_ENGINE_ACCESS_POSITIONS_H

#include "strided.h"

namespace overlap {

/// The first blocks of `run` that lie a constant distance apart in the stream of `data`: how many, and that distance. Needs:
/// `data` is ascending and holds every byte of `run`, whose first one stands at `position`, in its run `index`.
struct RegularBlocks {
    std::int64_t count;
    ByteCount stride;
};
RegularBlocks RegularBlocksOf(const Run &run, const StridedList &data, std::size_t index, ByteCount position);

/// Calls visit(Run) for the bytes [from, to) of `list`, in order; the run's start and stride are positions in the stream of
/// `data`. Needs: both are ascending, and `data` holds every byte of `list`. Time grows with the runs of `list` in between,
/// times the logarithm of the runs of `data` from one to the next.
template <typename Visit>
void ForEachPosition(const StridedList &list, ByteCount from, ByteCount to, const StridedList &data, Visit visit) {
    std::size_t holder = 0;
    list.ForEach(from, to, [&](Run run, ByteCount) {
        for (;;) {
            holder = data.HolderOf(run.start, holder);
            const ByteCount position = data.PositionIn(holder, run.start);
            const RegularBlocks regular = RegularBlocksOf(run, data, holder, position);
            visit(Run{position, run.length, regular.stride, regular.count});
            if (regular.count == run.count) {
                break; // behind the last block there may be no offset
            }
            run.start += regular.count * run.stride;
            run.count -= regular.count;
        }
    });
}

} // namespace overlap

#endif
