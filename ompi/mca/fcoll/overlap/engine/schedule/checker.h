// Proves that a program keeps the rules of every schedule, without running it.
#ifndef OVERLAP_ENGINE_SCHEDULE_CHECKER_H
#define OVERLAP_ENGINE_SCHEDULE_CHECKER_H

#include "program.h"

#include <string>

namespace overlap {

/// Empty where `program` is right, else what is wrong with it and at which step. The rules: each cycle is shuffled once and
/// written once; it is written only after its shuffle has completed; a sub-buffer takes a new shuffle only after the write
/// that read from it has completed; an operation is waited for once, after it was started; shuffles start in the order of
/// their cycles; nothing is under way at the end.
std::string CheckProgram(const Program &program, Cycle cycles, int slots);

} // namespace overlap

#endif
