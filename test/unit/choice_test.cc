// What follows where a setting is left open, and that what is asked for is done to the message.
#include "policy/choice.h"
#include "write_cases.h"

namespace overlap::test {
namespace {

constexpr ByteCount kMiB = 1 << 20;

overlap_file_facts File(ByteCount collective_buffer = 32 * kMiB) {
    overlap_file_facts facts{};
    facts.collective_buffer_size = collective_buffer;
    facts.block_size = 4096;
    facts.posix = 1;
    return facts;
}

struct Chosen {
    overlap_algorithm algorithm;
    int slots;
    ByteCount sub_buffer;
};

void ExpectChoice(const overlap_settings &settings, const overlap_file_facts &facts, int nodes, const Chosen &expected,
                  const char *what, int ranks = 8) {
    const Choice choice = Choose(settings, facts, ranks, nodes);
    EXPECT_EQ(choice.algorithm, expected.algorithm) << what;
    EXPECT_EQ(choice.slots, expected.slots) << what;
    EXPECT_EQ(choice.sub_buffer, expected.sub_buffer) << what;
}

TEST(Choice, FollowsTheNodesWhereNobodyAsks) {
    ExpectChoice(EverythingOpen(), File(), 1, {OVERLAP_ALGORITHM_WRITE_COMM, 4, 2 * kMiB}, "one node");
    ExpectChoice(EverythingOpen(), File(), 2, {OVERLAP_ALGORITHM_DATAFLOW, 16, 2 * kMiB}, "two nodes");

    overlap_settings ordered = EverythingOpen();
    ordered.shuffle = OVERLAP_SHUFFLE_PUT_FENCE;
    ExpectChoice(ordered, File(), 2, {OVERLAP_ALGORITHM_WRITE_COMM, 4, 2 * kMiB}, "shuffles that complete in their order");
    ordered.shuffle = OVERLAP_SHUFFLE_PUT_LOCK;
    ExpectChoice(ordered, File(), 2, {OVERLAP_ALGORITHM_DATAFLOW, 16, 2 * kMiB}, "puts that complete in any order");
}

TEST(Choice, NonblockingAsMuchIsUnderWayAsThereIsRoomFor) {
    for (const int nodes : {1, 2}) {
        const Choice open = Choose(EverythingOpen(), File(), 8, nodes, true);
        EXPECT_EQ(open.algorithm, OVERLAP_ALGORITHM_DATAFLOW);
        EXPECT_EQ(open.slots, OVERLAP_SLOTS_MAX);
        overlap_settings settings = EverythingOpen();
        settings.algorithm = OVERLAP_ALGORITHM_COMM;
        settings.slots = 3;
        const Choice asked = Choose(settings, File(), 8, nodes, true);
        EXPECT_EQ(asked.algorithm, OVERLAP_ALGORITHM_COMM);
        EXPECT_EQ(asked.slots, 3);
    }
}

TEST(Choice, IsMessagesAndAnIoThreadWhereNobodyAsks) {
    const overlap_settings open = EverythingOpen();
    for (const int nodes : {1, 2}) {
        const Choice choice = Choose(open, File(), 8, nodes);
        EXPECT_EQ(choice.shuffle, OVERLAP_SHUFFLE_TWO_SIDED);
        EXPECT_EQ(choice.writer, OVERLAP_WRITER_THREAD);
        EXPECT_EQ(choice.algorithm, nodes > 1 ? OVERLAP_ALGORITHM_DATAFLOW : OVERLAP_ALGORITHM_WRITE_COMM);
    }
}

TEST(Choice, MoreSubBuffersMakeNoneSmaller) {
    ExpectChoice(EverythingOpen(), File(32 * kMiB), 2, {OVERLAP_ALGORITHM_DATAFLOW, 16, 2 * kMiB}, "room for 16");
    ExpectChoice(EverythingOpen(), File(32 * kMiB - 16), 2, {OVERLAP_ALGORITHM_DATAFLOW, 8, 2 * kMiB}, "nearly so");
    ExpectChoice(EverythingOpen(), File(16 * kMiB), 2, {OVERLAP_ALGORITHM_DATAFLOW, 8, 2 * kMiB}, "room for 8");
    ExpectChoice(EverythingOpen(), File(16 * kMiB - 8), 2, {OVERLAP_ALGORITHM_DATAFLOW, 4, 2 * kMiB}, "room for less");
    ExpectChoice(EverythingOpen(), File(), 2, {OVERLAP_ALGORITHM_DATAFLOW, 8, 4 * kMiB}, "64 ranks, of 64 KiB each", 64);
    ExpectChoice(EverythingOpen(), File(), 2, {OVERLAP_ALGORITHM_DATAFLOW, 4, 65 * kMiB / 16}, "65 ranks", 65);

    overlap_file_facts asked = File(8 * kMiB);
    asked.collective_buffer_chosen = 1;
    ExpectChoice(EverythingOpen(), asked, 2, {OVERLAP_ALGORITHM_DATAFLOW, 4, 2 * kMiB}, "a size that was asked for");
    overlap_file_facts striped = File();
    striped.stripe_size = kMiB;
    ExpectChoice(EverythingOpen(), striped, 2, {OVERLAP_ALGORITHM_DATAFLOW, 4, 8 * kMiB}, "stripes, which get large writes");
}

TEST(Choice, IsWhatWasAskedFor) {
    for (const int nodes : {1, 4}) {
        for (int algorithm = OVERLAP_ALGORITHM_COMM; algorithm < OVERLAP_ALGORITHM_AUTO; ++algorithm) {
            overlap_settings settings = EverythingOpen();
            settings.algorithm = static_cast<overlap_algorithm>(algorithm);
            for (const int slots : {2, 3, 16}) {
                settings.slots = slots;
                ExpectChoice(settings, File(), nodes, {settings.algorithm, slots, 2 * kMiB}, "both");
            }
        }
        overlap_settings slots = EverythingOpen();
        slots.slots = 3;
        const overlap_algorithm chosen = nodes > 1 ? OVERLAP_ALGORITHM_DATAFLOW : OVERLAP_ALGORITHM_WRITE_COMM;
        ExpectChoice(slots, File(), nodes, {chosen, 3, 2 * kMiB}, "the slots alone");
        overlap_settings algorithm = EverythingOpen();
        algorithm.algorithm = OVERLAP_ALGORITHM_DATAFLOW;
        ExpectChoice(algorithm, File(), nodes, {OVERLAP_ALGORITHM_DATAFLOW, nodes > 1 ? 16 : 4, 2 * kMiB}, "dataflow alone");
        algorithm.algorithm = OVERLAP_ALGORITHM_COMM;
        ExpectChoice(algorithm, File(), nodes, {OVERLAP_ALGORITHM_COMM, 4, 2 * kMiB}, "comm alone");
        overlap_settings none = EverythingOpen();
        none.algorithm = OVERLAP_ALGORITHM_NONE;
        ExpectChoice(none, File(), nodes, {OVERLAP_ALGORITHM_NONE, 1, 2 * kMiB}, "none has one sub-buffer");
    }
}

TEST(Choice, WhatIsChosenWritesTheFile) {
    for (const int ranks_per_node : {1, 3, 8}) {
        for (const overlap_shuffle shuffle : kShuffles) {
            for (const ByteCount buffer : {64, 4096}) {
                ClusterOptions options;
                options.ranks = 8;
                options.ranks_per_node = ranks_per_node;
                options.block_size = 16;
                options.collective_buffer = buffer;
                FakeCluster cluster(options);
                overlap_settings settings = SettingsOf(OVERLAP_ALGORITHM_AUTO, OVERLAP_SLOTS_AUTO);
                settings.shuffle = shuffle;
                const Pieces pieces = Interleaved(8, 24, 40, 5);
                const std::string what = std::to_string(ranks_per_node) + " a node, " + overlap_shuffle_names[shuffle];
                ExpectSuccess(WriteAll(cluster, settings, pieces, 2), pieces, what);
                ExpectFile(cluster, pieces, what);
            }
        }
    }
}

} // namespace
} // namespace overlap::test
