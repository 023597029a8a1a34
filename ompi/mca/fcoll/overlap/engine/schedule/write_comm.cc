#include "program.h"

namespace overlap {

// Write-Communication Overlap: Feki & Gabriel, Algorithm 3, which as printed never writes the last buffer.
void AppendWriteComm(ProgramBuilder &program) {
    program.Shuffle(0);
    for (Cycle i = 1; i < program.cycles(); ++i) {
        program.WriteInit(i - 1).ShuffleInit(i).ShuffleWait(i).WriteWait(i - 1);
    }
    program.Write(program.cycles() - 1);
}

} // namespace overlap
