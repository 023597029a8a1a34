#include "program.h"

namespace overlap {

// Communication Overlap: Feki & Gabriel, Algorithm 1, whose printed loop starts one shuffle too many.
void AppendComm(ProgramBuilder &program) {
    program.ShuffleInit(0);
    for (Cycle i = 1; i < program.cycles(); ++i) {
        program.ShuffleInit(i).ShuffleWait(i - 1).Write(i - 1);
    }
    const Cycle last = program.cycles() - 1;
    program.ShuffleWait(last).Write(last);
}

} // namespace overlap
