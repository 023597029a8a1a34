// A schedule that is decided as it runs.
#ifndef OVERLAP_ENGINE_SCHEDULE_DATAFLOW_H
#define OVERLAP_ENGINE_SCHEDULE_DATAFLOW_H

#include "../shuffle/shuffle.h"
#include "../writer/cycle_writer.h"
#include "program.h"

namespace overlap {

/// Runs all cycles over `slots` sub-buffers: each goes on as soon as its own shuffle or write completes. It generalises
/// Algorithm 4 of Feki & Gabriel, whose operations are waited for in a fixed order. Shuffles start in the order of their
/// cycles, on every rank. Needs: shuffle.CompletesInAnyOrder(). `trace`, where it is given, takes the steps as they were
/// done, for CheckProgram. Returns the most severe error of this rank; like RunProgram it goes on after one.
Status RunDataflow(Cycle cycles, int slots, Shuffle &shuffle, CycleWriter &writer, Program *trace = nullptr);

} // namespace overlap

#endif
