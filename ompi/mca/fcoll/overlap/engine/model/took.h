// What a collective call took, as far as two readings of a clock for each cycle tell.
#ifndef OVERLAP_ENGINE_MODEL_TOOK_H
#define OVERLAP_ENGINE_MODEL_TOOK_H

namespace overlap {

/// All in seconds: of one rank, or of several the most of each. 0 where there was nothing of the kind.
struct Took {
    double call = 0;            // from its first step to its last
    double shuffle = 0;         // in which shuffles were under way
    double write = 0;           // in which writes were
    double shuffle_cycle = 0;   // that a shuffle adds where no write is waited for
    double write_cycle = 0;     // that a write adds
    bool shuffles_count = true; // else they moved less than those of a call that repeats it
};

} // namespace overlap

#endif
