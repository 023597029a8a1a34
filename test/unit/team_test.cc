// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// UnsizedMessages: words whose number the receiver does not know, from a rank that may lack the memory for them to one that
// may.
#include "write_cases.h"

#include "team/team.h"

namespace overlap::test {
namespace {

constexpr std::size_t kLengths[] = {
    0, 1, 253, 254, 255, 5000, UnsizedMessage::kPartWords, 3 * UnsizedMessage::kPartWords + 17};

Words Counting(std::size_t length) {
    Words words(length);
    std::iota(words.begin(), words.end(), 1);
    return words;
}

void Tell(const Team &team, const Words &words) {
    UnsizedMessage message;
    message.Add(words.data(), words.size());
    EXPECT_EQ(message.size(), words.size());
    EXPECT_TRUE(team.Tell(0, kTagRow, message).ok());
}

void ExpectHeard(const Team &team, int error, const Words &words) {
    Words heard;
    Rank source = -1;
    EXPECT_EQ(team.Hear(kTagRow, heard, source).error(), error);
    EXPECT_EQ(heard, words);
    EXPECT_EQ(source, 1);
}

TEST(UnsizedMessages, OfEveryLengthArriveInTheirOrder) {
    FakeCluster cluster(OptionsFor(2));
    cluster.Run([](FakeRank &rank) {
        const Team team(rank.transport);
        for (const std::size_t length : kLengths) {
            if (rank.rank() == 1) {
                Tell(team, Counting(length));
            } else {
                ExpectHeard(team, OVERLAP_SUCCESS, Counting(length));
            }
        }
    });
    EXPECT_EQ(cluster.Leftovers(), "");
}

TEST(UnsizedMessages, WithoutMemoryForTheirWordsSayWhy) {
    FakeCluster cluster(OptionsFor(2));
    cluster.Run([](FakeRank &rank) {
        const Team team(rank.transport);
        if (rank.rank() == 1) {
            UnsizedMessage message;
            message.Add({1, 2, 3});
            message.Fail(Status(OVERLAP_ERR_QUOTA));
            EXPECT_EQ(message.Parts(), 1U);
            EXPECT_TRUE(team.Tell(0, kTagRow, message).ok());
        } else {
            ExpectHeard(team, OVERLAP_ERR_QUOTA, Words());
        }
    });
    EXPECT_EQ(cluster.Leftovers(), "");
}

TEST(UnsizedMessages, AreTakenToTheirEndByARankWithoutMemoryAndTheNextOneIsHeard) {
    FakeCluster cluster(OptionsFor(2));
    cluster.Arm({Failure{Failure::kMemory, 0, 0}});
    cluster.Run([](FakeRank &rank) {
        const Team team(rank.transport);
        const Words words = Counting(2 * UnsizedMessage::kPartWords);
        if (rank.rank() == 1) {
            Tell(team, words);
            Tell(team, words);
        } else {
            rank.Count(true);
            ExpectHeard(team, OVERLAP_ERR_NO_MEM, Words());
            rank.Count(false);
            ExpectHeard(team, OVERLAP_SUCCESS, words);
        }
    });
    EXPECT_EQ(cluster.Leftovers(), "");
}

// Its receiver knows of the rest, which has to come.
TEST(UnsizedMessages, TravelToTheirEndWhereTheWaitForAPartFails) {
    const Words words = Counting(2 * UnsizedMessage::kPartWords);
    for (std::int64_t part = 0; part < 3; ++part) {
        FakeCluster cluster(OptionsFor(2));
        cluster.Arm({Failure{Failure::kWait, 1, part}});
        cluster.Run([&](FakeRank &rank) {
            const Team team(rank.transport);
            if (rank.rank() == 1) {
                UnsizedMessage message;
                message.Add(words.data(), words.size());
                rank.Count(true);
                EXPECT_EQ(team.Tell(0, kTagRow, message).error(), OVERLAP_ERR_OTHER);
                rank.Count(false);
                EXPECT_TRUE(team.Tell(0, kTagRow, message).ok());
                return;
            }
            for (int i = 0; i < 2; ++i) {
                ExpectHeard(team, OVERLAP_SUCCESS, words);
            }
        });
        EXPECT_EQ(cluster.Failed(), 1);
        EXPECT_EQ(cluster.Leftovers(), "");
    }
}

constexpr std::int64_t kLeast = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();

TEST(Agreement, IsOnTheLargestOrSmallestOfEachValueAndTheMostSevereError) {
    FakeCluster cluster(OptionsFor(3));
    cluster.Run([](FakeRank &rank) {
        const Team team(rank.transport);
        const int own = rank.rank();
        std::int64_t most = own, least = -own, lowest = own == 1 ? kLeast : kMost, none = Agreement::kNoMinimum;
        bool any = own == 2, all = own != 2, nobody = false, everybody = true;
        Words values(2 + Agreement::kMost + 1);
        values[0] = own;
        values[1] = -own;
        Agreement agreement;
        agreement.Max(most);
        agreement.Min(least);
        agreement.Min(lowest);
        agreement.Min(none);
        agreement.Any(any);
        agreement.All(all);
        agreement.Any(nobody);
        agreement.All(everybody);
        const Status local(own == 1 ? OVERLAP_ERR_IO : OVERLAP_SUCCESS);

        EXPECT_EQ(agreement.Run(team, local, values.data(), 2).error(), OVERLAP_ERR_IO);

        EXPECT_EQ(most, 2);
        EXPECT_EQ(least, -2);
        EXPECT_EQ(lowest, kLeast);
        EXPECT_EQ(none, Agreement::kNoMinimum);
        EXPECT_TRUE(any && !all && !nobody && everybody);
        EXPECT_EQ(values[0], 2);
        EXPECT_EQ(values[1], 0);
    });
}

TEST(Agreement, LeavesValuesAsTheyAreWhereTheTransportFails) {
    FakeCluster cluster(OptionsFor(1));
    Failure failure{Failure::kAllreduce, 0, 0};
    failure.lasting = true;
    cluster.Arm({failure});
    cluster.Run([](FakeRank &rank) {
        const Team team(rank.transport);
        std::int64_t most = 7, least = kLeast;
        bool any = true;
        Agreement agreement;
        agreement.Max(most);
        agreement.Min(least);
        agreement.Any(any);
        rank.Count(true);
        EXPECT_FALSE(agreement.Run(team, Status()).ok());
        rank.Count(false);
        EXPECT_EQ(most, 7);
        EXPECT_EQ(least, kLeast);
        EXPECT_TRUE(any);
    });
}

// A transport whose first test of a list says that one of its messages has failed while another is under way.
struct FailsFirst {
    static int Send(void * /*self*/, int /*peer*/, int /*tag*/, overlap_send_mode /*mode*/, const overlap_piece * /*pieces*/,
                    std::size_t /*count*/, overlap_request ** /*request*/) {
        return OVERLAP_SUCCESS;
    }
    static int Test(void *self, overlap_request ** /*requests*/, std::size_t /*count*/, int *done) {
        *done = static_cast<FailsFirst *>(self)->tests++;
        return *done == 0 ? OVERLAP_ERR_IO : OVERLAP_SUCCESS;
    }
    static int Wait(void * /*self*/, overlap_request ** /*requests*/, std::size_t /*count*/) { return OVERLAP_SUCCESS; }
    int tests = 0;
};

TEST(Messages, TellAnErrorThatATestFoundWhenTheLastOneIsComplete) {
    for (const bool waits : {false, true}) {
        FailsFirst fails;
        overlap_transport transport{};
        transport.self = &fails;
        transport.send = FailsFirst::Send;
        transport.test = FailsFirst::Test;
        transport.wait = FailsFirst::Wait;
        Messages messages(transport);
        messages.Reserve(2);
        const std::int64_t word = 0;
        EXPECT_TRUE(messages.Send(1, kTagRow, &word, 1).ok());
        EXPECT_TRUE(messages.Send(2, kTagRow, &word, 1).ok());
        bool done = true;
        EXPECT_TRUE(messages.Test(done).ok());
        EXPECT_FALSE(done);
        EXPECT_EQ((waits ? messages.Wait() : messages.Test(done)).error(), OVERLAP_ERR_IO);
        EXPECT_TRUE(messages.Wait().ok()) << "once";
    }
}

TEST(Team, AReductionThatIsBegunAgainBeginsWithTheValuesOfItsFirstTry) {
    static thread_local int (*reduce)(void *, std::int64_t *, std::size_t, overlap_reduction);
    static thread_local bool failed;
    FakeCluster cluster(OptionsFor(2));
    cluster.Run([](FakeRank &rank) {
        reduce = rank.transport.allreduce;
        failed = rank.rank() == 0;
        rank.transport.allreduce = [](void *self, std::int64_t *values, std::size_t count, overlap_reduction reduction) {
            if (!std::exchange(failed, true)) {
                std::fill_n(values, count, 99);
                return static_cast<int>(OVERLAP_ERR_OTHER);
            }
            return reduce(self, values, count, reduction);
        };
        const Team team(rank.transport);
        std::vector<std::int64_t> values(UnsizedMessage::kPartWords + 5, rank.rank() + 1);
        EXPECT_TRUE(team.Reduce(values.data(), values.size(), OVERLAP_REDUCE_SUM).ok());
        EXPECT_EQ(values, std::vector<std::int64_t>(values.size(), 3));
    });
}

} // namespace
} // namespace overlap::test
