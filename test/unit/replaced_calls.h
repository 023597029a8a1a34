// Functions of libaio, liburing and the C library that are replaced in the test program by ones that count, refuse or watch.
#ifndef TEST_UNIT_REPLACED_CALLS_H
#define TEST_UNIT_REPLACED_CALLS_H

#include <atomic>

namespace overlap::test {

struct ReplacedCalls {
    std::atomic<int> contexts_made{0};
    std::atomic<int> contexts_destroyed{0};
    std::atomic<int> submits_to_refuse{0};
    std::atomic<int> registrations{0};
    std::atomic<bool> refuse_registration{false};
    std::atomic<int> unmapped_while_registered{0}; // always 0 under a sanitizer, which has a munmap of its own
};

extern ReplacedCalls replaced_calls;

} // namespace overlap::test

#endif
