// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "timeline.h"

#include "../base/guard.h"
#include "../team/team.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace overlap {
namespace {

// A collection is worth about as much time as its events take to be written as text, which all ranks wait for.
constexpr double kSecondsBetweenCollections = 1;

// What is kept of the text before it is written.
constexpr std::size_t kLongText = std::size_t{1} << 20;

template <typename Value> constexpr std::size_t WordsOf() {
    static_assert(std::is_trivially_copyable_v<Value> && sizeof(Value) % sizeof(std::int64_t) == 0);
    return sizeof(Value) / sizeof(std::int64_t);
}

overlap_trace_names NamesOf(const overlap_host &host) {
    overlap_trace_names names{};
    host.trace_names(host.self, &names);
    return names;
}

// From changes to values.
std::vector<Count> Summed(std::vector<Count> changes) {
    std::stable_sort(changes.begin(), changes.end(), [](const Count &a, const Count &b) { return a.at < b.at; });
    std::vector<Count> sums;
    std::int64_t value = 0;
    for (const Count &change : changes) {
        value += change.value;
        if (!sums.empty() && sums.back().at == change.at) {
            sums.back().value = value;
        } else {
            sums.push_back(Count{change.at, value});
        }
    }
    return sums;
}

} // namespace

Timeline::Timeline(const Team &team, const overlap_host &host, const overlap_settings &settings)
    : team_(team), host_(host), path_(settings.trace), names_(NamesOf(host)), recorder_(team.rank(), settings.trace_bytes),
      pings_(team, host), text_(names_.file, std::to_string(names_.process) + "." + std::to_string(names_.number)) {
    if (team.rank() != 0) {
        return;
    }
    const NodeMap &nodes = team.node_map();
    clocks_.resize(static_cast<std::size_t>(nodes.nodes()));
    places_.resize(static_cast<std::size_t>(team.size()));
    int next = 0;
    for (int node = 0; node < nodes.nodes(); ++node) {
        for (int i = 0; i < nodes.CountOf(node); ++i) {
            places_[static_cast<std::size_t>(nodes.RankOf(node, i))].order = next++;
        }
    }
}

void Timeline::AfterCall() noexcept {
    const bool late = host_.seconds(host_.self) - collected_ >= kSecondsBetweenCollections;
    CollectWhere(recorder_.calls() == 1 || late || recorder_.HasLittleRoom());
}

// Rank 0 hears any rank, so nobody may begin the next collection before it has ended this one.
void Timeline::CollectWhere(bool due) noexcept {
    if (given_up_) {
        recorder_.Clear();
        return;
    }
    given_up_ = failed_;
    Agreement agreement;
    agreement.Any(due);
    agreement.Any(given_up_);
    if (!agreement.Run(team_, Status()).ok() || !due) {
        return;
    }
    pings_.Exchange(clocks_);
    if (team_.rank() == 0) {
        HearAll();
    } else {
        Tell();
    }
    recorder_.Clear();
    collected_ = host_.seconds(host_.self);
}

TracedProcess Timeline::Own() const noexcept {
    TracedProcess process;
    process.process = names_.process;
    process.handle = names_.handle;
    process.slots = recorder_.slots();
    process.aggregates = recorder_.aggregates() ? 1 : 0;
    process.dropped = recorder_.dropped();
    std::strncpy(process.host, team_.transport().host, sizeof(process.host) - 1);
    return process;
}

void Timeline::Tell() noexcept {
    UnsizedMessage message;
    const Status status = Guarded([&] { PutEvents(Own(), recorder_.events(), message); });
    if (!status.ok()) {
        message.Fail(status);
    }
    static_cast<void>(team_.Tell(0, kTagTrace, message)); // what is lost there is missing in the timeline, no more
}

void Timeline::HearAll() noexcept {
    Status status = Guarded([&] { Write(0, Own(), recorder_.events()); });
    Words words;
    for (Rank heard = 1; heard < team_.size(); ++heard) {
        Rank rank = 0;
        status = team_.Hear(kTagTrace, words, rank);
        if (status.ok()) {
            status = Guarded([&] {
                TracedProcess process;
                std::vector<Event> events;
                TakeEvents(words, process, events);
                Write(rank, process, events);
            });
        }
    }
    Flush();
    static_cast<void>(status); // as in Tell
}

