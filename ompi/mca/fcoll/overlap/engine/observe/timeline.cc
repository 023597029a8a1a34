// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "timeline.h"

#include "../base/guard.h"
#include "../team/agreement.h"

namespace overlap {
namespace {

// A collection is worth about as much time as its events take to be written as text, which all ranks wait for.
constexpr double kSecondsBetweenCollections = 1;

overlap_trace_names NamesOf(const overlap_host &host) {
    overlap_trace_names names{};
    host.trace_names(host.self, &names);
    return names;
}

} // namespace

Timeline::Timeline(const Team &team, const overlap_host &host, const overlap_settings &settings)
    : team_(team), host_(host), names_(NamesOf(host)), store_(settings.trace_bytes), recorder_(store_, team.rank()),
      pings_(team, host) {
    if (team.rank() == 0) {
        writer_.emplace(host, names_, settings.trace, team.node_map());
    }
}

void Timeline::AfterCall() noexcept {
    if (given_up_) {
        store_.Clear();
        return;
    }
    const bool late = host_.seconds(host_.self) - collected_ >= kSecondsBetweenCollections;
    if (AgreeToCollect(recorder_.calls() == 1 || late || store_.HasLittleRoom())) {
        Collect();
    }
}

void Timeline::Finish() noexcept {
    if (!given_up_ && AgreeToCollect(true)) {
        Collect();
    }
}

// Collective. Rank 0 hears any rank, so nobody may begin the next collection before it has ended this one.
bool Timeline::AgreeToCollect(bool due) noexcept {
    given_up_ = writer_.has_value() && writer_->error() != 0;
    Agreement agreement;
    agreement.Any(due);
    agreement.Any(given_up_);
    return agreement.Run(team_, Status()).ok() && due;
}

void Timeline::Collect() noexcept {
    pings_.Exchange(writer_.has_value() ? &writer_->clocks() : nullptr);
    if (writer_.has_value()) {
        HearAll();
    } else {
        Tell();
    }
    store_.Clear();
    collected_ = host_.seconds(host_.self);
}

Teller Timeline::Own() const {
    Teller teller;
    teller.process = names_.process;
    teller.handle = names_.handle;
    teller.aggregates = recorder_.aggregates();
    teller.slots = recorder_.slots();
    teller.dropped = store_.dropped();
    teller.host = team_.transport().host;
    return teller;
}

void Timeline::Tell() noexcept {
    UnsizedMessage message;
    const Status status = Guarded([&] { PutEvents(Own(), store_.events(), message); });
    if (!status.ok()) {
        message.Fail(status);
    }
    static_cast<void>(team_.Tell(0, kTagTrace, message)); // what is lost there is missing in the timeline, no more
}

void Timeline::HearAll() noexcept {
    Status status = Guarded([&] { writer_->Write(0, Own(), store_.events()); });
    Words words;
    for (Rank heard = 1; heard < team_.size(); ++heard) {
        Rank rank = 0;
        status = team_.Hear(kTagTrace, words, rank);
        if (status.ok()) {
            status = Guarded([&] {
                Teller teller;
                std::vector<Event> events;
                TakeEvents(words, teller, events);
                writer_->Write(rank, teller, events);
            });
        }
    }
    writer_->Flush();
    static_cast<void>(status); // as in Tell
}

} // namespace overlap
