// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "teller.h"

#include <cstring>

namespace overlap {
namespace {

constexpr std::size_t kWord = sizeof(std::int64_t);

enum Header : std::size_t { kProcess, kHandle, kAggregates, kSlots, kDropped, kHostBytes, kHeaderWords };

std::size_t WordsFor(std::size_t bytes) { return (bytes + kWord - 1) / kWord; }

} // namespace

void PutEvents(const Teller &teller, const std::vector<Event> &events, UnsizedMessage &message) {
    const std::size_t host = WordsFor(teller.host.size());
    std::int64_t *words = message.Extend(kHeaderWords + host + events.size() * kWordsOfAnEvent);
    words[kProcess] = teller.process;
    words[kHandle] = teller.handle;
    words[kAggregates] = teller.aggregates ? 1 : 0;
    words[kSlots] = teller.slots;
    words[kDropped] = teller.dropped;
    words[kHostBytes] = static_cast<std::int64_t>(teller.host.size());
    std::memcpy(words + kHeaderWords, teller.host.data(), teller.host.size());
    if (!events.empty()) {
        std::memcpy(words + kHeaderWords + host, events.data(), events.size() * sizeof(Event));
    }
}

void TakeEvents(const Words &words, Teller &teller, std::vector<Event> &events) {
    RequireForm(words.size() >= kHeaderWords && words[kHostBytes] >= 0);
    const auto bytes = static_cast<std::size_t>(words[kHostBytes]);
    RequireForm(bytes <= (words.size() - kHeaderWords) * kWord);
    const std::size_t before = kHeaderWords + WordsFor(bytes);
    RequireForm((words.size() - before) % kWordsOfAnEvent == 0);
    teller.process = Narrow<Rank>(words[kProcess]);
    teller.handle = Narrow<int>(words[kHandle]);
    teller.aggregates = words[kAggregates] != 0;
    teller.slots = Narrow<int>(words[kSlots]);
    teller.dropped = words[kDropped];
    teller.host.assign(bytes, '\0');
    std::memcpy(teller.host.data(), words.data() + kHeaderWords, bytes);
    events.assign((words.size() - before) / kWordsOfAnEvent, Event());
    if (!events.empty()) {
        std::memcpy(static_cast<void *>(events.data()), words.data() + before, events.size() * sizeof(Event));
    }
}

} // namespace overlap
