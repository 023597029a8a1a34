// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "client_sequence.h"

namespace overlap {

ClientSequence::ClientSequence(const ShuffleJob &job, Rank first) : job_(job), first_(first) {
    clients_.reserve(job_.plan.owned.size());
    for (const OwnedDomain &domain : job_.plan.owned) {
        clients_.emplace_back(domain);
    }
}

const ClientMessage *ClientSequence::Next() noexcept {
    while (!there_ && cycle_ < started_) {
        GoOn();
    }
    return there_ ? &message_ : nullptr;
}

void ClientSequence::GoOn() noexcept {
    if (owned_ == clients_.size()) {
        owned_ = 0;
        ++cycle_;
        return;
    }
    if (!begun_ && cycle_ < job_.plan.owned[owned_].cycles()) {
        clients_[owned_].Begin(cycle_, first_);
        begun_ = true;
    }
    ClientPart part;
    there_ = begun_ && clients_[owned_].Next(part);
    if (there_) {
        message_ = ClientMessage{owned_, cycle_, job_.SlotOf(cycle_), part};
    } else {
        ++owned_;
        begun_ = false;
    }
}

} // namespace overlap
