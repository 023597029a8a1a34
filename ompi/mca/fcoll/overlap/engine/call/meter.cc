#include "meter.h"

#include <algorithm>

namespace overlap {

void Meter::Kind::Start(double now) noexcept {
    if (under_way_++ == 0) {
        since_ = now;
    }
}

void Meter::Kind::End(double now) noexcept {
    ++ended_;
    if (--under_way_ == 0) {
        busy_ += now - since_;
    }
}

void Meter::Begin() noexcept {
    ReadClock();
    began_ = now_;
}

void Meter::ShuffleStarts() noexcept { shuffles_.Start(now_); }

void Meter::ShuffleEnds() noexcept {
    ReadClock();
    shuffles_.End(now_);
    if (writes_.ended() == 0) {
        ++free_;
        free_seconds_ = now_ - began_;
    }
}

void Meter::WriteStarts() noexcept { writes_.Start(now_); }

void Meter::WriteEnds() noexcept {
    ReadClock();
    writes_.End(now_);
}

// While writes hold up the next shuffle on another rank this one's seem slow; those that ended before any of that do not.
Took Meter::Total() const noexcept {
    Took took;
    took.call = now_ - began_;
    took.shuffle = shuffles_.busy();
    took.write = writes_.busy();
    if (shuffles_.ended() > 0) {
        took.shuffle_cycle = took.shuffle / static_cast<double>(shuffles_.ended());
    }
    if (free_seconds_ > 0) {
        took.shuffle_cycle = std::min(took.shuffle_cycle, free_seconds_ / static_cast<double>(free_));
    }
    if (writes_.ended() > 0) {
        took.write_cycle = took.write / static_cast<double>(writes_.ended());
    }
    return took;
}

} // namespace overlap
