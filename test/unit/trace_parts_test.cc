// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// The parts of a timeline that need no ranks: how far clocks are apart, what finds no room, the counters, the text.
#include "observe/timeline.h"

#include <gtest/gtest.h>

namespace overlap::test {
namespace {

Event Operation(EventKind kind, Slot slot, Nanoseconds begin, Nanoseconds end, ByteCount bytes) {
    Event event;
    event.kind = kind;
    event.slot = slot;
    event.begin = begin;
    event.end = end;
    event.bytes = bytes;
    event.cycle = 7;
    event.call = 2;
    return event;
}

TracedProcess Process() {
    TracedProcess process;
    process.rank = 1;
    process.process = 5;
    process.host = "n\"1";
    process.node = 3;
    process.opened = 1;
    process.clock = ClockOffset{1000, 20};
    return process;
}

// What is shown of an event of this process.
std::string TextOf(const TracedProcess &process, const Event &event) {
    ChromeText text(process);
    text.Add(event);
    return text.text();
}

TEST(ClockOffsets, AreNeverFurtherOffThanTheirError) {
    for (const Nanoseconds ahead : {-5000, 0, 1, 123456789}) {
        for (const Nanoseconds there : {0, 1, 30, 999}) {
            for (const Nanoseconds back : {0, 1, 31, 5000}) {
                const ClockOffset known =
                    Better(ClockOffset{0, ClockOffset::kUnknown}, 1000, 1000 + there + ahead, 1000 + there + back);

                EXPECT_LE(std::abs(known.ahead - ahead), known.error) << there << " there, " << back << " back";
                EXPECT_LE(known.error, (there + back + 1) / 2);
            }
        }
    }
}

TEST(ClockOffsets, TheShortestRoundTripCounts) {
    ClockOffset known{0, ClockOffset::kUnknown};
    known = Better(known, 0, 100, 50);
    known = Better(known, 1000, 1090, 1010);
    known = Better(known, 2000, 2500, 2900);

    EXPECT_EQ(known.ahead, 85);
    EXPECT_EQ(known.error, 5);
}

TEST(TraceCounts, SubBuffersAreDirtyFromTheEndOfTheShuffleToThatOfTheWrite) {
    const std::vector<Event> events = {
        Operation(EventKind::kShuffle, 0, 0, 10, 100), Operation(EventKind::kShuffle, 1, 5, 20, 200),
        Operation(EventKind::kFileAccess, 0, 12, 25, 100), Operation(EventKind::kFileAccess, 1, 20, 40, 200)};

    const Counts counts = CountsOf(events);

    EXPECT_EQ(counts.dirty_sub_buffers, (Counter{{10, 1}, {20, 2}, {25, 1}, {40, 0}}));
    EXPECT_EQ(counts.bytes_under_way, (Counter{{0, 100}, {5, 300}, {10, 200}, {12, 300}, {20, 300}, {25, 200}, {40, 0}}));
}

TEST(JsonText, LeavesNothingThatAParserWouldRefuse) {
    const auto quoted = [](const char *text) {
        JsonText json;
        json.AddText("", text);
        return json.text().substr(3);
    };
    EXPECT_EQ(quoted("a/b.dat"), "\"a/b.dat\"");
    EXPECT_EQ(quoted("\"\\\n\x01"), "\"\\\"\\\\\\u000a\\u0001\"");
    EXPECT_EQ(quoted("\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80"), "\"\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80\"");
    for (const char *wrong : {"\xff", "\xc3", "\xc0\x80", "\xed\xa0\x80", "\xf4\x90\x80\x80"}) {
        const std::string text = quoted(wrong);
        EXPECT_EQ(text.substr(0, 4), "\"\xef\xbf\xbd");
        EXPECT_EQ(text.size(), 3 * std::string(wrong).size() + 2);
    }
}

TEST(ChromeText, ASliceHasItsTimeByTheClockOfTheWriter) {
    Event event = Operation(EventKind::kFileAccess, 2, 5000, 7250, 4096);
    event.offset = 8192;

    EXPECT_EQ(TextOf(Process(), event), "{\"ph\":\"X\",\"name\":\"write\",\"pid\":5,\"tid\":3,\"ts\":4.000,\"dur\":2.250,"
                                        "\"args\":{\"call\":2,\"cycle\":7,\"bytes\":4096,\"offset\":8192}},\n");
    event = Operation(EventKind::kFileAccess, 2, 1, 2, 4096);
    event.direction = OVERLAP_READ;
    const std::string before = TextOf(Process(), event);
    EXPECT_NE(before.find("\"name\":\"read\",\"pid\":5,\"tid\":3,\"ts\":-1.000,"), std::string::npos) << before;
}

} // namespace
} // namespace overlap::test
