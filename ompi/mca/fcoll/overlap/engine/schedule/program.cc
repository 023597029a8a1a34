#include "program.h"

#include <stdexcept>

namespace overlap {
namespace {

// In the order of the overlap_algorithm enumerators.
constexpr Schedule kSchedules[] = {
    {"shuffle and write one after the other", false, false, AppendNone},
    {"shuffle of the next cycle during a blocking write", true, false, AppendComm},
    {"asynchronous write during a blocking shuffle of the next cycle", true, false, AppendWrite},
    {"write of a cycle and shuffle of the next start and end together", true, false, AppendWriteComm},
    {"as write-comm, each operation followed up as soon as it completes", true, false, AppendWriteComm2},
    {"each sub-buffer goes on when its own shuffle or write completes", true, true, AppendWriteComm2},
};

} // namespace

bool operator==(const Step &a, const Step &b) { return a.kind == b.kind && a.cycle == b.cycle && a.slot == b.slot; }

ProgramBuilder &ProgramBuilder::Add(StepKind kind, Cycle cycle) {
    if (cycle >= 0 && cycle < cycles_) {
        program_.push_back(Step{kind, cycle, static_cast<Slot>(cycle % slots_)});
    }
    return *this;
}

const Schedule &ScheduleOf(overlap_algorithm algorithm) {
    const auto index = static_cast<std::size_t>(algorithm);
    if (index >= std::size(kSchedules)) {
        throw std::invalid_argument("an unknown algorithm");
    }
    return kSchedules[index];
}

int SlotsOf(overlap_algorithm algorithm, int slots) { return ScheduleOf(algorithm).splits_buffer ? slots : 1; }

Program MakeProgram(overlap_algorithm algorithm, Cycle cycles, int slots) {
    ProgramBuilder builder(cycles, slots);
    ScheduleOf(algorithm).append(builder);
    return builder.Take();
}

std::string ToString(const Program &program) {
    std::string text;
    for (const Step &step : program) {
        static constexpr const char *kNames[] = {"SI", "SW", "WI", "WW"};
        text += text.empty() ? "" : " ";
        text += kNames[static_cast<std::size_t>(step.kind)] + std::to_string(step.cycle);
    }
    return text;
}

} // namespace overlap
