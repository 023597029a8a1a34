#include "virtual_work.h"

namespace overlap::test {

double VirtualWork::Pack(double bytes) const noexcept {
    return load_.scattered ? bytes * (load_.pieces * rates_.piece.value + rates_.copy.value) : 0;
}

double VirtualWork::Prepare(Cycle cycle, bool aggregates) const noexcept {
    const double sent = load_.sent * load_.BytesOf(cycle);
    const double puts = rates_.put.value * (load_.targets + load_.pieces * sent);
    switch (candidate_.shuffle) {
    case OVERLAP_SHUFFLE_TWO_SIDED:
        return rates_.message.value * (load_.targets + (aggregates ? load_.sources : 0)) + Pack(sent);
    case OVERLAP_SHUFFLE_PUT_FENCE:
        return puts;
    case OVERLAP_SHUFFLE_PUT_LOCK:
        return puts + rates_.lock.value * load_.targets + (cycle < candidate_.slots ? 0 : rates_.between.latency.value);
    case OVERLAP_SHUFFLE_AUTO: // is never a candidate
        break;
    }
    return 0;
}

double VirtualWork::Take(Cycle cycle, bool aggregates) const noexcept {
    const double words = aggregates ? rates_.between.latency.value + rates_.message.value * load_.sources : 0;
    switch (candidate_.shuffle) {
    case OVERLAP_SHUFFLE_TWO_SIDED:
        return aggregates ? Pack(load_.BytesOf(cycle)) : 0;
    case OVERLAP_SHUFFLE_PUT_FENCE:
        return words;
    case OVERLAP_SHUFFLE_PUT_LOCK: // the ends of the targets' locks, and a lock of one's own
        return words + rates_.lock.value * (load_.targets + (aggregates ? 2 : 0));
    case OVERLAP_SHUFFLE_AUTO: // is never a candidate
        break;
    }
    return 0;
}

} // namespace overlap::test
