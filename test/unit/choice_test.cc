// What follows where a setting is left open, and that what is asked for is done to the letter.
#include "choose/choice.h"

#include <gtest/gtest.h>

namespace overlap::test {
namespace {

constexpr ByteCount kMiB = 1 << 20;

overlap_settings Open() {
    overlap_settings settings{};
    settings.algorithm = OVERLAP_ALGORITHM_AUTO;
    settings.slots = OVERLAP_SLOTS_AUTO;
    return settings;
}

overlap_file_facts File(ByteCount collective_buffer = 32 * kMiB) {
    overlap_file_facts facts{};
    facts.collective_buffer_size = collective_buffer;
    facts.block_size = 4096;
    return facts;
}

struct Chosen {
    overlap_algorithm algorithm;
    int slots;
    ByteCount sub_buffer;
};

void ExpectChoice(const overlap_settings &settings, const overlap_file_facts &facts, int nodes, const Chosen &expected,
                  const char *what) {
    const Choice choice = Choose(settings, facts, 8, nodes);
    EXPECT_EQ(choice.algorithm, expected.algorithm) << what;
    EXPECT_EQ(choice.slots, expected.slots) << what;
    EXPECT_EQ(choice.sub_buffer, expected.sub_buffer) << what;
}

TEST(Choice, FollowsTheNodesWhereNobodyAsks) {
    ExpectChoice(Open(), File(), 1, {OVERLAP_ALGORITHM_WRITE_COMM, 4, 2 * kMiB}, "one node");
    ExpectChoice(Open(), File(), 2, {OVERLAP_ALGORITHM_DATAFLOW, 8, 2 * kMiB}, "two nodes");

    overlap_settings ordered = Open();
    ordered.shuffle = OVERLAP_SHUFFLE_PUT_FENCE;
    ExpectChoice(ordered, File(), 2, {OVERLAP_ALGORITHM_WRITE_COMM, 4, 2 * kMiB}, "shuffles that complete in their order");
}

TEST(Choice, MoreSubBuffersMakeNoneSmaller) {
    ExpectChoice(Open(), File(16 * kMiB), 2, {OVERLAP_ALGORITHM_DATAFLOW, 8, 2 * kMiB}, "room for 8");
    ExpectChoice(Open(), File(16 * kMiB - 8), 2, {OVERLAP_ALGORITHM_DATAFLOW, 4, 2 * kMiB}, "room for less");

    overlap_file_facts asked = File(8 * kMiB);
    asked.collective_buffer_chosen = 1;
    ExpectChoice(Open(), asked, 2, {OVERLAP_ALGORITHM_DATAFLOW, 4, 2 * kMiB}, "a size that was asked for");
    overlap_file_facts striped = File();
    striped.stripe_size = kMiB;
    ExpectChoice(Open(), striped, 2, {OVERLAP_ALGORITHM_DATAFLOW, 4, 8 * kMiB}, "stripes, which get large writes");
}

TEST(Choice, IsWhatWasAskedFor) {
    for (const int nodes : {1, 4}) {
        for (int algorithm = OVERLAP_ALGORITHM_COMM; algorithm < OVERLAP_ALGORITHM_AUTO; ++algorithm) {
            overlap_settings settings = Open();
            settings.algorithm = static_cast<overlap_algorithm>(algorithm);
            for (const int slots : {2, 3, 16}) {
                settings.slots = slots;
                ExpectChoice(settings, File(), nodes, {settings.algorithm, slots, 2 * kMiB}, "both");
            }
        }
        overlap_settings slots = Open();
        slots.slots = 3;
        EXPECT_EQ(Choose(slots, File(), 8, nodes).slots, 3);
        overlap_settings none = Open();
        none.algorithm = OVERLAP_ALGORITHM_NONE;
        ExpectChoice(none, File(), nodes, {OVERLAP_ALGORITHM_NONE, 1, 2 * kMiB}, "none has one sub-buffer");
    }
}

} // namespace
} // namespace overlap::test
