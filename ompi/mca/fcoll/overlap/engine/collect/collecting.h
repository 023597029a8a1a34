// What becomes of a write while others are left for later: the ranks agree on it, call by call.
#ifndef OVERLAP_ENGINE_COLLECT_COLLECTING_H
#define OVERLAP_ENGINE_COLLECT_COLLECTING_H

#include "../plan/planner.h"
#include "../team/team.h"

namespace overlap {

/// How much may be left for later. The same on all ranks.
struct CollectLimits {
    ByteCount room = 0;  // bytes that a rank may hold; 0: nothing is left for later
    ByteCount large = 0; // bytes of all ranks from which on a call fills a cycle by itself, and is not worth a copy
    ByteCount near = 0;  // bytes of the file between what is collected and a call, beyond which they are no neighbours
};

/// The limits for so many bytes per aggregator, and cycles of so many.
CollectLimits LimitsOf(ByteCount of_aggregator, ByteCount cycle, int aggregators, int ranks) noexcept;

/// What one rank knows of the call.
struct CollectOffer {
    bool alone_fits = false;    // its bytes, where nothing else is held
    bool fits = false;          // beside what is held
    bool ends = false;          // what is held should be written with this call
    ByteCount bytes = 0;        // of the call
    Range range;                // of them in the file; empty: none
    int kept = OVERLAP_SUCCESS; // with what its own write of such bytes has failed
};

enum class Becomes {
    kCollected,   // left for later
    kWritten,     // with what is held, as one
    kWrittenAfter // what is held is written first: it lies elsewhere; then the call is as if nothing were held
};

/// What all ranks know of the call.
struct CollectAgreement {
    Becomes becomes = Becomes::kWritten;
    bool then_collected = false; // where it is written after: what becomes of the call itself
    bool ends = false;           // what is held with it is to be written now
    int kept = OVERLAP_SUCCESS;  // the most severe
    Range range;                 // of the call
};

/// Collective. `held`: the range of the calls that are held, of all ranks, empty where there are none. All ranks return the
/// same error, `local` of any of them included; nothing is to become of the call then.
Status AgreeOnCollecting(const Team &team, const CollectLimits &limits, const CollectOffer &offer, const Range &held,
                         Status local, CollectAgreement &agreement) noexcept;

} // namespace overlap

#endif
