// Calls in which the ranks of a node are merged by several of them, against a file worked out byte by byte.
#include "model/guess.h"
#include "team/messages.h"
#include "merging_cases.h"

namespace overlap::test {
namespace {

constexpr int kMostLeaders = 5;
constexpr int kMostOfANode = 5;
constexpr int kMostNodes = 3;
constexpr int kCalls = 2;

using Group = std::vector<int>; // ranks

// As equal as can be, in the order of ranks; the last node has fewer where they do not come out even.
std::vector<Group> GroupsOf(int ranks, int ranks_per_node, int leaders) {
    std::vector<Group> groups;
    for (int first = 0; first < ranks; first += ranks_per_node) {
        const int here = std::min(ranks_per_node, ranks - first);
        const int of_node = std::min(leaders, here);
        for (int group = 0; group < of_node; ++group) {
            Group members(static_cast<std::size_t>((group + 1) * here / of_node - group * here / of_node));
            std::iota(members.begin(), members.end(), first + group * here / of_node);
            groups.push_back(members);
        }
    }
    return groups;
}

enum Pattern { kInTurns, kOneAfterTheOther, kEveryThirdHasNothing, kAllTheSame, kPatterns };

Pieces PiecesOf(Pattern pattern, int ranks) {
    Pieces pieces = pattern == kOneAfterTheOther ? Interleaved(ranks, 30, 1) : Interleaved(ranks, 5, 6);
    for (std::size_t rank = 0; rank < pieces.size(); ++rank) {
        if (pattern == kEveryThirdHasNothing && rank % 3 == 2) {
            pieces[rank].bytes = 0;
        }
        if (pattern == kAllTheSame) {
            pieces[rank].origin = 0;
        }
    }
    return pieces;
}

// Ranks with data write different bytes in all patterns but one.
bool IsMerged(const Group &group, Pattern pattern, overlap_direction direction, const Pieces &pieces) {
    const auto with_data = std::count_if(group.begin(), group.end(),
                                         [&](int rank) { return pieces[static_cast<std::size_t>(rank)].bytes > 0; });
    return with_data > 1 && !(pattern == kAllTheSame && direction == OVERLAP_WRITE);
}

struct Job {
    int ranks;
    int ranks_per_node;
    int leaders;
    bool in_passing;

