#include "program.h"

namespace overlap {

// Writes Overlap: Feki & Gabriel, Algorithm 2.
void AppendWrite(ProgramBuilder &program) {
    program.Shuffle(0).WriteInit(0);
    for (Cycle i = 1; i < program.cycles(); ++i) {
        program.Shuffle(i).WriteInit(i).WriteWait(i - 1);
    }
    program.WriteWait(program.cycles() - 1);
}

} // namespace overlap
