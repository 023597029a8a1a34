#include "positions.h"

namespace overlap {

RegularBlocks RegularBlocksOf(const Run &run, const StridedList &data, std::size_t index, ByteCount position) {
    const Run &holder = data.runs()[index];
    if (run.count == 1 || (holder.count > 1 && run.stride % holder.stride != 0)) {
        return RegularBlocks{1, 0};
    }
    if (holder.count == 1) {
        const std::int64_t inside = (holder.end() - run.start - run.length) / run.stride + 1;
        return RegularBlocks{std::clamp<std::int64_t>(inside, 1, run.count), run.stride};
    }
    const std::int64_t holder_block = (position - data.PositionOf(index)) / holder.length;
    const std::int64_t steps = run.stride / holder.stride;
    const std::int64_t reachable = (holder.count - 1 - holder_block) / steps + 1;
    return RegularBlocks{std::min(reachable, run.count), steps * holder.length};
}

} // namespace overlap
