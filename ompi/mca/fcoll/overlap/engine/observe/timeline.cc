// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "timeline.h"

#include "../placement/gather.h"
#include "../team/team.h"

#include <algorithm>
#include <array>

namespace overlap {
namespace {

// All ranks wait while their events become text, and while rank 0 writes it.
constexpr double kSecondsBetweenCollections = 1;

constexpr int kPings = 8; // of each node, to compare clocks

// Rank 0 writes the text of ranks as soon as it has so much.
constexpr std::size_t kLongText = std::size_t{1} << 20;

TracedProcess ProcessOf(const Team &team, const overlap_host &host) {
    const overlap_trace_names &names = host.trace_names;
    TracedProcess process;
    process.process = names.process;
    process.handle = names.handle;
    process.file = names.file;
    process.host = team.transport().host;
    process.opened = (std::int64_t{names.process} << 32) + names.number;
    process.rank = team.rank();
    process.node = team.node_map().NodeOf(team.rank());
    return process;
}

// From changes to values.
void SumUp(Counter &counter) {
    std::int64_t sum = 0;
    for (auto &[at, value] : counter) {
        value = sum += value;
    }
}

} // namespace

Timeline::Timeline(const Team &team, const overlap_host &host, const overlap_settings &settings)
    : team_(team), host_(host), path_(settings.trace), process_(ProcessOf(team, host)), text_(process_),
      recorder_(team.rank(), settings.trace_bytes), messages_(team.transport()),
      clocks_(static_cast<std::size_t>(team.nodes())) {
    messages_.Reserve(2);
}

void Timeline::AfterCall() noexcept {
    const bool late = host_.seconds(host_.self) - collected_ >= kSecondsBetweenCollections;
    CollectWhere(late || recorder_.HasLittleRoom());
}

// Rank 0 hears any rank, so nobody may begin the next collection before it has ended this one.
void Timeline::CollectWhere(bool due) noexcept {
    Agreement agreement;
    agreement.Any(due);
    if (!agreement.Run(team_, Status()).ok() || !due) {
        return;
    }
    CompareClocks();
    // What is lost in what follows is missing in the timeline, no more.
    static_cast<void>(team_.Broadcast(clocks_.data(), clocks_.size() * sizeof(ClockOffset)));
    static_cast<void>(team_.Broadcast(&process_.opened, sizeof(process_.opened)));
    static_cast<void>(Guarded([&] { MakeText(); }));
    if (team_.rank() == 0) {
        HearAll();
    } else {
        Tell();
    }
    text_.Clear();
    recorder_.Clear();
    collected_ = host_.seconds(host_.self);
}

// Rank 0 asks the lowest rank of each other node for the time, one node after the other; the ranks of a node have one clock,
// as CLOCK_MONOTONIC is.
void Timeline::CompareClocks() noexcept {
    for (int node = 1; node < team_.nodes(); ++node) {
        const Rank leader = team_.node_map().FirstOf(node);
        if (team_.rank() == 0) {
            clocks_[static_cast<std::size_t>(node)] = Ask(leader);
        } else if (team_.rank() == leader) {
            Answer();
        }
    }
}

// A message that fails is as good as one that says nothing; the others still come.
ClockOffset Timeline::Ask(Rank leader) noexcept {
    ClockOffset known{0, ClockOffset::kUnknown};
    for (int i = 0; i < kPings; ++i) {
        const Nanoseconds asked = Now();
        Nanoseconds answered = 0;
        Status status = messages_.Send(leader, kTagClock, &asked, 1);
        status.Merge(messages_.Receive(leader, kTagClock, &answered, 1));
        status.Merge(messages_.Wait());
        known = status.ok() ? Better(known, asked, answered, Now()) : known;
    }
    return known;
}

void Timeline::Answer() noexcept {
    for (int i = 0; i < kPings; ++i) {
        Nanoseconds word = 0;
        static_cast<void>(messages_.Receive(0, kTagClock, &word, 1));
        static_cast<void>(messages_.Wait());
        word = Now();
        static_cast<void>(messages_.Send(0, kTagClock, &word, 1));
        static_cast<void>(messages_.Wait());
    }
}

// Events in the order in which they ended. Where clocks are measured again the process says so again.
void Timeline::MakeText() {
    const bool first = collected_ < 0;
    const int slots = process_.slots;
    const bool aggregated = process_.aggregates;
    process_.clock = clocks_[static_cast<std::size_t>(process_.node)];
    for (const Event &event : recorder_.events()) {
        process_.slots = std::max(process_.slots, event.slot + 1);
        process_.aggregates = process_.aggregates || (event.kind == EventKind::kFileAccess && event.slot >= 0);
    }
    if (first || slots < process_.slots || aggregated != process_.aggregates) {
        text_.Describe(team_.size());
    }
    if (first || process_.node != 0) {
        text_.DescribeClock();
    }
    for (const Event &event : recorder_.events()) {
        text_.Add(event);
    }
    const Counts counts = CountsOf(recorder_.events());
    for (const auto &[at, value] : counts.bytes_under_way) {
        text_.Count("bytes under way", at, value);
    }
    for (const auto &[at, value] : counts.dirty_sub_buffers) {
        text_.Count("dirty sub-buffers", at, value);
    }
    if (recorder_.dropped() > 0) {
        text_.SayDropped(recorder_.dropped(), recorder_.events().empty() ? 0 : recorder_.events().back().end);
    }
}

void Timeline::Tell() noexcept {
    UnsizedMessage message;
    const Status status = Guarded([&] { AppendText(message, text_.text()); });
    if (!status.ok()) {
        message.Fail(status);
    }
    static_cast<void>(team_.Tell(0, kTagTrace, message));
}

void Timeline::HearAll() noexcept {
    std::string text;
    static_cast<void>(Guarded([&] { text = text_.text(); }));
    Words words;
    for (Rank other = 1; other < team_.size(); ++other) {
        Rank rank = 0;
        if (team_.Hear(kTagTrace, words, rank).ok()) {
            static_cast<void>(Guarded([&] {
                const std::int64_t *at = words.data();
                text += TakeText(at);
            }));
        }
        if (text.size() >= kLongText) {
            Append(text);
            text.clear();
        }
    }
    Append(text);
}

void Timeline::Append(const std::string &text) noexcept {
    if (failed_ || text.empty()) {
        return;
    }
    const char *const reason = host_.append_trace(host_.self, path_, text.data(), text.size());
    failed_ = reason != nullptr;
    if (failed_) {
        std::string why;
        const Status status = Guarded([&] { why = std::string(path_) + ": " + reason; });
        host_.warn(host_.self, OVERLAP_WARNING_TRACE, status.ok() ? why.c_str() : path_);
    }
}

Counts CountsOf(const std::vector<Event> &events) {
    Counts counts;
    std::array<Nanoseconds, OVERLAP_SLOTS_MAX> filled{};
    for (const Event &event : events) {
        if (!event.IsOperation() || event.slot == Event::kNoSlot) {
            continue;
        }
        const auto slot = static_cast<std::size_t>(event.slot);
        if (event.bytes > 0) {
            counts.bytes_under_way[event.begin] += event.bytes;
            counts.bytes_under_way[event.end] -= event.bytes;
        }
        if (event.kind == EventKind::kShuffle) {
            filled[slot] = event.end;
        } else if (event.direction == OVERLAP_WRITE) {
            // The shuffle's event may have found no room.
            ++counts.dirty_sub_buffers[filled[slot] == 0 ? event.begin : filled[slot]];
            --counts.dirty_sub_buffers[event.end];
            filled[slot] = 0;
        }
    }
    SumUp(counts.bytes_under_way);
    SumUp(counts.dirty_sub_buffers);
    return counts;
}

} // namespace overlap
