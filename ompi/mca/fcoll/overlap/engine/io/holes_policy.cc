// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "holes_policy.h"

#include <utility>

namespace overlap {

overlap_gaps HolesPolicy::Offer() const {
    if (asked_ == OVERLAP_HOLES_LIST) {
        return OVERLAP_GAPS_WRITTEN_BACK;
    }
    overlap_file_facts facts{};
    storage_.facts(storage_.self, &facts);
    const overlap_gaps gaps = facts.posix != 0 ? storage_.gaps(storage_.self) : OVERLAP_GAPS_NO_LOCK;
    return asked_ == OVERLAP_HOLES_AUTO || gaps == OVERLAP_GAPS_NO_LOCK ? gaps : OVERLAP_GAPS_WRITTEN_BACK;
}

overlap_holes HolesPolicy::For(bool gaps) {
    if (gaps && asked_ == OVERLAP_HOLES_SIEVE && !Allows() && tells_ && !std::exchange(told_, true)) {
        host_.warn(host_.self, OVERLAP_WARNING_NO_SIEVE, nullptr);
    }
    return gaps ? asked_ : OVERLAP_HOLES_LIST;
}

const char *HolesPolicy::Why() const {
    switch (agreed_) {
    case OVERLAP_GAPS_WRITTEN_BACK:
        return "nothing stands against it";
    case OVERLAP_GAPS_PENDING_WRITE:
        return "a nonblocking independent write is pending in one of these processes";
    case OVERLAP_GAPS_OTHER_HANDLE:
        return "another handle of one of these processes has the file open for writing";
    case OVERLAP_GAPS_NONBLOCKING:
        return "the call is nonblocking, and the program may write meanwhile";
    case OVERLAP_GAPS_CACHES:
        return "this file system does not keep the caches of several nodes coherent";
    case OVERLAP_GAPS_NO_LOCK:
        return "the file cannot be read back or locked";
    }
    return "";
}

} // namespace overlap
