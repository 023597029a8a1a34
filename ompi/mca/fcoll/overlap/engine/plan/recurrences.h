// Lists whose runs recur: the instances of a datatype of several blocks.
#ifndef OVERLAP_ENGINE_PLAN_RECURRENCES_H
#define OVERLAP_ENGINE_PLAN_RECURRENCES_H

#include "../access/strided.h"

#include <algorithm>
#include <vector>

namespace overlap {

/// How many runs an instance may have to be found.
constexpr std::size_t kLongestInstance = 8;

/// How many times the `runs` runs from index `first` on, taken together, stand in the list one after the other, at a
/// constant distance; 1 where they do not recur. Needs: the list has them.
std::int64_t CountInstances(const std::vector<Run> &list, std::size_t first, std::size_t runs);

/// Runs in a row without an instance that recurs, after which not every one is looked at: one more is passed over for as
/// many again, at most kMostPassedOver.
constexpr std::size_t kInARow = 64;
constexpr std::size_t kMostPassedOver = 32;

/// Calls regular(Run) for runs of at least `fewest` blocks and single(Run) for others, which together are the bytes of the
/// list: a block of an instance that recurs so often is a run, but for the first ones behind a long stretch where nothing
/// recurs. Time grows with the runs of the list.
template <typename Regular, typename Single>
void ForEachRecurrence(const StridedList &list, std::int64_t fewest, Regular regular, Single single) {
    const std::vector<Run> &runs = list.runs();
    std::size_t in_a_row = 0;
    for (std::size_t i = 0; i < runs.size();) {
        if (runs[i].count >= fewest) {
            regular(runs[i++]);
            in_a_row = 0;
            continue;
        }
        std::size_t size = 1;
        std::int64_t instances = 1;
        for (; size <= kLongestInstance && i + size < runs.size(); ++size) {
            instances = CountInstances(runs, i, size);
            if (instances >= fewest) {
                break;
            }
        }
        if (instances < fewest) {
            const std::size_t end = std::min(runs.size(), i + 1 + std::min(in_a_row / kInARow, kMostPassedOver));
            for (; i < end && runs[i].count < fewest; ++i, ++in_a_row) {
                single(runs[i]);
            }
            continue;
        }
        in_a_row = 0;
        const std::int64_t distance = runs[i + size].start - runs[i].start;
        for (const std::size_t end = i + size; i < end; ++i) {
            for (std::int64_t block = 0; block < runs[i].count; ++block) {
                regular(Run{runs[i].start + block * runs[i].stride, runs[i].length, distance, instances});
            }
        }
        i += static_cast<std::size_t>(instances - 1) * size;
    }
}

} // namespace overlap

#endif
