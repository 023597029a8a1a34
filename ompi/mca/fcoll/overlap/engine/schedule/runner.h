// Executes a program; knows no algorithm.
#ifndef OVERLAP_ENGINE_SCHEDULE_RUNNER_H
#define OVERLAP_ENGINE_SCHEDULE_RUNNER_H

#include "../shuffle/shuffle.h"
#include "../writer/cycle_writer.h"
#include "program.h"

namespace overlap {

/// Runs `program` to its end whatever fails, so that no message of another rank stays without its partner. A write that is
/// waited for right after its start is done as a blocking one. Returns the most severe error of this rank.
Status RunProgram(const Program &program, Shuffle &shuffle, CycleWriter &writer);

} // namespace overlap

#endif
