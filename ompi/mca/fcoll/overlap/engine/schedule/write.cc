#include "program.h"

namespace overlap {

// Writes Overlap: Feki & Gabriel, Algorithm 2. With S sub-buffers up to S - 1 writes are under way during a shuffle.
void AppendWrite(ProgramBuilder &program) {
    const Cycle behind = program.slots() - 1;
    for (Cycle i = 0; i < program.cycles(); ++i) {
        program.Shuffle(i).WriteInit(i).WriteWait(i - behind);
    }
    for (Cycle i = program.cycles() - behind; i < program.cycles(); ++i) {
        program.WriteWait(i);
    }
}

} // namespace overlap