    std::string Name() const {
        return std::to_string(ranks) + " ranks, " + std::to_string(ranks_per_node) + " a node, " + std::to_string(leaders) +
               " leaders" + (in_passing ? ", in passing" : "");
    }
    ClusterOptions Options() const {
        ClusterOptions options;
        options.ranks = ranks;
        options.ranks_per_node = ranks_per_node;
        options.aggregators = 2;
        options.collective_buffer = 64;
        options.in_passing = in_passing;
        return options;
    }
    overlap_settings Settings() const {
        overlap_settings settings = SettingsOf(OVERLAP_ALGORITHM_WRITE_COMM);
        settings.node_merge = OVERLAP_NODE_MERGE_ON;
        settings.node_leaders = leaders;
        return settings;
    }
};

std::vector<Job> AllJobs() {
    std::vector<Job> jobs;
    for (int leaders = 1; leaders <= kMostLeaders; ++leaders) {
        for (int of_node = 1; of_node <= kMostOfANode; ++of_node) {
            for (int ranks = 1; ranks <= kMostNodes * of_node; ++ranks) {
                jobs.push_back(Job{ranks, of_node, leaders, ranks % 2 == 0});
            }
        }
    }
    return jobs;
}

struct Done {
    std::vector<int> errors;
    std::vector<std::size_t> bytes;
    std::vector<std::int64_t> merged; // calls
};

// What fails as the cluster is armed to does so in the calls.
Done Transfer(FakeCluster &cluster, const overlap_settings &settings, const Pieces &pieces, overlap_direction direction,
              int calls) {
    Done all{std::vector<int>(pieces.size(), 0), std::vector<std::size_t>(pieces.size(), 0),
             std::vector<std::int64_t>(pieces.size(), 0)};
    const std::string gave_up = cluster.Run([&](FakeRank &rank) {
        const auto index = static_cast<std::size_t>(rank.rank());
        std::array<overlap_counters, 2> counters{};
        rank.host.counters = counters.data();
        overlap_file *file = overlap_file_open(&rank.transport, &rank.storage, &rank.host, &settings);
        const overlap_access access = pieces[index].Access();
        for (int call = 0; call < calls; ++call) {
            CollectiveCall *const function = direction == OVERLAP_READ ? overlap_file_read_all : overlap_file_write_all;
            rank.Count(true);
            const int error = function(file, &access, &all.bytes[index]);
            rank.Count(false);
            all.errors[index] = error == OVERLAP_SUCCESS ? all.errors[index] : error;
        }
        overlap_file_close(file, 1);
        all.merged[index] = counters[direction].counts[OVERLAP_COUNT_MERGED];
    });
    EXPECT_EQ(gave_up, "");
    return all;
}

void ExpectMerged(const Job &job, Pattern pattern, overlap_direction direction, const Pieces &pieces,
                  const FakeCluster &cluster, const Done &done) {
    int made = 0, letters = 0;
    std::vector<std::int64_t> merged(pieces.size(), 0);
    for (const Group &group : GroupsOf(job.ranks, job.ranks_per_node, job.leaders)) {
        const bool is_merged = IsMerged(group, pattern, direction, pieces);
        made += is_merged ? 1 : 0;
        letters += kCalls * 2 * (static_cast<int>(group.size()) - 1);
        for (const int rank : group) {
            merged[static_cast<std::size_t>(rank)] = is_merged ? kCalls : 0;
        }
    }
    EXPECT_EQ(cluster.NodeMemoryMade(), made);
    EXPECT_EQ(cluster.MessagesSent(kTagNode, kTagMergedRest), letters);
    EXPECT_EQ(done.merged, merged);
    EXPECT_EQ(cluster.Leftovers(), "");
}

TEST(NodeLeaders, FilesAreRightWithAnyNumberOfThem) {
    for (const Job &job : AllJobs()) {
        for (int pattern = 0; pattern < kPatterns; ++pattern) {
            SCOPED_TRACE(job.Name() + ", pattern " + std::to_string(pattern));
            FakeCluster cluster(job.Options());
            const Pieces pieces = PiecesOf(static_cast<Pattern>(pattern), job.ranks);

            const Done done = Transfer(cluster, job.Settings(), pieces, OVERLAP_WRITE, kCalls);

            EXPECT_EQ(done.errors, std::vector<int>(pieces.size(), OVERLAP_SUCCESS));
            for (std::size_t rank = 0; rank < pieces.size(); ++rank) {
                EXPECT_EQ(done.bytes[rank], pieces[rank].bytes);
            }
            ExpectFile(cluster, pieces, job.Name());
            if (job.ranks > 1) {
                ExpectMerged(job, static_cast<Pattern>(pattern), OVERLAP_WRITE, pieces, cluster, done);
            }
            if (testing::Test::HasFailure()) {
                return;
            }
        }
    }
}

TEST(NodeLeaders, ReadsAreRightWithAnyNumberOfThem) {
    for (const Job &job : AllJobs()) {
        for (int pattern = 0; pattern < kPatterns; ++pattern) {
            SCOPED_TRACE(job.Name() + ", pattern " + std::to_string(pattern));
            FakeCluster cluster(job.Options());
            Pieces pieces = PiecesOf(static_cast<Pattern>(pattern), job.ranks);
            std::map<std::int64_t, char> file;
            for (Piece &piece : pieces) {
                piece.ForEachByte(
                    [&file](std::int64_t offset, char) { file[offset] = static_cast<char>('a' + offset % 23); });
                std::fill(piece.memory.begin(), piece.memory.end(), '#');
            }
            cluster.Preset(file);

            const Done done = Transfer(cluster, job.Settings(), pieces, OVERLAP_READ, kCalls);

            EXPECT_EQ(done.errors, std::vector<int>(pieces.size(), OVERLAP_SUCCESS));
            for (std::size_t rank = 0; rank < pieces.size(); ++rank) {
                bool right = done.bytes[rank] == pieces[rank].bytes;
                pieces[rank].ForEachByte([&](std::int64_t offset, char byte) { right = right && byte == file[offset]; });
                EXPECT_TRUE(right) << "rank " << rank;
            }
            if (job.ranks > 1) {
                ExpectMerged(job, static_cast<Pattern>(pattern), OVERLAP_READ, pieces, cluster, done);
            }
            if (testing::Test::HasFailure()) {
                return;
            }
        }
    }
}

// Two nodes of six ranks, three groups on each.
Job ThreeGroupsANode() { return Job{12, 6, 3, false}; }

TEST(NodeLeaders, AGroupThatFindsNoMemoryIsNotMergedAndTheOthersAre) {
    const Job job = ThreeGroupsANode();
    for (const Group &group : GroupsOf(job.ranks, job.ranks_per_node, job.leaders)) {
        SCOPED_TRACE("led by " + std::to_string(group[0]));
        FakeCluster cluster(job.Options());
        Failure failure;
        failure.kind = Failure::kNodeMemory;
        failure.rank = group[0];
        cluster.Arm({failure});
        const Pieces pieces = PiecesOf(kInTurns, job.ranks);

        const Done done = Transfer(cluster, job.Settings(), pieces, OVERLAP_WRITE, 1);

        EXPECT_EQ(cluster.Failed(), 1);
        EXPECT_EQ(done.errors, std::vector<int>(pieces.size(), OVERLAP_SUCCESS));
        ExpectFile(cluster, pieces, "");
        std::vector<std::int64_t> merged(pieces.size(), 1);
        for (const int rank : group) {
            merged[static_cast<std::size_t>(rank)] = 0;
        }
        EXPECT_EQ(done.merged, merged);
    }
}

// An aggregator hears from the leaders of the other node alone.
TEST(NodeLeaders, AggregatorsHearEachOfThem) {
    for (const int leaders : {1, 2, 3, 6}) {
        Job job = ThreeGroupsANode();
        job.leaders = leaders;
        ClusterOptions options = job.Options();
        options.aggregators = 1;
        FakeCluster cluster(options);
        const Pieces pieces = Interleaved(job.ranks, 16, 1);

        const Done done = Transfer(cluster, job.Settings(), pieces, OVERLAP_WRITE, 1);

        EXPECT_EQ(done.errors, std::vector<int>(pieces.size(), OVERLAP_SUCCESS));
        const int cycles = (12 * 16 + 31) / 32; // of half a collective buffer
        EXPECT_LE(cluster.MessagesSent(kTagData, kTagData), cycles * (2 * leaders - 1)) << leaders;
        EXPECT_GE(cluster.MessagesSent(kTagData, kTagData), 2 * leaders - 1) << leaders;
    }
}

// Two nodes of eight ranks. Messages are dear, so that `auto` merges behind a call, and copies dearer by far, so that two
// leaders of a node take half as long as one, for what was measured.
ClusterOptions WhereCopiesAreDear(overlap_settings &settings, bool measured, double copy = 1e-1) {
    Rates rates = GuessedRates(2, ClusterOptions().file_system, 0, 0);
    rates.message.value = 0.1;
    rates.copy = Rate{copy, measured};
    rates.between.byte = Rate{1e-9, measured};
    settings = SettingsOf(OVERLAP_ALGORITHM_WRITE_COMM);
    return WhereMergingMayPay(8, rates, settings);
}

constexpr std::size_t kBlocks = 48;

TEST(NodeLeaders, AutoHasSeveralWhereOneCopiesTooSlowlyAsIsKnown) {
    for (const bool measured : {false, true}) {
        for (const int asked : {int{OVERLAP_NODE_LEADERS_AUTO}, 1}) {
            overlap_settings settings;
            FakeCluster cluster(WhereCopiesAreDear(settings, measured));
            settings.node_leaders = asked;
            const Pieces pieces = Interleaved(16, 5, kBlocks);

            const Done done = Transfer(cluster, settings, pieces, OVERLAP_WRITE, 3);

            EXPECT_EQ(done.errors, std::vector<int>(pieces.size(), OVERLAP_SUCCESS));
            ExpectFile(cluster, pieces, "");
            EXPECT_EQ(done.merged, std::vector<std::int64_t>(pieces.size(), 2));
            const int leaders = measured && asked == OVERLAP_NODE_LEADERS_AUTO ? 2 : 1;
            EXPECT_EQ(cluster.NodeMemoryMade(), 2 * leaders);
            EXPECT_EQ(cluster.MessagesSent(kTagNode, kTagMergedRest),
                      2 * 2 * 2 * (8 - leaders)); // calls, nodes, there and back
        }
    }
}

// Explained of calls that were merged.
std::vector<std::string> WhoTakesPart(const FakeCluster &cluster) {
    std::vector<std::string> lines;
    for (const std::string &line : cluster.explanations()) {
        if (line.find("one rank takes part") != std::string::npos) {
            lines.push_back(line);
        }
    }
    return lines;
}

// Of the four ranks that two leaders have each, one has no data any more: too few for either, and not for one leader.
TEST(NodeLeaders, AutoTriesWithOneWhereSeveralWereInVain) {
    overlap_settings settings;
    FakeCluster cluster(WhereCopiesAreDear(settings, true));
    Pieces before = Interleaved(16, 5, kBlocks);
    Pieces behind = before;
    for (std::size_t rank = 3; rank < behind.size(); rank += 4) {
        behind[rank].bytes = 0;
    }
    std::vector<int> errors(before.size(), OVERLAP_SUCCESS);
    std::vector<std::int64_t> merged(before.size(), 0);
    const std::string gave_up = cluster.Run([&](FakeRank &rank) {
        const auto index = static_cast<std::size_t>(rank.rank());
        std::array<overlap_counters, 2> counters{};
        rank.host.counters = counters.data();
        overlap_file *file = overlap_file_open(&rank.transport, &rank.storage, &rank.host, &settings);
        for (Pieces *pieces : {&before, &before, &behind, &behind, &behind, &behind}) {
            const overlap_access access = (*pieces)[index].Access();
            std::size_t done = 0;
            const int error = overlap_file_write_all(file, &access, &done);
            errors[index] = error == OVERLAP_SUCCESS ? errors[index] : error;
        }
        overlap_file_close(file, 1);
        merged[index] = counters[OVERLAP_WRITE].counts[OVERLAP_COUNT_MERGED];
    });
    ASSERT_EQ(gave_up, "");
    EXPECT_EQ(errors, std::vector<int>(before.size(), OVERLAP_SUCCESS));
    ExpectFile(cluster, before, "");
    EXPECT_EQ(merged, std::vector<std::int64_t>(before.size(), 1 + 2));
    EXPECT_EQ(cluster.NodeMemoryMade(), 2 * 2 + 2);
    EXPECT_EQ(WhoTakesPart(cluster), (std::vector<std::string>{"one rank takes part for the 4 ranks of its part of a node",
                                                               "one rank takes part for the 8 ranks of its node"}));
}

// Of seven ranks one of two groups has three.
TEST(NodeLeaders, AutoMergesWhereAllGroupsOfTheLargestNodeHaveFourRanks) {
    for (const int of_node : {7, 8}) {
        overlap_settings settings;
        ClusterOptions options = WhereCopiesAreDear(settings, true);
        options.ranks = 2 * of_node;
        options.ranks_per_node = of_node;
        FakeCluster cluster(options);
        settings.node_leaders = 2;
        const Pieces pieces = Interleaved(options.ranks, 5, kBlocks);

        const Done done = Transfer(cluster, settings, pieces, OVERLAP_WRITE, 3);

        EXPECT_EQ(done.errors, std::vector<int>(pieces.size(), OVERLAP_SUCCESS));
        ExpectFile(cluster, pieces, "");
        EXPECT_EQ(cluster.NodeMemoryMade(), of_node == 8 ? 2 * 2 : 0);
        EXPECT_EQ(cluster.MessagesSent(kTagNode, kTagMergedRest), of_node == 8 ? 2 * 2 * 2 * 6 : 0);
    }
}

// Of which there are few, whatever each rank has.
TEST(NodeLeaders, AutoHasOneWhereAllRanksReadTheSameFewBytes) {
    overlap_settings settings;
    FakeCluster cluster(WhereCopiesAreDear(settings, true, 1e-2));
    settings.reads = OVERLAP_TRANSFERS_COLLECTIVE;
    Pieces pieces = Interleaved(16, 1600, 1);
    std::map<std::int64_t, char> file;
    for (Piece &piece : pieces) {
        piece.origin = 0;
        piece.ForEachByte([&file](std::int64_t offset, char) { file[offset] = 'a'; });
    }
    cluster.Preset(file);

    const Done done = Transfer(cluster, settings, pieces, OVERLAP_READ, 3);

    EXPECT_EQ(done.errors, std::vector<int>(pieces.size(), OVERLAP_SUCCESS));
    EXPECT_EQ(done.merged, std::vector<std::int64_t>(pieces.size(), 2));
    EXPECT_EQ(cluster.NodeMemoryMade(), 2);
}

// The call before shows that there had better be two: ranks 4 and 12 lead for the first time in it.
TEST(NodeLeaders, WhateverMemoryALeaderLacksAllRanksEndWithTheSameErrorAndTheNextCallWorks) {
    int came_to_pass = 0, without = 0;
    for (const int leader : {4, 8, 12}) {
        for (int number = 0; number < 60; ++number) {
            SCOPED_TRACE("rank " + std::to_string(leader) + ", allocation " + std::to_string(number));
            overlap_settings settings;
            FakeCluster cluster(WhereCopiesAreDear(settings, true));
            Failure failure;
            failure.kind = Failure::kMemory;
            failure.rank = leader;
            failure.number = number;
            cluster.Arm({failure});
            const Pieces pieces = Interleaved(16, 5, kBlocks);
            std::vector<std::vector<int>> errors(3, std::vector<int>(pieces.size(), -1));
            const std::string gave_up = cluster.Run([&](FakeRank &rank) {
                const auto index = static_cast<std::size_t>(rank.rank());
                overlap_file *file = overlap_file_open(&rank.transport, &rank.storage, &rank.host, &settings);
                const overlap_access access = pieces[index].Access();
                for (std::size_t call = 0; call < errors.size(); ++call) {
                    std::size_t done = 0;
                    rank.Count(call == 1);
                    errors[call][index] = overlap_file_write_all(file, &access, &done);
                    rank.Count(false);
                }
                overlap_file_close(file, 1);
            });
            ASSERT_EQ(gave_up, "");
            for (const std::vector<int> &of_call : errors) {
                EXPECT_EQ(of_call, std::vector<int>(pieces.size(), of_call[0]));
            }
            EXPECT_EQ(errors[2][0], OVERLAP_SUCCESS);
            ExpectFile(cluster, pieces, "");
            EXPECT_EQ(cluster.Leftovers(), "");
            came_to_pass += cluster.Failed() > 0 ? 1 : 0;
            without += cluster.Failed() > 0 && cluster.NodeMemoryMade() < 4 ? 1 : 0;
        }
    }
    EXPECT_GT(came_to_pass, 0);
    EXPECT_GT(without, 0);
}

} // namespace
} // namespace overlap::test
