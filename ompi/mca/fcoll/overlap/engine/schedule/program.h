// A schedule as data: the order in which the shuffles and writes of a call start and complete.
//
// Feki & Gabriel, "On Overlapping Communication and File I/O in Collective Write Operation", section III, Algorithms 1 to 4,
// without the slips of the printed text. Cycle i uses sub-buffer i mod slots. A program is the same on all ranks.
//
// The paper has two sub-buffers; with S of them S - 1 operations may be under way while the last one is waited for. What
// that means for an algorithm stands at its function; two sub-buffers give the paper's program, to the step.
#ifndef OVERLAP_ENGINE_SCHEDULE_PROGRAM_H
#define OVERLAP_ENGINE_SCHEDULE_PROGRAM_H

#include "../settings.h"
#include "../types.h"

#include <string>
#include <vector>

namespace overlap {

enum class StepKind { kShuffleInit, kShuffleWait, kWriteInit, kWriteWait };

struct Step {
    StepKind kind;
    Cycle cycle;
    Slot slot;
};

bool operator==(const Step &a, const Step &b);

using Program = std::vector<Step>;

/// Builds the program of an algorithm. Steps that name a cycle outside 0 .. cycles-1 are left out, so that an algorithm can
/// be written down as the paper does.
class ProgramBuilder {
  public:
    ProgramBuilder(Cycle cycles, int slots) : cycles_(cycles), slots_(slots) {}

    ProgramBuilder &ShuffleInit(Cycle cycle) { return Add(StepKind::kShuffleInit, cycle); }
    ProgramBuilder &ShuffleWait(Cycle cycle) { return Add(StepKind::kShuffleWait, cycle); }
    ProgramBuilder &Shuffle(Cycle cycle) { return ShuffleInit(cycle).ShuffleWait(cycle); }
    ProgramBuilder &WriteInit(Cycle cycle) { return Add(StepKind::kWriteInit, cycle); }
    ProgramBuilder &WriteWait(Cycle cycle) { return Add(StepKind::kWriteWait, cycle); }
    ProgramBuilder &Write(Cycle cycle) { return WriteInit(cycle).WriteWait(cycle); }

    Cycle cycles() const { return cycles_; }
    int slots() const { return slots_; }
    Program Take() { return std::move(program_); }

  private:
    ProgramBuilder &Add(StepKind kind, Cycle cycle);

    Cycle cycles_;
    int slots_;
    Program program_;
};

/// One algorithm: the functions stand each in the file of its name.
struct Schedule {
    const char *description;
    bool splits_buffer; // false: one sub-buffer of the full collective buffer size
    bool by_completion; // what completes decides what comes next (runner.h); `append` serves a shuffle that needs an order
    void (*append)(ProgramBuilder &program);
};

void AppendNone(ProgramBuilder &program);
void AppendComm(ProgramBuilder &program);
void AppendWrite(ProgramBuilder &program);
void AppendWriteComm(ProgramBuilder &program);
void AppendWriteComm2(ProgramBuilder &program);

const Schedule &ScheduleOf(overlap_algorithm algorithm);

/// The sub-buffers that share the collective buffer under this algorithm.
int SlotsOf(overlap_algorithm algorithm, int slots);

/// `slots` as SlotsOf gives it. cycles >= 0.
Program MakeProgram(overlap_algorithm algorithm, Cycle cycles, int slots);

/// "SI0 SW0 WI0 WW0 ...": a letter for shuffle or write, one for init or wait, the cycle.
std::string ToString(const Program &program);

} // namespace overlap

#endif
