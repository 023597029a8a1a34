// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// How many cases of a test are tried: some of them, fewer with sanitizers, which make each take several times as long.
// OVERLAP_ALL_CASES=1 tries all.
#ifndef TEST_UNIT_CASES_TRIED_H
#define TEST_UNIT_CASES_TRIED_H

#include <algorithm>
#include <cstdlib>

namespace overlap::test {

inline bool AllCases() {
    static const bool all = [] {
        const char *const asked = std::getenv("OVERLAP_ALL_CASES");
        return asked != nullptr && *asked != 0;
    }();
    return all;
}

#if defined(__SANITIZE_THREAD__)
constexpr unsigned kOfDrawn = 60, kOfSwept = 61;
#elif defined(__SANITIZE_ADDRESS__)
constexpr unsigned kOfDrawn = 30, kOfSwept = 29;
#else
constexpr unsigned kOfDrawn = 4, kOfSwept = 5;
#endif
constexpr bool kSanitized = kOfSwept > 5;

/// Of cases that take seconds each with sanitizers these many, the first ones.
inline std::size_t Few(std::size_t cases) { return kSanitized && !AllCases() ? 1 : cases; }

/// Of so many cases that are drawn by chance. A failure names the seed of its case.
inline unsigned Drawn(unsigned cases) { return AllCases() ? cases : std::max(cases / kOfDrawn, std::min(cases, 3U)); }

/// The step of a sweep over all cases: a prime, so that the cases of inner loops all come up.
inline int Each() { return AllCases() ? 1 : static_cast<int>(kOfSwept); }

/// Where several loops make a sweep: asked once for each case.
class Thinned {
  public:
    bool Takes() { return seen_++ % Each() == 0; }

  private:
    int seen_ = 0;
};

} // namespace overlap::test

#endif
