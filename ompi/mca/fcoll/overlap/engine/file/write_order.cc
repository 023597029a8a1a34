#include "write_order.h"

#include <algorithm>

namespace overlap {

Status WriteOrder::Begin(const Range &range, const Plan *repeated, std::int64_t distance) {
    overlap_file_facts facts{};
    storage_.facts(storage_.self, &facts);
    by_this_call_ = false;
    if (team_.nodes() == 1 || facts.coherent != 0 || range.empty()) {
        return Status();
    }
    const bool same = repeated != nullptr && repeated == plan_ && distance == distance_;
    const bool again = range.first < written_.last && written_.first < range.last;
    Status status;
    if (again && !same) {
        status = team_.Agree(Status(storage_.flush(storage_.self)));
        written_ = Range();
    }
    by_this_call_ = written_.empty();
    if (by_this_call_) {
        written_ = range;
        plan_ = repeated;
        distance_ = distance;
    } else {
        written_ = Range{std::min(written_.first, range.first), std::max(written_.last, range.last)};
        plan_ = same ? plan_ : nullptr;
    }
    return status;
}

void WriteOrder::Planned(const Plan *plan) {
    if (by_this_call_) {
        plan_ = plan;
        distance_ = 0;
    }
}

} // namespace overlap
