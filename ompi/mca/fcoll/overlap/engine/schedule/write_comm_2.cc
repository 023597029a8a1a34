#include "program.h"

namespace overlap {

// Write-Communication-2 Overlap: Feki & Gabriel, Algorithm 4. The printed text starts the first write twice and in line 11
// names the wrong buffer; here every operation is followed by the one that it makes possible. With S sub-buffers a round
// takes S cycles: as each shuffle ends its write starts, as each of these ends a shuffle of the next round does.
void AppendWriteComm2(ProgramBuilder &program) {
    const Cycle round = program.slots();
    for (Cycle i = 0; i < round; ++i) {
        program.ShuffleInit(i);
    }
    for (Cycle first = 0; first < program.cycles(); first += round) {
        for (Cycle i = first; i < first + round; ++i) {
            program.ShuffleWait(i).WriteInit(i);
        }
        for (Cycle i = first; i < first + round; ++i) {
            program.WriteWait(i).ShuffleInit(i + round);
        }
    }
}

} // namespace overlap
