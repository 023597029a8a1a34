#include "program.h"

namespace overlap {

// Write-Communication Overlap: Feki & Gabriel, Algorithm 3, which as printed never writes the last buffer. With S
// sub-buffers the write that ends together with a shuffle is the oldest of up to S - 1 that are under way.
void AppendWriteComm(ProgramBuilder &program) {
    const Cycle behind = program.slots() - 1;
    program.Shuffle(0);
    for (Cycle i = 1; i < program.cycles(); ++i) {
        program.WriteInit(i - 1).ShuffleInit(i).ShuffleWait(i).WriteWait(i - behind);
    }
    program.WriteInit(program.cycles() - 1);
    for (Cycle i = program.cycles() - behind; i < program.cycles(); ++i) {
        program.WriteWait(i);
    }
}

} // namespace overlap
