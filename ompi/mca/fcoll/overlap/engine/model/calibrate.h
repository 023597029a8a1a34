// Rates as the calls of a file show them.
#ifndef OVERLAP_ENGINE_MODEL_CALIBRATE_H
#define OVERLAP_ENGINE_MODEL_CALIBRATE_H

#include "candidate.h"
#include "load.h"
#include "rates.h"
#include "shown.h"
#include "took.h"

namespace overlap {

/// Makes the rates such that they predict what a call with `used` took, of all its ranks. A call says how long a cycle's
/// shuffle is and how long its write, and no more:
///
/// * the shuffle is put down to the network between nodes where bytes came from other nodes, else, or where it was faster
///   than with no network at all, to memory and messages within a node;
/// * the write is put down to its start, latency, extents and bytes in the proportion that they had before, but for a
///   latency that calls have told apart (`shown`, which this call is added to);
/// * what the call took beside that, or less, is the algorithm's excess over its prediction.
///
/// Of what was measured before, half is kept: the mean of the two factors. Where a writer was never measured it is taken to
/// differ from this one as it did before. Where a schedule finds shuffles or writes done only behind the others, the time is
/// taken for a bound. Where shuffles do not count the write alone says something.
void Calibrate(const Load &load, const Candidate &used, const Took &took, Rates &rates, Shown &shown) noexcept;

} // namespace overlap

#endif
