#include "program.h"

namespace overlap {

// Communication Overlap: Feki & Gabriel, Algorithm 1, whose printed loop starts one shuffle too many. With S sub-buffers up
// to S - 1 shuffles are under way while one is written.
void AppendComm(ProgramBuilder &program) {
    const Cycle ahead = program.slots() - 1;
    for (Cycle i = 0; i < ahead; ++i) {
        program.ShuffleInit(i);
    }
    for (Cycle i = 0; i < program.cycles(); ++i) {
        program.ShuffleInit(i + ahead).ShuffleWait(i).Write(i);
    }
}

} // namespace overlap
