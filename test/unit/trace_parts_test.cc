// The parts of a timeline that need no ranks: how far clocks are apart, what finds no room, the counters, the words, the
// text.
#include "observe/chrome_text.h"
#include "observe/clock_offset.h"
#include "observe/trace_counts.h"
#include "observe/event_store.h"
#include "observe/teller.h"

#include <gtest/gtest.h>

#include <stdexcept>

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

TraceProcess Process() {
    TraceProcess process;
    process.rank = 1;
    process.process = 5;
    process.host = "n\"1";
    process.node = 3;
    process.clock = ClockOffset{1000, 20};
    return process;
}

TEST(ClockOffsets, AreNeverFurtherOffThanTheirError) {
    for (const Nanoseconds ahead : {-5000, 0, 1, 123456789}) {
        for (const Nanoseconds there : {0, 1, 30, 999}) {
            for (const Nanoseconds back : {0, 1, 31, 5000}) {
                const Ping ping{1000, 1000 + there + ahead, 1000 + there + back};

                const ClockOffset known = OffsetOf(ping);

                EXPECT_LE(std::abs(known.ahead - ahead), known.error) << there << " there, " << back << " back";
                EXPECT_LE(known.error, (there + back + 1) / 2);
            }
        }
    }
}

TEST(ClockOffsets, TheShortestRoundTripCounts) {
    ClockOffset known{0, ClockOffset::kUnknown};
    known = Better(known, Ping{0, 100, 50});
    known = Better(known, Ping{1000, 1090, 1010});
    known = Better(known, Ping{2000, 2500, 2900});

    EXPECT_EQ(known.ahead, 85);
    EXPECT_EQ(known.error, 5);
}

TEST(EventStore, WhatFindsNoRoomIsCounted) {
    EventStore store(4 * static_cast<ByteCount>(sizeof(Event)) + 1);
    EXPECT_FALSE(store.HasLittleRoom());
    for (int i = 0; i < 5; ++i) {
        store.Add(Operation(EventKind::kWrite, 0, i, i + 1, 10));
    }

    EXPECT_TRUE(store.HasLittleRoom());
    ASSERT_EQ(store.events().size(), 3U);
    EXPECT_EQ(store.events().back().begin, 2);
    EXPECT_EQ(store.dropped(), 2);
    store.AddCall(Operation(EventKind::kWriteCall, 0, 0, 5, 0)); // has its place
    ASSERT_EQ(store.events().size(), 4U);
    EXPECT_EQ(store.events().back().kind, EventKind::kWriteCall);
    store.AddCall(Event());
    EXPECT_EQ(store.dropped(), 3);
    store.Clear();
    EXPECT_TRUE(store.events().empty());
    EXPECT_EQ(store.dropped(), 0);
}

TEST(EventStore, HasRoomForOneEventAtLeast) {
    EventStore store(0);
    store.AddCall(Event());
    EXPECT_EQ(store.events().size(), 1U);
}

std::vector<std::pair<Nanoseconds, std::int64_t>> Pairs(const std::vector<Count> &counts) {
    std::vector<std::pair<Nanoseconds, std::int64_t>> pairs;
    for (const Count &count : counts) {
        pairs.emplace_back(count.at, count.value);
    }
    return pairs;
}

TEST(TraceCounts, SubBuffersAreDirtyFromTheEndOfTheShuffleToThatOfTheWrite) {
    const std::vector<Event> events = {
        Operation(EventKind::kShuffle, 0, 0, 10, 100), Operation(EventKind::kShuffle, 1, 5, 20, 200),
        Operation(EventKind::kWrite, 0, 12, 25, 100), Operation(EventKind::kWrite, 1, 20, 40, 200)};

    const Counts counts = CountsOf(events);

    using Expected = std::vector<std::pair<Nanoseconds, std::int64_t>>;
    EXPECT_EQ(Pairs(counts.dirty_sub_buffers), (Expected{{10, 1}, {20, 2}, {25, 1}, {40, 0}}));
    EXPECT_EQ(Pairs(counts.bytes_under_way),
              (Expected{{0, 100}, {5, 300}, {10, 200}, {12, 300}, {20, 300}, {25, 200}, {40, 0}}));
}

TEST(TraceCounts, OfReadsNothingIsDirtyAndMessagesAreNotCountedTwice) {
    std::vector<Event> events = {Operation(EventKind::kRead, 0, 0, 10, 100), Operation(EventKind::kSent, 0, 10, 10, 60),
                                 Operation(EventKind::kShuffle, 0, 10, 15, 60)};

    const Counts counts = CountsOf(events);

    EXPECT_TRUE(counts.dirty_sub_buffers.empty());
    EXPECT_EQ(counts.bytes_under_way.back().value, 0);
    EXPECT_EQ(counts.bytes_under_way[1].value, 60);
}

Words WordsOf(UnsizedMessage &message) { return Words(message.words(), message.words() + message.size()); }

TEST(Tellers, EventsArriveAsTheyWere) {
    for (const char *host : {"", "a", "host1234", "overlap-bench-1.example"}) {
        Teller told;
        told.process = 9;
        told.handle = 3;
        told.aggregates = true;
        told.slots = 4;
        told.dropped = 77;
        told.host = host;
        std::vector<Event> events = {Operation(EventKind::kWrite, 3, 11, 22, 33), Event()};
        UnsizedMessage message;
        PutEvents(told, events, message);

        Teller heard;
        std::vector<Event> arrived;
        TakeEvents(WordsOf(message), heard, arrived);

        EXPECT_EQ(heard.process, 9);
        EXPECT_EQ(heard.handle, 3);
        EXPECT_TRUE(heard.aggregates);
        EXPECT_EQ(heard.slots, 4);
        EXPECT_EQ(heard.dropped, 77);
        EXPECT_EQ(heard.host, host);
        ASSERT_EQ(arrived.size(), 2U);
        EXPECT_EQ(arrived[0].kind, EventKind::kWrite);
        EXPECT_EQ(arrived[0].end, 22);
        EXPECT_EQ(arrived[1].offset, -1);
    }
}

