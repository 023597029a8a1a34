// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "client_messages.h"

#include <algorithm>

namespace overlap {

ClientMessages::ClientMessages(const ShuffleJob &job, Rank first, std::size_t most, std::size_t most_pieces)
    : job_(job), transport_(job.team.transport()), first_(first), most_(most) {
    clients_.reserve(job_.plan.owned.size());
    for (const OwnedDomain &domain : job_.plan.owned) {
        clients_.emplace_back(domain);
    }
    pieces_.reserve(std::max(most_pieces, std::size_t{1}));
    requests_.reserve(2 * most);
    under_way_.reserve(2 * most);
}

void ClientMessages::Drain() noexcept {
    for (; !empty(); ++oldest_) {
        static_cast<void>(transport_.wait(transport_.self, &requests_[oldest_], 1));
        static_cast<void>(transport_.wait(transport_.self, &under_way_[oldest_].call, 1));
    }
}

Status ClientMessages::Start(Cycle cycle) noexcept {
    started_ = cycle + 1;
    return StartMore();
}

// Of the cycles that have started; null where there is none.
const ClientMessage *ClientMessages::Next() noexcept {
    for (; !there_ && cycle_ < started_; ++cycle_, owned_ = 0) {
        for (; owned_ < clients_.size(); ++owned_, begun_ = false) {
            if (NextOfDomain()) {
                return &next_;
            }
        }
    }
    return there_ ? &next_ : nullptr;
}

bool ClientMessages::NextOfDomain() noexcept {
    if (!begun_ && cycle_ < job_.plan.owned[owned_].cycles()) {
        clients_[owned_].Begin(cycle_, first_);
        begun_ = true;
    }
    next_.owned = owned_;
    next_.cycle = cycle_;
    next_.slot = job_.SlotOf(cycle_);
    there_ = begun_ && clients_[owned_].Next(next_);
    return there_;
}

Status ClientMessages::Progress() noexcept {
    Status status = TestBetween(oldest_, requests_.size());
    status.Merge(StartMore());
    return status;
}

Status ClientMessages::Wait(Cycle cycle, Slot slot) noexcept {
    Status status;
    while (!Done(cycle, slot)) {
        status.Merge(WaitForOldest());
        status.Merge(HasMore() ? Progress() : Status());
    }
    return status;
}

// Those of a slot have started one after the other.
Status ClientMessages::Test(Cycle cycle, Slot slot, bool &done) noexcept {
    const auto is_of_slot = [slot](const UnderWay &one) { return one.message.slot == slot; };
    const auto all = under_way_.begin();
    const auto first = std::find_if(all + static_cast<std::ptrdiff_t>(oldest_), under_way_.end(), is_of_slot);
    const auto last = std::find_if_not(first, under_way_.end(), is_of_slot);
    Status status = TestBetween(static_cast<std::size_t>(first - all), static_cast<std::size_t>(last - all));
    status.Merge(StartMore());
    done = Done(cycle, slot);
    return status;
}

Status ClientMessages::Finish() noexcept {
    Status status;
    while (!empty()) {
        status.Merge(WaitForOldest());
        status.Merge(StartMore());
    }
    return status;
}

Status ClientMessages::StartMore() noexcept {
    Status status;
    while (HasMore() && requests_.size() - oldest_ < most_ && Begin(next_, status)) {
        there_ = false;
    }
    return status;
}

Status ClientMessages::WaitForOldest() noexcept {
    Status status(transport_.wait(transport_.self, &requests_[oldest_], 1));
    const UnderWay complete = under_way_[oldest_++];
    if (empty()) {
        DropOld();
    }
    status.Merge(Take(complete));
    return status;
}

// Completes without blocking what can be of those in [begin, end).
Status ClientMessages::TestBetween(std::size_t begin, std::size_t end) noexcept {
    if (begin == end) {
        return Status();
    }
    int all = 0;
    Status status(transport_.test(transport_.self, &requests_[begin], end - begin, &all));
    std::size_t kept = begin;
    for (std::size_t i = begin; i < end; ++i) {
        if (requests_[i] == nullptr) {
            status.Merge(Take(under_way_[i]));
        } else {
            requests_[kept] = requests_[i];
            under_way_[kept++] = under_way_[i];
        }
    }
    const auto at = [](auto &list, std::size_t index) { return list.begin() + static_cast<std::ptrdiff_t>(index); };
    requests_.erase(at(requests_, kept), at(requests_, end));
    under_way_.erase(at(under_way_, kept), at(under_way_, end));
    return status;
}

Status ClientMessages::Take(UnderWay complete) noexcept {
    Status called;
    if (complete.call != nullptr) {
        called = Status(transport_.wait(transport_.self, &complete.call, 1));
    }
    --of_slot_[static_cast<std::size_t>(complete.message.slot)];
    Complete(complete.message, complete.memory);
    return called;
}

Status ClientMessages::Send(const ClientMessage &message, Tag tag, overlap_send_mode mode, char *memory) noexcept {
    return Status(transport_.send(transport_.self, message.client->rank, tag, mode, pieces_.data(), pieces_.size(),
                                  PlaceFor(message, memory)));
}

Status ClientMessages::Receive(const ClientMessage &message, Tag tag, char *memory) noexcept {
    return Status(transport_.receive(transport_.self, message.client->rank, tag, pieces_.data(), pieces_.size(),
                                     PlaceFor(message, memory)));
}

Status ClientMessages::CallForLast(Tag tag) noexcept {
    UnderWay &last = under_way_.back();
    return Status(
        transport_.send(transport_.self, last.message.client->rank, tag, OVERLAP_SEND_STANDARD, &kNoBytes, 1, &last.call));
}

overlap_request **ClientMessages::PlaceFor(const ClientMessage &message, char *memory) noexcept {
    if (requests_.size() == 2 * most_) {
        DropOld();
    }
    ++of_slot_[static_cast<std::size_t>(message.slot)];
    under_way_.push_back(UnderWay{message, memory, nullptr});
    requests_.push_back(nullptr);
    return &requests_.back();
}

void ClientMessages::DropOld() noexcept {
    requests_.erase(requests_.begin(), requests_.begin() + static_cast<std::ptrdiff_t>(oldest_));
    under_way_.erase(under_way_.begin(), under_way_.begin() + static_cast<std::ptrdiff_t>(oldest_));
    oldest_ = 0;
}

} // namespace overlap
