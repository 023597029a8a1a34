// What a rank asks for in a call, as the engine does it.
#ifndef OVERLAP_ENGINE_FILE_ASKED_H
#define OVERLAP_ENGINE_FILE_ASKED_H

#include "../access/access.h"
#include "../status.h"

namespace overlap {

struct Asked {
    Access access;
    ByteCount bytes = 0;    // of the program, which may have named one of the file twice
    std::int64_t calls = 1; // of the program
    Status local;           // why this rank cannot take part
    bool several = false;   // calls that follow each other: of two ranks that write the same byte the later call's is kept
    bool overlaps = false;  // so nothing was done
};

} // namespace overlap

#endif
