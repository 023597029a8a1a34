// How many cases of a test are tried: all of them, and fewer with sanitizers, which make each take several times as long,
// while what they look for is in most.
#ifndef TEST_UNIT_CASES_TRIED_H
#define TEST_UNIT_CASES_TRIED_H

#include <algorithm>

namespace overlap::test {

/// Of so many that are drawn by chance.
constexpr unsigned Drawn(unsigned cases) {
#if defined(__SANITIZE_THREAD__)
    return std::max(cases / 10, 1U);
#elif defined(__SANITIZE_ADDRESS__)
    return std::max(cases / 5, 1U);
#else
    return cases;
#endif
}

/// Of a sweep over all: each so manyth. Primes, so that the cases of inner loops all come up.
#if defined(__SANITIZE_THREAD__)
constexpr int kEach = 11;
#elif defined(__SANITIZE_ADDRESS__)
constexpr int kEach = 7;
#else
constexpr int kEach = 1;
#endif

/// Where several loops make a sweep: asked once for each case.
class Thinned {
  public:
    bool Takes() { return seen_++ % kEach == 0; }

  private:
    int seen_ = 0;
};

} // namespace overlap::test

#endif
