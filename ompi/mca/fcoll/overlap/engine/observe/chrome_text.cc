// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "chrome_text.h"

#include "../base/settings.h"

namespace overlap {
namespace {

// Tracks of a file: that of the call, then one for each sub-buffer.
constexpr int kTracksOfAFile = 1 + OVERLAP_SLOTS_MAX;

// By EventKind, of writes and of reads.
constexpr const char *kNames[][2] = {{"wait at entry", "wait at entry"},
                                     {"plan", "plan"},
                                     {"copy", "copy"},
                                     {"wait for shuffle", "wait for shuffle"},
                                     {"wait for write", "wait for read"},
                                     {"agree", "agree"},
                                     {"write call", "read call"},
                                     {"shuffle", "shuffle"},
                                     {"write", "read"},
                                     {"message", "message"},
                                     {"message", "message"}};

const char *NameOf(const Event &event) { return kNames[static_cast<std::size_t>(event.kind)][event.direction]; }

} // namespace

int ChromeText::TrackOf(Slot slot) const { return process_.handle * kTracksOfAFile + 1 + slot; }

Nanoseconds ChromeText::TimeOf(Nanoseconds time) const { return RoundDown(time - process_.clock.ahead, kResolution); }

void ChromeText::Open(const char *phase, std::string_view name, int track) {
    object_.Clear();
    object_.Open('{');
    object_.AddText("ph", phase);
    object_.AddText("name", name);
    object_.Add("pid", process_.process);
    object_.Add("tid", track);
}

// With its arguments, the last member.
void ChromeText::Close() {
    object_.Close('}');
    object_.Close('}');
    text_ += object_.text() + ",\n"; // all of it or, without memory, nothing
}

// In microseconds, as the format asks for.
void ChromeText::AddTime(const char *key, Nanoseconds time) {
    const Nanoseconds size = time < 0 ? -time : time;
    std::string text = std::to_string(size / 1000) + std::to_string(1000 + size % 1000);
    text[text.size() - 4] = '.';
    object_.AddRaw(key, time < 0 ? "-" + text : text);
}

void ChromeText::Describe(int ranks) {
    const auto describe = [&](const std::string &what, int track, const std::string &name, std::int64_t place) {
        Open("M", what + "_name", track);
        object_.Open("args", '{');
        object_.AddText("name", name);
        Close();
        Open("M", what + "_sort_index", track);
        object_.Open("args", '{');
        object_.Add("sort_index", place);
        Close();
    };
    const std::string rank = "rank " + std::to_string(process_.process) + " on " + process_.host;
    describe("process", 0, process_.aggregates ? rank + ", aggregator" : rank,
             std::int64_t{process_.aggregates ? process_.node : ranks + process_.node} * ranks + process_.rank);
    const std::string file = process_.handle == 0 ? "" : "file " + std::to_string(process_.handle) + ", ";
    for (Slot slot = Event::kNoSlot; slot < process_.slots; ++slot) {
        const int track = TrackOf(slot);
        describe("thread", track, file + (slot < 0 ? "call" : "sub-buffer " + std::to_string(slot)), track);
    }
}

void ChromeText::DescribeClock() {
    Open("M", "clock", 0);
    object_.Open("args", '{');
    object_.Add("node", process_.node);
    object_.AddText("host", process_.host);
    object_.Add("ahead_ns", process_.clock.ahead);
    object_.Add("error_ns", process_.clock.error);
    Close();
}

void ChromeText::Add(const Event &event) {
    if (event.IsMessage()) {
        AddMessage(event);
    } else {
        AddSlice(event);
    }
}

void ChromeText::AddSlice(const Event &event) {
    const Nanoseconds begin = TimeOf(event.begin);
    Open("X", NameOf(event), TrackOf(event.slot));
    AddTime("ts", begin);
    AddTime("dur", TimeOf(event.end) - begin);
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
    if (event.kind == EventKind::kCall) {
        object_.AddText("file", process_.file);
        object_.AddText("opened", std::to_string(process_.opened));
    }
    Close();
}

// Both ends have the same name, category and id.
void ChromeText::AddMessage(const Event &event) {
    const bool sent = event.kind == EventKind::kSent;
    Open(sent ? "s" : "f", NameOf(event), TrackOf(event.slot));
    object_.AddText("cat", "message");
    if (!sent) {
        object_.AddText("bp", "e");
    }
    std::string id = std::to_string(process_.opened);
    const Rank from = sent ? process_.rank : event.peer;
    const Rank to = sent ? event.peer : process_.rank;
    for (const std::int64_t part :
         {std::int64_t{event.call}, event.cycle, std::int64_t{event.domain}, std::int64_t{from}, std::int64_t{to}}) {
        id += '.' + std::to_string(part);
    }
    object_.AddText("id", id);
    AddTime("ts", TimeOf(event.begin));
    object_.Open("args", '{');
    object_.Add("bytes", event.bytes);
    Close();
}

void ChromeText::Count(const char *counter, Nanoseconds at, std::int64_t value) {
    const std::string file = process_.handle == 0 ? "" : ", file " + std::to_string(process_.handle);
    Open("C", counter + file, 0);
    AddTime("ts", TimeOf(at));
    object_.Open("args", '{');
    object_.Add("value", value);
    Close();
}

void ChromeText::SayDropped(std::int64_t events, Nanoseconds at) {
    Open("i", "events dropped", TrackOf(Event::kNoSlot));
    object_.AddText("s", "p");
    AddTime("ts", TimeOf(at));
    object_.Open("args", '{');
    object_.Add("events", events);
    Close();
}

} // namespace overlap
