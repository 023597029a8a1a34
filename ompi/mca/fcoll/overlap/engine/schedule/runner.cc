#include "runner.h"

namespace overlap {
namespace {

bool WaitedForAtOnce(const Program &program, std::size_t i) {
    return i + 1 < program.size() && program[i + 1] == Step{StepKind::kWriteWait, program[i].cycle, program[i].slot};
}

} // namespace

Status RunProgram(const Program &program, Shuffle &shuffle, CycleWriter &writer) {
    for (std::size_t i = 0; i < program.size(); ++i) {
        const Step &step = program[i];
        switch (step.kind) {
        case StepKind::kShuffleInit:
            writer.Expect(step.cycle, step.slot);
            writer.Fail(shuffle.Start(step.cycle, step.slot));
            break;
        case StepKind::kShuffleWait:
            writer.Fail(shuffle.Wait(step.cycle, step.slot));
            break;
        case StepKind::kWriteInit:
            if (WaitedForAtOnce(program, i)) {
                writer.Write(step.cycle, step.slot);
                ++i;
            } else {
                writer.Start(step.cycle, step.slot);
            }
            break;
        case StepKind::kWriteWait:
            writer.Wait(step.cycle, step.slot);
            break;
        }
    }
    writer.Fail(shuffle.Finish());
    return writer.status();
}

} // namespace overlap
