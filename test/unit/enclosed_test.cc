// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// Small shares of a first call travel with their descriptions: how many messages that saves, which shares are small, and
// that every byte is where it belongs all the same.
#include "plan/exchange.h"
#include "team/messages.h"
#include "write_cases.h"

namespace overlap::test {
namespace {

// One domain, cut into cycles of `sub_buffer` bytes.
ClusterOptions OptionsOf(int ranks, std::int64_t sub_buffer, int aggregators = 1) {
    return OptionsFor(ranks, 2 * sub_buffer, aggregators, 2);
}

Pieces WithBytes(const std::vector<std::size_t> &bytes) {
    Pieces pieces(bytes.size());
    std::int64_t at = 0;
    for (std::size_t rank = 0; rank < bytes.size(); ++rank) {
        pieces[rank].file_blocks = {Block(0, bytes[rank])};
        pieces[rank].file_extent = static_cast<std::int64_t>(bytes[rank]);
        pieces[rank].origin = at;
        pieces[rank].bytes = bytes[rank];
        FillMemory(pieces[rank], bytes[rank], static_cast<unsigned>(rank));
        at += pieces[rank].file_extent;
    }
    return pieces;
}

int DataMessages(const ClusterOptions &options, const overlap_settings &settings, const Pieces &pieces, int calls,
                 const std::string &what) {
    FakeCluster cluster(options);
    ExpectWritten(cluster, settings, pieces, what, calls);
    return cluster.MessagesSent(kTagData, kTagData);
}

TEST(Enclosed, OnlyCallsThatRepeatThePlanSendData) {
    for (const overlap_algorithm algorithm : kAlgorithms) {
        const Pieces pieces = Interleaved(5, 6, 4);
        EXPECT_EQ(DataMessages(OptionsOf(5, 200), SettingsOf(algorithm), pieces, 1, "one call"), 0);
        EXPECT_EQ(DataMessages(OptionsOf(5, 200), SettingsOf(algorithm), pieces, 3, "three calls"), 2 * 4);
        // Cycles of 64 bytes end within the share of rank 1.
        EXPECT_EQ(DataMessages(OptionsOf(3, 64), SettingsOf(algorithm), WithBytes({100, 30, 30}), 1, "two cycles"), 0);
    }
}

// Of an aggregator's 240 bytes three clients may have a third each.
TEST(Enclosed, AShareThatIsMoreThanItsPartOrAKiBTravelsByItself) {
    for (const auto &[most, sub_buffer] : {std::pair(std::size_t{80}, 240), std::pair(std::size_t{1024}, 1 << 16)}) {
        for (const std::size_t bytes : {most - 1, most, most + 1}) {
            const int messages = DataMessages(OptionsOf(4, sub_buffer), SettingsOf(OVERLAP_ALGORITHM_WRITE_COMM),
                                              WithBytes({40, 5, bytes, 5}), 1, "");
            EXPECT_EQ(messages, bytes <= most ? 0 : 1) << bytes;
        }
    }
}

// Where one share is enclosed and another one of the same rank or domain is not, and those span several cycles.
TEST(Enclosed, SomeOfTheSharesOfADomain) {
    for (const overlap_algorithm algorithm : kAlgorithms) {
        for (const int throttle : {1, 64}) {
            for (const int aggregators : {1, 2, 3}) {
                overlap_settings settings = SettingsOf(algorithm, 3);
                settings.throttle = throttle;
                const std::string what = std::to_string(aggregators) + " aggregators, throttle " + std::to_string(throttle) +
                                         ", " + overlap_algorithm_names[algorithm];
                const Pieces pieces = WithBytes({1, 100, 2, 40, 3, 0, 60, 1, 1});
                const int messages = DataMessages(OptionsOf(9, 60, aggregators), settings, pieces, 1, what);
                EXPECT_GT(messages, 0) << what;
                EXPECT_LT(messages, DataMessages(OptionsOf(9, 60, aggregators), settings, pieces, 2, what) / 2) << what;
            }
        }
    }
}

// A message is one message with the bytes and without: the description of 450 pieces of one byte fills most of it.
TEST(Enclosed, WhatMakesAMessageLongerTravelsByItself) {
    for (const std::size_t count : {std::size_t{60}, std::size_t{450}}) {
        Pieces pieces = WithBytes({10, count, 10});
        std::mt19937 random(1);
        pieces[1].file_blocks.clear();
        std::int64_t at = 100;
        for (std::size_t i = 0; i < count; ++i) {
            pieces[1].file_blocks.push_back(Block(at, 1));
            at += Pick(random, 2, 1 << 20);
        }
        pieces[1].file_extent = at;
        FakeCluster cluster(OptionsOf(3, 1 << 16));
        ExpectWritten(cluster, SettingsOf(OVERLAP_ALGORITHM_NONE), pieces, "");
        EXPECT_EQ(cluster.MessagesSent(kTagData, kTagData), count < 100 ? 0 : 1);
        EXPECT_EQ(cluster.MessagesSent(kTagShareRest, kTagShareRest), 0) << "its description alone is longer";
    }
}

// What lies on a device would have to be waited for.
TEST(Enclosed, NothingOfADeviceAndNothingWhereBytesArePut) {
    Pieces pieces = Interleaved(6, 5, 7);
    pieces[2].on_device = pieces[5].on_device = true;
    EXPECT_EQ(DataMessages(OptionsOf(6, 300), SettingsOf(OVERLAP_ALGORITHM_WRITE_COMM), pieces, 1, ""), 2);
    pieces[2].on_device = pieces[5].on_device = false;
    for (const overlap_shuffle shuffle : {OVERLAP_SHUFFLE_PUT_FENCE, OVERLAP_SHUFFLE_PUT_LOCK}) {
        overlap_settings settings = SettingsOf(OVERLAP_ALGORITHM_WRITE_COMM);
        settings.shuffle = shuffle;
        settings.window_threshold = 1 << 30; // so that messages serve
        EXPECT_EQ(DataMessages(OptionsOf(6, 300), settings, pieces, 1, ""), 5);
    }
}

} // namespace
} // namespace overlap::test
