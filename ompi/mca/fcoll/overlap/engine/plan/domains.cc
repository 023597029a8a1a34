#include "domains.h"

#include <algorithm>

namespace overlap {

std::vector<Domain> EvenDomains(FileOffset first, FileOffset last, int limit, ByteCount alignment, ByteCount smallest) {
    std::vector<Domain> domains;
    if (first >= last) {
        return domains;
    }
    const FileOffset base = RoundDown(first, alignment);
    const ByteCount share = std::max(DivideUp(last - base, limit), smallest);
    const ByteCount width = DivideUp(share, alignment) * alignment;
    for (FileOffset begin = base; begin < last; begin += width) {
        domains.push_back(Domain{std::max(first, begin), std::min(last, begin + width)});
    }
    return domains;
}

} // namespace overlap
