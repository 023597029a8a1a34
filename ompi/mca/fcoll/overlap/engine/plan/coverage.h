// The bytes of a file domain that any rank writes.
#ifndef OVERLAP_ENGINE_PLAN_COVERAGE_H
#define OVERLAP_ENGINE_PLAN_COVERAGE_H

#include "../access/strided.h"

#include <vector>

namespace overlap {

struct Coverage {
    StridedList data;     // the union, ascending
    bool overlap = false; // some byte is written by more than one list

    bool gapless() const { return data.empty() || data.end() - data.begin() == data.bytes(); }
};

/// The union of ascending lists. Regular interleaved runs are merged as runs; time grows with the number of blocks only
/// where runs interleave irregularly.
Coverage Cover(const std::vector<const StridedList *> &lists);

} // namespace overlap

#endif
