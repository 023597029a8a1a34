#include "program.h"

namespace overlap {

// The baseline of Feki & Gabriel, section III: two-phase I/O without overlap.
void AppendNone(ProgramBuilder &program) {
    for (Cycle i = 0; i < program.cycles(); ++i) {
        program.Shuffle(i).Write(i);
    }
}

} // namespace overlap
