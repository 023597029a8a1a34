// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "chrome_text.h"

#include "../base/settings.h"

namespace overlap {
namespace {

// Tracks of a file: that of the call, then one for each sub-buffer.
constexpr int kTracksOfAFile = 1 + OVERLAP_SLOTS_MAX;

// In the order of EventKind.
constexpr const char *kNames[] = {"write call",     "read call",     "wait at entry", "plan",    "copy",  "wait for shuffle",
                                  "wait for write", "wait for read", "agree",         "shuffle", "write", "read",
                                  "message",        "message"};

const char *NameOf(const Event &event) { return kNames[static_cast<std::size_t>(event.kind)]; }

int TrackOf(const TracedProcess &process, Slot slot) { return process.handle * kTracksOfAFile + 1 + slot; }

Nanoseconds TimeOf(const TracedProcess &process, Nanoseconds time) {
    return RoundDown(time - process.clock.ahead, ChromeText::kResolution);
}

} // namespace

void ChromeText::Open(const char *phase, std::string_view name, const TracedProcess &process, int track) {
    object_.Clear();
    object_.Open('{');
    object_.AddText("ph", phase);
    object_.AddText("name", name);
    object_.Add("pid", process.process);
    object_.Add("tid", track);
}

// With its arguments, the last member.
void ChromeText::Close() {
    object_.Close('}');
    object_.Close('}');
    text_.reserve(text_.size() + object_.text().size() + 2);
    text_ += object_.text();
    text_ += ",\n";
}

// In microseconds, as the format asks for.
void ChromeText::AddTime(const char *key, Nanoseconds time) {
    const Nanoseconds size = time < 0 ? -time : time;
    std::string text = std::to_string(size / 1000) + std::to_string(1000 + size % 1000);
    text[text.size() - 4] = '.';
    object_.AddRaw(key, time < 0 ? "-" + text : text);
}

void ChromeText::Describe(const TracedProcess &process) {
    const auto name = [&](const char *what, int track, const std::string &text) {
        Open("M", what, process, track);
        object_.Open("args", '{');
        object_.AddText("name", text);
        Close();
    };
    const auto place = [&](const char *what, int track, std::int64_t index) {
        Open("M", what, process, track);
        object_.Open("args", '{');
        object_.Add("sort_index", index);
        Close();
    };
    const std::string rank = "rank " + std::to_string(process.process) + " on " + process.host;
    name("process_name", 0, process.aggregates != 0 ? rank + ", aggregator" : rank);
    place("process_sort_index", 0, process.sort_index);
    const std::string file = process.handle == 0 ? "" : "file " + std::to_string(process.handle) + ", ";
    for (Slot slot = Event::kNoSlot; slot < process.slots; ++slot) {
        const int track = TrackOf(process, slot);
        name("thread_name", track, file + (slot < 0 ? "call" : "sub-buffer " + std::to_string(slot)));
        place("thread_sort_index", track, track);
    }
}

void ChromeText::DescribeClock(const TracedProcess &process) {
    Open("M", "clock", process, 0);
    object_.Open("args", '{');
    object_.Add("node", process.node);
    object_.AddText("host", process.host);
    object_.Add("ahead_ns", process.clock.ahead);
    object_.Add("error_ns", process.clock.error);
    Close();
}

void ChromeText::Add(const TracedProcess &process, const Event &event) {
    if (event.IsMessage()) {
        AddMessage(process, event);
    } else {
        AddSlice(process, event);
    }
}

void ChromeText::AddSlice(const TracedProcess &process, const Event &event) {
    const Nanoseconds begin = TimeOf(process, event.begin);
    Open("X", NameOf(event), process, TrackOf(process, event.slot));
    AddTime("ts", begin);
    AddTime("dur", TimeOf(process, event.end) - begin);
    object_.Open("args", '{');
    object_.Add("call", event.call);
    if (event.cycle >= 0) {
        object_.Add("cycle", event.cycle);
    }
    if (event.IsOperation()) {
        object_.Add("bytes", event.bytes);
    }
    if (event.offset >= 0) {
        object_.Add("offset", event.offset);
    }
    if (event.IsCall()) {
        object_.AddText("file", file_);
        object_.AddText("opened", opened_);
    }
    Close();
}

// Both ends have the same name, category and id.
void ChromeText::AddMessage(const TracedProcess &process, const Event &event) {
    const bool sent = event.kind == EventKind::kSent;
    Open(sent ? "s" : "f", NameOf(event), process, TrackOf(process, event.slot));
    object_.AddText("cat", "message");
    if (!sent) {
        object_.AddText("bp", "e");
    }
    std::string id = opened_;
    const Rank from = sent ? process.rank : event.peer;
    const Rank to = sent ? event.peer : process.rank;
    for (const std::int64_t part :
         {std::int64_t{event.call}, event.cycle, std::int64_t{event.domain}, std::int64_t{from}, std::int64_t{to}}) {
        id += '.' + std::to_string(part);
    }
    object_.AddText("id", id);
    AddTime("ts", TimeOf(process, event.begin));
    object_.Open("args", '{');
    object_.Add("bytes", event.bytes);
    Close();
}

void ChromeText::Count(const TracedProcess &process, const char *counter, Nanoseconds at, std::int64_t value) {
    const std::string file = process.handle == 0 ? "" : ", file " + std::to_string(process.handle);
    Open("C", counter + file, process, 0);
    AddTime("ts", TimeOf(process, at));
    object_.Open("args", '{');
    object_.Add("value", value);
    Close();
}

void ChromeText::SayDropped(const TracedProcess &process, Nanoseconds at) {
    Open("i", "events dropped", process, TrackOf(process, Event::kNoSlot));
    object_.AddText("s", "p");
    AddTime("ts", TimeOf(process, at));
    object_.Open("args", '{');
    object_.Add("events", process.dropped);
    Close();
}

} // namespace overlap
