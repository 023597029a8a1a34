// What is said beforehand of the collective writes to come, and the texts that say it (README.md of the repository).
#ifndef OVERLAP_ENGINE_DECLARE_DECLARATION_H
#define OVERLAP_ENGINE_DECLARE_DECLARATION_H

#include "../access/strided.h"
#include "../entry.h"

#include <vector>

namespace overlap {

/// Of one rank; the number of calls is the same on all of them.
struct Declaration {
    static constexpr int kMostCalls = 4096;

    int calls = 0;                    // that belong together; 0: nothing is declared
    ByteCount bytes = -1;             // of this rank in all of them together, at most; less than 0: not said
    int parts = 0;                    // texts that the layouts are in
    std::vector<StridedList> layouts; // of each call, ascending; empty: not said
};

/// "calls=9,bytes=38000,parts=1,serial=2", of which all but `calls` may be missing: `bytes` with k, m or g behind it counts
/// in powers of 1024; a new `serial` makes the same text a new declaration. Empty and "off" declare nothing. False where the
/// text says something else.
bool ParseDeclaration(const char *text, Declaration &declaration);

/// The layouts of the calls, parted by ";": runs of the file, parted by ",", each OFFSET:LENGTH or
/// OFFSET:LENGTH:STRIDE:COUNT in bytes, in any order. A call without bytes is empty. `bytes` become those of all calls,
/// where fewer were said. False where the text says something else, or not as many calls; what is in `declaration` is of no
/// meaning then. Throws std::bad_alloc, and std::range_error where they are too many bytes.
bool ParseLayouts(const char *text, Declaration &declaration);

} // namespace overlap

#endif