TEST(Tellers, WordsOfAnotherFormAreRefused) {
    Teller told;
    told.host = "host";
    UnsizedMessage message;
    PutEvents(told, {Event(), Event()}, message);
    const Words words = WordsOf(message);
    for (std::size_t length = 0; length < words.size(); ++length) {
        Words shorter(words.begin(), words.begin() + static_cast<std::ptrdiff_t>(length));
        Teller heard;
        std::vector<Event> events;
        const std::size_t behind_header = length < 7 ? 1 : length - 7;
        if (behind_header % kWordsOfAnEvent == 0) {
            EXPECT_NO_THROW(TakeEvents(shorter, heard, events)) << length;
        } else {
            EXPECT_THROW(TakeEvents(shorter, heard, events), std::invalid_argument) << length;
        }
    }
}

TEST(EscapeJson, LeavesNothingThatAParserWouldRefuse) {
    EXPECT_EQ(EscapeJson("a/b.dat"), "a/b.dat");
    EXPECT_EQ(EscapeJson("\"\\\n\x01"), "\\\"\\\\\\u000a\\u0001");
    EXPECT_EQ(EscapeJson("\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80"), "\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80");
    for (const char *wrong : {"\xff", "\xc3", "\xc0\x80", "\xed\xa0\x80", "\xf4\x90\x80\x80"}) {
        const std::string escaped = EscapeJson(wrong);
        EXPECT_EQ(escaped.substr(0, 3), "\xef\xbf\xbd");
        EXPECT_EQ(escaped.size(), 3 * std::string(wrong).size());
    }
}

TEST(ChromeText, ASliceHasItsTimeByTheClockOfTheWriter) {
    ChromeText text("f", "0.1");
    Event event = Operation(EventKind::kWrite, 2, 5000, 7250, 4096);
    event.offset = 8192;
    text.Add(Process(), event);

    EXPECT_EQ(text.text(), "{\"ph\":\"X\",\"name\":\"write\",\"pid\":5,\"tid\":3,\"ts\":4.000,\"dur\":2.250,"
                           "\"args\":{\"call\":2,\"cycle\":7,\"bytes\":4096,\"offset\":8192}},\n");
}

TEST(ChromeText, TimesBeforeThatOfTheWriterAreNegative) {
    ChromeText text("f", "0.1");
    text.Add(Process(), Operation(EventKind::kWrite, 2, 1, 2, 4096));

    EXPECT_NE(text.text().find("\"ts\":-1.000,"), std::string::npos) << text.text();
}

// What begins where another one ends has to do so in double precision as well, after 400 days.
TEST(ChromeText, TimesAddUpInDoublePrecision) {
    for (Nanoseconds begin = 34'560'000'000'000'123; begin < 34'560'000'000'000'123 + 20000; begin += 377) {
        ChromeText text("f", "0.1");
        text.Add(Process(), Operation(EventKind::kWrite, 2, begin, begin + 5003, 1));
        text.Add(Process(), Operation(EventKind::kWrite, 2, begin + 5003, begin + 9000, 1));
        const auto number = [&](const char *key, std::size_t from) {
            return std::stod(text.text().substr(text.text().find(key, from) + std::string(key).size()));
        };
        const std::size_t second = text.text().find('\n');

        EXPECT_EQ(number("\"ts\":", 0) + number("\"dur\":", 0), number("\"ts\":", second)) << text.text();
    }
}

TEST(ChromeText, BothEndsOfAMessageHaveOneId) {
    ChromeText text("f", "0.1");
    TraceProcess sender = Process();
    sender.rank = 4;
    TraceProcess receiver = Process();
    receiver.rank = 2;
    Event sent = Operation(EventKind::kSent, 1, 10, 10, 64);
    sent.peer = 2;
    sent.domain = 6;
    Event received = sent;
    received.kind = EventKind::kReceived;
    received.peer = 4;
    text.Add(sender, sent);
    text.Add(receiver, received);

    const std::string id = "\"id\":\"0.1.2.7.6.4.2\"";
    const std::size_t first = text.text().find(id);
    ASSERT_NE(first, std::string::npos) << text.text();
    EXPECT_NE(text.text().find(id, first + 1), std::string::npos) << text.text();
    EXPECT_EQ(text.text().find("{\"ph\":\"s\""), 0U);
    EXPECT_NE(text.text().find("{\"ph\":\"f\""), std::string::npos);
}

TEST(ChromeText, FilesThatAreOpenAtATimeHaveTracksOfTheirOwn) {
    ChromeText text("f", "0.1");
    TraceProcess process = Process();
    process.handle = 1;
    text.Add(process, Operation(EventKind::kWrite, 0, 0, 1, 1));
    text.Describe(process, 2);

    EXPECT_NE(text.text().find("\"tid\":18,\"ts\""), std::string::npos) << text.text();
    EXPECT_NE(text.text().find("\"file 1, sub-buffer 1\""), std::string::npos) << text.text();
    EXPECT_NE(text.text().find("\"rank 5 on n\\\"1\""), std::string::npos) << text.text();
}

} // namespace
} // namespace overlap::test
