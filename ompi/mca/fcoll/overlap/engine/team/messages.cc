// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "messages.h"

#include <utility>

namespace overlap {

Messages::~Messages() { static_cast<void>(Wait()); }

// noexcept: beyond the room that was taken the program ends, as it would otherwise leave another rank without its partner.
overlap_request **Messages::Next() noexcept {
    requests_.push_back(nullptr);
    return &requests_.back();
}

Status Messages::Send(Rank peer, Tag tag, const overlap_piece *pieces, std::size_t count, overlap_send_mode mode) noexcept {
    return Status(transport_->send(transport_->self, peer, tag, mode, pieces, count, Next()));
}

Status Messages::Receive(Rank peer, Tag tag, const overlap_piece *pieces, std::size_t count) noexcept {
    return Status(transport_->receive(transport_->self, peer, tag, pieces, count, Next()));
}

Status Messages::Test(bool &done) noexcept {
    if (requests_.empty()) {
        done = true;
        return std::exchange(tested_, Status());
    }
    int complete = 0;
    const Status status(transport_->test(transport_->self, requests_.data(), requests_.size(), &complete));
    done = complete != 0;
    if (done) {
        requests_.clear();
    }
    tested_.Merge(status); // an error may come before the last request is complete
    return done ? std::exchange(tested_, Status()) : Status();
}

Status Messages::Wait() noexcept {
    if (requests_.empty()) {
        return Status();
    }
    Status status(transport_->wait(transport_->self, requests_.data(), requests_.size()));
    requests_.clear();
    status.Merge(std::exchange(tested_, Status()));
    return status;
}

} // namespace overlap
