#include "holes_policy.h"

namespace overlap {

std::int64_t HolesPolicy::OthersMayWrite() const {
    return asked_ == OVERLAP_HOLES_AUTO && storage_.others_may_write(storage_.self) != 0 ? 1 : 0;
}

void HolesPolicy::Learn(bool gaps) {
    if (!gaps || in_use_.has_value()) {
        return;
    }
    in_use_ = asked_;
    if (asked_ == OVERLAP_HOLES_LIST) {
        return;
    }
    overlap_file_facts facts{};
    storage_.facts(storage_.self, &facts);
    if (facts.posix != 0 && storage_.posix_sieves(storage_.self) != 0) {
        return;
    }
    in_use_ = OVERLAP_HOLES_LIST;
    if (asked_ == OVERLAP_HOLES_SIEVE && tells_) {
        host_.warn(host_.self, OVERLAP_WARNING_NO_SIEVE, nullptr);
    }
}

const char *HolesPolicy::Why() const {
    return Allows() ? "the file cannot be read back or locked" : "independent writes may be under way";
}

} // namespace overlap
