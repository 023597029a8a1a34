// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// Lists of runs: random ones, their union, and whether two are the same; file domains as values.
#ifndef OVERLAP_TEST_LISTS_H
#define OVERLAP_TEST_LISTS_H

#include "plan/coverage.h"
#include "plan/domains.h"
#include "team/messages.h"

#include <algorithm>
#include <random>
#include <vector>

namespace overlap {

inline int Pick(std::mt19937 &random, int low, int high) { return std::uniform_int_distribution<int>(low, high)(random); }
inline std::int64_t Pick(std::mt19937_64 &random, std::int64_t low, std::int64_t high) {
    return std::uniform_int_distribution<std::int64_t>(low, high)(random);
}

inline std::vector<Run> RunsOf(const StridedList &list) {
    std::vector<Run> runs;
    list.ForEachRun([&runs](const Run &run) { runs.push_back(run); });
    return runs;
}

inline bool operator==(const StridedList &a, const StridedList &b) { return RunsOf(a) == RunsOf(b); }

inline StridedList OneRun(const Run &run) {
    StridedList list;
    list.Append(run);
    return list;
}

inline StridedList RandomAscending(std::mt19937 &random, int longest, int most_blocks) {
    StridedList list;
    std::int64_t offset = Pick(random, 0, 40);
    for (int i = Pick(random, 0, 5); i > 0; --i) {
        Run run{offset, Pick(random, 1, longest), 0, Pick(random, 1, most_blocks)};
        run.stride = std::max<std::int64_t>(run.length, Pick(random, 0, 1) == 0 ? 12 : run.length + Pick(random, 0, 9));
        list.Append(run);
        offset = run.end() + Pick(random, 0, 6);
    }
    return list;
}

inline Coverage CoverOf(const std::vector<StridedList> &lists) {
    std::vector<const StridedList *> pointers;
    for (const StridedList &list : lists) {
        pointers.push_back(&list);
    }
    return Cover(pointers);
}

// Of a message that has others before them.
inline Words WordsOf(const StridedList &list) {
    UnsizedMessage message;
    message.Add({7});
    message.Add(list);
    return Words(message.words() + 1, message.words() + message.size());
}
inline StridedList ListOf(const Words &words) { return StridedList::Read(words.data()); }

inline std::vector<Domain> EvenDomains(FileOffset first, FileOffset last, int limit, ByteCount alignment,
                                       ByteCount smallest) {
    std::vector<Domain> domains;
    EvenDomains(first, last, limit, alignment, smallest, domains);
    return domains;
}

inline std::vector<Domain> StaticDomains(FileOffset first, FileOffset last, int limit, const Striping &striping,
                                         ByteCount smallest) {
    std::vector<Domain> domains;
    StaticDomains(first, last, limit, striping, smallest, domains);
    return domains;
}

} // namespace overlap

#endif
