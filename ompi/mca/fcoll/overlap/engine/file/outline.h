// What the ranks know of a call before they plan it.
#ifndef OVERLAP_ENGINE_FILE_OUTLINE_H
#define OVERLAP_ENGINE_FILE_OUTLINE_H

#include "../access/strided.h"
#include "../choose/chooser.h"
#include "../plan/planner.h"
#include "../team/team.h"
#include "apart.h"

#include <limits>

namespace overlap {

struct Outline {
    bool data = false; // a rank has some
    Range range;       // of it, as far as the file goes
    CallSize size;
    bool repeats = false;                          // every rank has the access of the plan,
    std::int64_t distance = 0;                     // which lies so far further on
    FileOffset end = 0;                            // of the file; of a write the last offset
    overlap_gaps gaps = OVERLAP_GAPS_WRITTEN_BACK; // of a write: why they are not written back, the most of all ranks
    bool as_well = false;                          // every rank that has data would do as well by itself
    bool twice = false;                            // a rank names a byte of the file twice
    Alone alone = Alone::kNo;
};

/// What one rank knows of it.
struct OutlineOffer {
    const StridedList &file;                                 // that it transfers
    ByteCount bytes = 0;                                     // of the program,
    std::int64_t pieces = 0;                                 // in so many
    bool repeats = false;                                    // its access is that of the plan,
    std::int64_t distance = 0;                               // which lies so far further on
    FileOffset end = std::numeric_limits<FileOffset>::min(); // where it has looked
    overlap_gaps gaps = OVERLAP_GAPS_WRITTEN_BACK;
    bool as_well = false;
    bool twice = false;
};

/// Collective, one allreduce. All ranks return the same error, `local` of any of them included. `alone` is left to the
/// caller.
Status AgreeOnOutline(const Team &team, const OutlineOffer &offer, Status local, Outline &outline);

} // namespace overlap

#endif