// Events of a rank in the order in which they ended. Aggregators have their places before the others.
void Timeline::Write(Rank rank, TracedProcess process, const std::vector<Event> &events) {
    if (failed_) {
        return;
    }
    process.rank = rank;
    process.sort_index = places_[static_cast<std::size_t>(rank)].order + (process.aggregates != 0 ? 0 : team_.size());
    process.node = team_.node_map().NodeOf(rank);
    process.clock = clocks_[static_cast<std::size_t>(process.node)];
    Describe(process);
    for (const Event &event : events) {
        text_.Add(process, event);
        FlushWhereLong();
    }
    const Counts counts = CountsOf(events);
    WriteCounts(process, "bytes under way", counts.bytes_under_way);
    WriteCounts(process, "dirty sub-buffers", counts.dirty_sub_buffers);
    if (process.dropped > 0) {
        text_.SayDropped(process, events.empty() ? 0 : events.back().end);
    }
}

// Where clocks are measured again their process is described again.
void Timeline::Describe(const TracedProcess &process) {
    Place &place = places_[static_cast<std::size_t>(process.rank)];
    const bool first = place.slots < 0;
    const bool aggregates = process.aggregates != 0;
    if (place.slots < process.slots || place.aggregates != aggregates) {
        text_.Describe(process);
        place.slots = process.slots;
        place.aggregates = aggregates;
    }
    if (first || process.node != 0) {
        text_.DescribeClock(process);
    }
}

void Timeline::WriteCounts(const TracedProcess &process, const char *name, const std::vector<Count> &counts) {
    for (const Count &count : counts) {
        text_.Count(process, name, count.at, count.value);
        FlushWhereLong();
    }
}

void Timeline::FlushWhereLong() noexcept {
    if (text_.text().size() >= kLongText) {
        Flush();
    }
}

void Timeline::Flush() noexcept {
    if (!failed_ && !text_.text().empty()) {
        char reason[256] = "";
        failed_ =
            host_.append_trace(host_.self, path_, text_.text().data(), text_.text().size(), reason, sizeof reason) != 0;
        if (failed_) {
            std::string why;
            const Status status = Guarded([&] { why = std::string(path_) + ": " + reason; });
            host_.warn(host_.self, OVERLAP_WARNING_TRACE, status.ok() ? why.c_str() : path_);
        }
    }
    text_.Clear();
}

void PutEvents(const TracedProcess &process, const std::vector<Event> &events, UnsizedMessage &message) {
    std::int64_t *const words = message.Extend(WordsOf<TracedProcess>() + events.size() * WordsOf<Event>());
    std::memcpy(words, &process, sizeof process);
    if (!events.empty()) {
        std::memcpy(words + WordsOf<TracedProcess>(), events.data(), events.size() * sizeof(Event));
    }
}

void TakeEvents(const Words &words, TracedProcess &process, std::vector<Event> &events) {
    constexpr std::size_t kHeader = WordsOf<TracedProcess>();
    RequireForm(words.size() >= kHeader && (words.size() - kHeader) % WordsOf<Event>() == 0);
    std::memcpy(static_cast<void *>(&process), words.data(), sizeof process);
    events.resize((words.size() - kHeader) / WordsOf<Event>());
    if (!events.empty()) {
        std::memcpy(static_cast<void *>(events.data()), words.data() + kHeader, events.size() * sizeof(Event));
    }
}

Counts CountsOf(const std::vector<Event> &events) {
    std::vector<Count> bytes;
    std::vector<Count> dirty;
    std::array<Nanoseconds, OVERLAP_SLOTS_MAX> filled{};
    for (const Event &event : events) {
        if (!event.IsOperation() || event.slot == Event::kNoSlot) {
            continue;
        }
        const auto slot = static_cast<std::size_t>(event.slot);
        if (event.bytes > 0) {
            bytes.push_back(Count{event.begin, event.bytes});
            bytes.push_back(Count{event.end, -event.bytes});
        }
        if (event.kind == EventKind::kShuffle) {
            filled[slot] = event.end;
        } else if (event.kind == EventKind::kWrite) {
            // The shuffle's event may have found no room.
            dirty.push_back(Count{filled[slot] == 0 ? event.begin : filled[slot], 1});
            dirty.push_back(Count{event.end, -1});
            filled[slot] = 0;
        }
    }
    return Counts{Summed(std::move(bytes)), Summed(std::move(dirty))};
}

} // namespace overlap
