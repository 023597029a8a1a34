// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// Write engines, schedules and slots with file systems, shuffles and file views.
//   matrix pairs|engines|full DIRECTORY...      one folder for each file system
// pairs: every two values meet; engines: each engine with each schedule and number of slots meets every other value; full:
// every combination, but for the buffer sizes and the numbers of aggregators, which take turns; of these TEST_PART.
#include "pairwise.h"
#include "patterns.h"

#include <algorithm>
#include <iterator>
#include <string>

namespace {

constexpr const char *kShuffles[] = {"two-sided", "put-fence", "put-lock"};
constexpr int kSlots[] = {2, 4, 8};
// From less than a page to one cycle for most views. Whole pages are in a sub-buffer of the larger ones.
constexpr long long kBuffers[] = {3000, 100000, 1 << 20};
constexpr int kAggregators[] = {1, 2, 0};

template <typename List> int Size(const List &list) { return static_cast<int>(std::size(list)); }

std::size_t At(int value) { return static_cast<std::size_t>(value); }

// The factors in the order in which a combination has their values.
enum Factor { kWriter, kAlgorithm, kSlot, kFolder, kShuffle, kPattern, kBuffer, kAggregator };

std::vector<Combination> Combinations(const std::string &choice, int folders) {
    const int writers = Size(Writers()), algorithms = Size(Algorithms()), slots = Size(kSlots);
    const int shuffles = Size(kShuffles), patterns = Size(Patterns()), buffers = Size(kBuffers);
    const int aggregators = Size(kAggregators);
    if (choice == "pairs") {
        return PairwiseCover({writers, algorithms, slots, folders, shuffles, patterns, buffers, aggregators});
    }
    std::vector<Combination> all;
    if (choice == "full") {
        int turn = 0;
        for (Combination &row : FullProduct({writers, algorithms, slots, folders, shuffles, patterns})) {
            row.push_back(turn % buffers);
            row.push_back(turn / buffers % aggregators);
            if (IsInPart(turn++)) {
                all.push_back(row);
            }
        }
        return all;
    }
    for (const Combination &row :
         PairwiseCover({writers * algorithms * slots, folders, shuffles, patterns, buffers, aggregators})) {
        all.push_back({row[0] / slots / algorithms, row[0] / slots % algorithms, row[0] % slots});
        all.back().insert(all.back().end(), row.begin() + 1, row.end());
    }
    return all;
}

} // namespace

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    int rank = 0, ranks = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const std::vector<std::string> folders(argv + 2, argv + argc);
    Results results;
    for (const Combination &row : Combinations(argv[1], Size(folders))) {
        Settings settings;
        settings.writer = Writers()[At(row[kWriter])];
        settings.algorithm = Algorithms()[At(row[kAlgorithm])];
        settings.slots = kSlots[row[kSlot]];
        settings.shuffle = kShuffles[row[kShuffle]];
        settings.collective_buffer = kBuffers[row[kBuffer]];
        settings.aggregators = std::min(kAggregators[row[kAggregator]], ranks);
        const Pattern &pattern = Patterns()[At(row[kPattern])];
        View view = pattern.make(rank, ranks);
        const std::string path = PathOf(folders[At(row[kFolder])].c_str(), "matrix");
        results.Check(path + " " + pattern.name + " " + Describe(settings),
                      WriteView(view, rank, ranks, pattern, settings, path));
        if (view.filetype != MPI_BYTE) {
            MPI_Type_free(&view.filetype);
        }
    }
    const int failed = results.Finish();
    MPI_Finalize();
    return failed;
}
