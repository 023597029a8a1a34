// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "chrome_text.h"

#include "../base/settings.h"

#include <array>
#include <charconv>

namespace overlap {
namespace {

// Tracks of a file: that of the call, then one for each sub-buffer.
constexpr int kTracksOfAFile = 1 + OVERLAP_SLOTS_MAX;

int TrackOf(const TraceProcess &process, Slot slot) { return process.handle * kTracksOfAFile + 1 + slot; }

const char *NameOf(EventKind kind) {
    switch (kind) {
    case EventKind::kWriteCall:
        return "write call";
    case EventKind::kReadCall:
        return "read call";
    case EventKind::kEntry:
        return "wait at entry";
    case EventKind::kPlan:
        return "plan";
    case EventKind::kCopy:
        return "copy";
    case EventKind::kWaitShuffle:
        return "wait for shuffle";
    case EventKind::kWaitWrite:
        return "wait for write";
    case EventKind::kWaitRead:
        return "wait for read";
    case EventKind::kFinish:
        return "agree";
    case EventKind::kShuffle:
        return "shuffle";
    case EventKind::kWrite:
        return "write";
    case EventKind::kRead:
        return "read";
    case EventKind::kSent:
    case EventKind::kReceived:
        break;
    }
    return "message";
}

template <typename Integer> void Append(std::string &text, Integer value) {
    std::array<char, 24> digits;
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr;
    text.append(digits.data(), end);
}

// In microseconds, as the format asks for.
void AppendMicroseconds(std::string &text, Nanoseconds time) {
    if (time < 0) {
        text += '-';
        time = -time;
    }
    Append(text, time / 1000);
    const auto rest = static_cast<int>(time % 1000);
    text += '.';
    for (const int digit : {rest / 100, rest / 10 % 10, rest % 10}) {
        text += static_cast<char>('0' + digit);
    }
}

// The bytes of the character of UTF-8 that begins at `at`; 0 where there is none.
std::size_t LengthOfCharacter(std::string_view text, std::size_t at) {
    const auto first = static_cast<unsigned char>(text[at]);
    const std::size_t length = first < 0x80                    ? 1
                               : first >= 0xc2 && first < 0xe0 ? 2
                               : first >= 0xe0 && first < 0xf0 ? 3
                               : first >= 0xf0 && first < 0xf5 ? 4
                                                               : 0;
    if (length == 0 || at + length > text.size()) {
        return 0;
    }
    for (std::size_t i = 1; i < length; ++i) {
        if ((static_cast<unsigned char>(text[at + i]) & 0xc0) != 0x80) {
            return 0;
        }
    }
    // Longer forms than needed, surrogates, and what lies behind the last character.
    const auto second = static_cast<unsigned char>(length > 1 ? text[at + 1] : 0);
    const bool wrong = (first == 0xe0 && second < 0xa0) || (first == 0xed && second >= 0xa0) ||
                       (first == 0xf0 && second < 0x90) || (first == 0xf4 && second >= 0x90);
    return wrong ? 0 : length;
}

} // namespace

std::string EscapeJson(std::string_view text) {
    constexpr std::string_view kHex = "0123456789abcdef";
    std::string escaped;
    for (std::size_t at = 0; at < text.size();) {
        const char first = text[at];
        const std::size_t length = LengthOfCharacter(text, at);
        if (first == '"' || first == '\\') {
            escaped += '\\';
            escaped += first;
        } else if (length == 0) {
            escaped += "\xef\xbf\xbd";
        } else if (static_cast<unsigned char>(first) < 0x20) {
            escaped += "\\u00";
            escaped += kHex[static_cast<unsigned char>(first) >> 4];
            escaped += kHex[static_cast<unsigned char>(first) & 15];
        } else {
            escaped += text.substr(at, length);
        }
        at += length == 0 ? 1 : length;
    }
    return escaped;
}

void ChromeText::Open(const char *phase, std::string_view name, const TraceProcess &process, int track) {
    DropUnfinished();
    text_ += "{\"ph\":\"";
    text_ += phase;
    text_ += "\",\"name\":\"";
    text_ += name;
    text_ += "\",\"pid\":";
    Append(text_, process.process);
    text_ += ",\"tid\":";
    Append(text_, track);
}

// Eighths of a microsecond, so that what viewers add up in double precision is exact, and what begins where another slice
// ends is not taken to lie in it.
Nanoseconds ChromeText::TimeOf(const TraceProcess &process, Nanoseconds time) {
    return RoundDown(time - process.clock.ahead, kResolution);
}

void ChromeText::Time(const char *key, Nanoseconds time) {
    text_ += ",\"";
    text_ += key;
    text_ += "\":";
    AppendMicroseconds(text_, time);
}

void ChromeText::Number(const char *key, std::int64_t value) {
    text_ += '"';
    text_ += key;
    text_ += "\":";
    Append(text_, value);
}

void ChromeText::Text(const char *key, std::string_view value) {
    text_ += '"';
    text_ += key;
    text_ += "\":\"";
    text_ += EscapeJson(value);
    text_ += '"';
}

void ChromeText::Describe(const TraceProcess &process, int slots) {
    const auto describe = [&](const char *what, int track, const char *key, auto value) {
        Open("M", what, process, track);
        text_ += ",\"args\":{";
        if constexpr (std::is_integral_v<decltype(value)>) {
            Number(key, value);
        } else {
            Text(key, value);
        }
        text_ += '}';
        Close();
    };
    const std::string rank = "rank " + std::to_string(process.process) + " on " + process.host;
    describe("process_name", 0, "name", process.aggregates ? rank + ", aggregator" : rank);
    describe("process_sort_index", 0, "sort_index", process.sort_index);
    const std::string file = process.handle == 0 ? "" : "file " + std::to_string(process.handle) + ", ";
    for (Slot slot = Event::kNoSlot; slot < slots; ++slot) {
        const int track = TrackOf(process, slot);
        describe("thread_name", track, "name", file + (slot < 0 ? "call" : "sub-buffer " + std::to_string(slot)));
        describe("thread_sort_index", track, "sort_index", track);
    }
}

void ChromeText::DescribeClock(const TraceProcess &process) {
    Open("M", "clock", process, 0);
    text_ += ",\"args\":{";
    Number("node", process.node);
    text_ += ',';
    Text("host", process.host);
    text_ += ',';
    Number("ahead_ns", process.clock.ahead);
    text_ += ',';
    Number("error_ns", process.clock.error);
    text_ += '}';
    Close();
}

void ChromeText::Add(const TraceProcess &process, const Event &event) {
    if (event.IsMessage()) {
        AddMessage(process, event);
    } else {
        AddSlice(process, event);
    }
}

void ChromeText::AddSlice(const TraceProcess &process, const Event &event) {
    Open("X", NameOf(event.kind), process, TrackOf(process, event.slot));
    Time("ts", TimeOf(process, event.begin));
    Time("dur", TimeOf(process, event.end) - TimeOf(process, event.begin));
    text_ += ",\"args\":{";
    Number("call", event.call);
    if (event.cycle >= 0) {
        text_ += ',';
        Number("cycle", event.cycle);
    }
    if (event.IsOperation()) {
        text_ += ',';
        Number("bytes", event.bytes);
    }
    if (event.offset >= 0) {
        text_ += ',';
        Number("offset", event.offset);
    }
    if (event.IsCall()) {
        text_ += ',';
        Text("file", file_);
        text_ += ',';
        Text("opened", opened_);
    }
    text_ += '}';
    Close();
}

// Both ends have the same name, category and id.
void ChromeText::AddMessage(const TraceProcess &process, const Event &event) {
    const bool sent = event.kind == EventKind::kSent;
    Open(sent ? "s" : "f", NameOf(event.kind), process, TrackOf(process, event.slot));
    text_ += sent ? ",\"cat\":\"message\",\"id\":\"" : ",\"cat\":\"message\",\"bp\":\"e\",\"id\":\"";
    text_ += opened_;
    const Rank from = sent ? process.rank : event.peer;
    const Rank to = sent ? event.peer : process.rank;
    for (const std::int64_t part :
         {std::int64_t{event.call}, event.cycle, std::int64_t{event.domain}, std::int64_t{from}, std::int64_t{to}}) {
        text_ += '.';
        Append(text_, part);
    }
    text_ += '"';
    Time("ts", TimeOf(process, event.begin));
    text_ += ",\"args\":{";
    Number("bytes", event.bytes);
    text_ += '}';
    Close();
}

void ChromeText::Count(const TraceProcess &process, const char *counter, Nanoseconds at, std::int64_t value) {
    const std::string name =
        process.handle == 0 ? counter : std::string(counter) + ", file " + std::to_string(process.handle);
    Open("C", name, process, 0);
    Time("ts", TimeOf(process, at));
    text_ += ",\"args\":{";
    Number("value", value);
    text_ += '}';
    Close();
}

void ChromeText::SayDropped(const TraceProcess &process, std::int64_t events, Nanoseconds at) {
    Open("i", "events dropped", process, TrackOf(process, Event::kNoSlot));
    text_ += ",\"s\":\"p\"";
    Time("ts", TimeOf(process, at));
    text_ += ",\"args\":{";
    Number("events", events);
    text_ += '}';
    Close();
}

} // namespace overlap
