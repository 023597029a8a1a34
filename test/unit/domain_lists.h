// File domains as values, for tests that have memory for them.
#ifndef TEST_UNIT_DOMAIN_LISTS_H
#define TEST_UNIT_DOMAIN_LISTS_H

#include "plan/domains.h"

namespace overlap {

inline std::vector<Domain> EvenDomains(FileOffset first, FileOffset last, int limit, ByteCount alignment,
                                       ByteCount smallest) {
    std::vector<Domain> domains;
    EvenDomains(first, last, limit, alignment, smallest, domains);
    return domains;
}

inline std::vector<Domain> StaticDomains(FileOffset first, FileOffset last, int limit, const Striping &striping,
                                         ByteCount smallest) {
    std::vector<Domain> domains;
    StaticDomains(first, last, limit, striping, smallest, domains);
    return domains;
}

} // namespace overlap

#endif
