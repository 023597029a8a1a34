// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "cases.h"

namespace {

constexpr long long kBlock = 256;
constexpr long long kGap = 64;
constexpr long long kCount = 400;

long long Range(const Job &job) { return job.ranks * (kBlock + kGap) * kCount; }

Of BlocksOf(const Job &job) {
    return [ranks = job.ranks](int rank) { return Blocks(rank, ranks, kBlock, kCount, 0, kGap); };
}
Of GapsOf(const Job &job) {
    return [ranks = job.ranks](int rank) { return Gaps(rank, ranks, kBlock, kCount, kGap); };
}

Of FirstQuarter(const Job &job, const Of &of) {
    return [end = Range(job) / 4, of](int rank) { return Before(of(rank), end); };
}

Segments AllGaps(const Job &job) { return Blocks(0, 1, kGap, kCount * job.ranks, kBlock, kBlock); }

// The same by `WriteAt` of one rank: few enough that a request each takes no time.
constexpr long long kFewGaps = 200;

void GapsKeepOldBytes(const Job &job, SharedFile &file) {
    file.MakeOld(Range(job));
    MPI_File handle = file.Open();
    file.WriteAll(handle, BlocksOf(job), 1);
    file.SyncBarrierSync(handle);
    file.ReadAt(handle, file.Whole(), "read_at of the whole file after sync");
    file.Close(handle);
}

// All clients have the file in their caches when one rank changes the gaps.
void GapsThatAnotherClientChanged(const Job &job, SharedFile &file) {
    MPI_File handle = file.Open();
    const long long part = Range(job) / job.ranks;
    file.WriteAll(
        handle,
        [part](int rank) {
            return Segments{{rank * part, part}};
        },
        1);
    file.SyncBarrierSync(handle);
    file.ReadAt(handle, file.Whole(), "read_at of the whole file after sync");
    file.SyncBarrierSync(handle);
    file.WriteAt(handle, job.ranks - 1, Before(AllGaps(job), kFewGaps * (kBlock + kGap)), 2);
    file.SyncBarrierSync(handle);
    file.WriteAll(handle, BlocksOf(job), 3);
    file.Close(handle);
}

// The others know a file of no bytes when one rank writes the gaps.
void GapsBehindTheEndThatAClientKnows(const Job &job, SharedFile &file) {
    MPI_File handle = file.Open();
    MPI_Offset size = -1;
    file.Check(MPI_File_get_size(handle, &size), "get_size");
    SetPlainView(handle);
    MPI_Barrier(MPI_COMM_WORLD);
    file.WriteAt(handle, job.ranks - 1, Before(AllGaps(job), kFewGaps * (kBlock + kGap)), 2);
    file.SyncBarrierSync(handle);
    file.WriteAll(handle, BlocksOf(job), 3);
    file.Close(handle);
}

// The same in one call through a view.
void GapsOfOneIndependentCall(const Job &job, SharedFile &file) {
    MPI_File handle = file.Open();
    MPI_Offset size = -1;
    file.Check(MPI_File_get_size(handle, &size), "get_size");
    const Segments gaps = AllGaps(job);
    SetView(handle, gaps);
    MPI_Barrier(MPI_COMM_WORLD);
    file.Expect(gaps, job.ranks - 1, 2);
    if (job.rank == job.ranks - 1) {
        const std::vector<char> bytes = file.Right(gaps);
        MPI_Status status;
        const int count = static_cast<int>(bytes.size());
        file.CheckCount(MPI_File_write_at(handle, 0, bytes.data(), count, MPI_BYTE, &status), status, count, "write_at");
    }
    file.SyncBarrierSync(handle);
    file.WriteAll(handle, BlocksOf(job), 3);
    file.Close(handle);
}

// The halves of the file have other aggregators than the whole. No two ranks write the same byte, so no sync is needed.
void GapsOfOtherAggregators(const Job &job, SharedFile &file) {
    MPI_File handle = file.Open();
    const Of gaps = GapsOf(job);
    const long long half = Range(job) / 2;
    file.WriteAll(
        handle, [&](int rank) { return From(gaps(rank), half); }, 1);
    file.WriteAll(
        handle, [&](int rank) { return Before(gaps(rank), half); }, 1);
    file.WriteAll(handle, BlocksOf(job), 2);
    file.Close(handle);
}

// Each step writes gaps, then the blocks around them together with those of an earlier step: domains move from call to call.
void Move(const Job &job, SharedFile &file, bool sync) {
    MPI_File handle = file.Open();
    const long long range = Range(job) / 4;
    const auto blocks = [&job](int rank, long long start) {
        return Blocks(rank, job.ranks, kBlock, kCount / 4, start, kGap);
    };
    for (int step = 0; step < 6; ++step) {
        const long long start = step * range;
        const long long back = step / 2 * range;
        file.WriteAll(
            handle,
            [&](int rank) {
                Segments gaps = blocks(rank, start);
                for (Segment &each : gaps) {
                    each = {each.offset + kBlock, kGap};
                }
                return gaps;
            },
            2 * step + 1);
        if (sync) {
            file.SyncBarrierSync(handle);
        }
        file.WriteAll(
            handle,
            [&](int rank) {
                Segments both = blocks(rank, back);
                if (back != start) {
                    const Segments here = blocks(rank, start);
                    both.insert(both.end(), here.begin(), here.end());
                }
                return both;
            },
            2 * step + 2);
        if (sync) {
            file.SyncBarrierSync(handle);
        }
    }
    file.Close(handle);
}
void DomainsThatMove(const Job &job, SharedFile &file) { Move(job, file, false); }
void DomainsThatMoveWithSync(const Job &job, SharedFile &file) { Move(job, file, true); }

enum class Between { kNothing, kSync, kReopen };

void Step(SharedFile &file, MPI_File &handle, Between between) {
    if (between == Between::kSync) {
        file.SyncBarrierSync(handle);
    } else if (between == Between::kReopen) {
        file.Close(handle);
        MPI_Barrier(MPI_COMM_WORLD);
        handle = file.Open();
    }
}

// Pages of the first call lie in the caches of its aggregators when gap bytes of a quarter are written by others, and the
// blocks of all by the first ones again.
void OldPages(const Job &job, SharedFile &file, Between between) {
    MPI_File handle = file.Open();
    file.WriteAll(
        handle, [&](int rank) { return Blocks(rank, job.ranks, kBlock + kGap, kCount); }, 1);
    Step(file, handle, between);
    file.WriteAll(handle, FirstQuarter(job, GapsOf(job)), 2);
    Step(file, handle, between);
    file.WriteAll(handle, BlocksOf(job), 3);
    file.Close(handle);
}
void OldPagesInCaches(const Job &job, SharedFile &file) { OldPages(job, file, Between::kNothing); }
void OldPagesInCachesWithSync(const Job &job, SharedFile &file) { OldPages(job, file, Between::kSync); }
void OldPagesInCachesReopened(const Job &job, SharedFile &file) { OldPages(job, file, Between::kReopen); }

// The aggregators of the second call know the file by its old size.
void OldSize(const Job &job, SharedFile &file, Between between) {
    MPI_File handle = file.Open();
    file.WriteAll(handle, FirstQuarter(job, GapsOf(job)), 1);
    Step(file, handle, between);
    file.WriteAll(handle, BlocksOf(job), 2);
    file.Close(handle);
}
void OldSizeInCaches(const Job &job, SharedFile &file) { OldSize(job, file, Between::kNothing); }
void OldSizeInCachesWithSync(const Job &job, SharedFile &file) { OldSize(job, file, Between::kSync); }
void OldSizeInCachesReopened(const Job &job, SharedFile &file) { OldSize(job, file, Between::kReopen); }

// Two groups, each with a handle of its own, write into each other's gaps at the same time, no byte by both.
void TwoGroupsWithAHandleEach(const Job &job, SharedFile &file) {
    constexpr int kRounds = 5;
    const long long pieces = kCount * job.ranks / 4;
    file.MakeOld(pieces * (kBlock + kGap));
    const int half = job.ranks / 2;
    const auto part = [&](int rank) {
        const bool in_blocks = rank < half;
        const int members = in_blocks ? half : job.ranks - half;
        Segments some;
        for (long long i = in_blocks ? rank : rank - half; i < pieces; i += members) {
            const long long offset = i * (kBlock + kGap);
            some.push_back(in_blocks ? Segment{offset, kBlock} : Segment{offset + kBlock, kGap});
        }
        return some;
    };
    MPI_Comm group;
    MPI_Comm_split(MPI_COMM_WORLD, job.rank < half, job.rank, &group);
    // OMPIO may hang where both open it at once (packaging/upstream/reports/ompio-open-hangs.md).
    MPI_File handle = MPI_FILE_NULL;
    for (const bool first : {true, false}) {
        if (first == (job.rank < half)) {
            handle = file.Open(MPI_MODE_RDWR, group);
        }
        MPI_Barrier(MPI_COMM_WORLD);
    }
    for (int round = 1; round <= kRounds; ++round) {
        file.WriteOwnGroup(handle, part(job.rank), job.rank, round);
    }
    for (int rank = 0; rank < job.ranks; ++rank) {
        file.Expect(part(rank), rank, kRounds);
    }
    file.Close(handle);
    MPI_Comm_free(&group);
}

} // namespace

const std::vector<Case> &GapCases() {
    static const std::vector<Case> cases = {
        {"gaps-keep-old-bytes", GapsKeepOldBytes},
        {"gaps-that-another-client-changed", GapsThatAnotherClientChanged},
        {"gaps-behind-the-end-that-a-client-knows", GapsBehindTheEndThatAClientKnows},
        {"gaps-of-one-independent-call", GapsOfOneIndependentCall},
        {"gaps-of-other-aggregators", GapsOfOtherAggregators},
        {"domains-that-move", DomainsThatMove},
        {"domains-that-move-with-sync", DomainsThatMoveWithSync},
        {"old-pages-in-caches", OldPagesInCaches},
        {"old-pages-in-caches-with-sync", OldPagesInCachesWithSync},
        {"old-pages-in-caches-reopened", OldPagesInCachesReopened},
        {"old-size-in-caches", OldSizeInCaches},
        {"old-size-in-caches-with-sync", OldSizeInCachesWithSync},
        {"old-size-in-caches-reopened", OldSizeInCachesReopened},
        {"two-groups-with-a-handle-each", TwoGroupsWithAHandleEach},
    };
    return cases;
}
