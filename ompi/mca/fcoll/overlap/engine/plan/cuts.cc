#include "cuts.h"

namespace overlap {

Cuts CutByBytes(const StridedList &data, ByteCount capacity, ByteCount alignment) {
    std::vector<FileOffset> cuts;
    if (data.empty()) {
        return Cuts();
    }
    cuts.push_back(data.begin());
    ByteCount position = 0;
    while (data.bytes() - position > capacity) {
        FileOffset cut = data.StartOf(position + capacity);
        const FileOffset aligned = RoundDown(cut, alignment);
        if (data.BytesBefore(aligned) > position) {
            cut = aligned;
        }
        cuts.push_back(cut);
        position = data.BytesBefore(cut);
    }
    cuts.push_back(data.end());
    return Cuts(std::move(cuts));
}

Cuts CutGapless(const Domain &domain, ByteCount capacity, ByteCount alignment) {
    StridedList data;
    data.Append(Run{domain.begin, domain.end - domain.begin, 0, 1});
    return CutByBytes(data, capacity, alignment);
}

} // namespace overlap
