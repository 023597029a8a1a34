// A host whose clock a test sets by hand.
#ifndef TEST_UNIT_HAND_CLOCK_H
#define TEST_UNIT_HAND_CLOCK_H

#include "ports.h"

namespace overlap::test {

struct HandClock {
    HandClock() {
        host.self = this;
        host.seconds = [](void *self) {
            auto &clock = *static_cast<HandClock *>(self);
            ++clock.readings;
            return clock.now;
        };
    }
    HandClock(const HandClock &) = delete;
    HandClock &operator=(const HandClock &) = delete;

    overlap_host host{};
    double now = 100; // seconds
    int readings = 0;
};

} // namespace overlap::test

#endif
