#include "joining.h"

#include "../guard.h"

#include <algorithm>
#include <array>
#include <limits>

namespace overlap {
namespace {

// Ranges as ranks agree on them, by maxima: the first offsets as their negatives.
struct Ranges {
    static constexpr std::int64_t kNothing = std::numeric_limits<std::int64_t>::min();

    std::array<std::int64_t, 1 + 2 * kMostJoined> values;

    Ranges() {
        values.fill(kNothing);
        set_count(1);
    }
    // The fewest of any rank.
    void set_count(std::size_t count) { values[0] = -static_cast<std::int64_t>(count); }
    std::size_t count() const { return static_cast<std::size_t>(-values[0]); }
    std::int64_t &begin(std::size_t call) { return values[1 + 2 * call]; }
    std::int64_t &end(std::size_t call) { return values[2 + 2 * call]; }
};

// A call that is an error, or repeats bytes, goes alone, and so does what comes behind it.
void Describe(overlap_direction direction, const Request &pending, Ranges &ranges) {
    std::size_t count = 0;
    for (; count < std::min(pending.count, kMostJoined); ++count) {
        const overlap_access &one = *pending.accesses[count];
        const Access access = one.error == OVERLAP_SUCCESS ? BuildAccess(one, direction) : Access();
        if (one.error != OVERLAP_SUCCESS || access.repeats) {
            break;
        }
        if (!access.file.empty()) {
            ranges.begin(count) = -access.file.begin();
            ranges.end(count) = access.file.end();
        }
    }
    ranges.set_count(std::max<std::size_t>(1, count));
}

std::size_t HowMany(Ranges &ranges, ByteCount room) {
    FileOffset first = 0, last = 0;
    ByteCount filled = 0;
    std::size_t joined = 0;
    for (std::size_t call = 0; call < ranges.count(); ++call) {
        const bool empty = ranges.end(call) == Ranges::kNothing;
        const FileOffset begin = empty ? last : -ranges.begin(call);
        const FileOffset end = empty ? last : ranges.end(call);
        first = filled == 0 ? begin : first;
        if (begin < last || end - first > room) {
            break;
        }
        filled += end - begin;
        if (filled < (end - first) / 2) {
            break;
        }
        last = end;
        joined = call + 1;
    }
    return std::max<std::size_t>(1, joined);
}

} // namespace

Status AgreeOnJoining(const Team &team, overlap_direction direction, const Request &pending, ByteCount room,
                      std::size_t &joined) noexcept {
    Ranges ranges;
    if (pending.count > 1 && !Guarded([&] { Describe(direction, pending, ranges); }).ok()) {
        ranges = Ranges();
    }
    const Status status = team.Agree(ranges.values, Status());
    joined = status.ok() ? HowMany(ranges, room) : 1;
    return status;
}

} // namespace overlap
