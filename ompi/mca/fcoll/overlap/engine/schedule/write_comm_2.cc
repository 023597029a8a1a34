#include "program.h"

namespace overlap {

// Write-Communication-2 Overlap: Feki & Gabriel, Algorithm 4. The printed text starts the first write twice and in line 11
// names the wrong buffer; here every operation is followed by the one that it makes possible.
void AppendWriteComm2(ProgramBuilder &program) {
    program.ShuffleInit(0);
    for (Cycle a = 0; a < program.cycles(); a += 2) {
        const Cycle b = a + 1;
        program.WriteWait(b - 2).ShuffleInit(b).ShuffleWait(a).WriteInit(a);
        program.ShuffleWait(b).WriteInit(b).WriteWait(a).ShuffleInit(b + 1);
    }
    // An odd number of cycles ends with an even cycle, whose write the last round has waited for.
    if (program.cycles() % 2 == 0) {
        program.WriteWait(program.cycles() - 1);
    }
}

} // namespace overlap
