#include "recurrences.h"

namespace overlap {
namespace {

bool SameShape(const Run &a, const Run &b) {
    return a.length == b.length && a.count == b.count && (a.count == 1 || a.stride == b.stride);
}

} // namespace

std::int64_t CountInstances(const std::vector<Run> &list, std::size_t first, std::size_t runs) {
    if (first + runs >= list.size()) {
        return 1;
    }
    const std::int64_t distance = list[first + runs].start - list[first].start;
    std::size_t last = first; // the runs before it recur
    while (last + runs < list.size() && SameShape(list[last], list[last + runs]) &&
           list[last + runs].start - list[last].start == distance) {
        ++last;
    }
    return static_cast<std::int64_t>((last - first) / runs) + 1;
}

} // namespace overlap
