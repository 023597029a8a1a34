// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "team.h"

#include <algorithm>

namespace overlap {
namespace {

// A collective operation that has not begun on this rank has begun on others, who wait for it. What it lacked, memory as a
// rule, may be there a moment later.
constexpr int kTries = 1000;

template <typename Call> Status Collective(const overlap_transport &transport, Call call) {
    int error = call();
    for (int i = 1; error != OVERLAP_SUCCESS && i < kTries; ++i) {
        transport.progress(transport.self);
        error = call();
    }
    return Status(error);
}

} // namespace

Team::Team(const overlap_transport &transport)
    : transport_(transport), node_map_(transport.nodes, transport.size),
      part_(new std::int64_t[UnsizedMessage::kPartWords]) {}

Status Team::Agree(Status local) const noexcept { return Agreement().Run(*this, local); }

// A try that failed may have left something else than it found, so each begins with the values that are kept.
Status Team::Reduce(std::int64_t *values, std::size_t count, overlap_reduction reduction) const noexcept {
    Status status;
    for (std::size_t part = 0; count > 0; values += part, count -= part) {
        part = std::min(count, UnsizedMessage::kPartWords);
        std::copy_n(values, part, part_.get());
        const Status reduced = Collective(transport_, [&] {
            std::copy_n(part_.get(), part, values);
            return transport_.allreduce(transport_.self, values, part, reduction);
        });
        if (!reduced.ok()) {
            std::copy_n(part_.get(), part, values);
        }
        status.Merge(reduced);
    }
    return status;
}

Status Team::Broadcast(void *data, std::size_t bytes) const noexcept {
    return Collective(transport_, [&] { return transport_.broadcast(transport_.self, data, bytes); });
}

// A rank that has no room for the words says so before they are sent.
Status Team::Broadcast(Words &words, Status local) const noexcept {
    std::int64_t count = local.ok() ? static_cast<std::int64_t>(words.size()) : 0;
    Status status = Broadcast(&count, sizeof(count));
    local.Merge(status.ok() ? Guarded([&] { words.resize(static_cast<std::size_t>(count)); }) : status);
    status.Merge(Agree(local));
    if (status.ok() && count > 0) {
        status = Broadcast(words.data(), words.size() * sizeof(words[0]));
    }
    if (!status.ok()) {
        words.clear();
    }
    return status;
}

// A part that has started comes to its receiver, whatever the wait for it says, and so the rest of the message has to.
Status Team::Tell(Rank peer, Tag tag, UnsizedMessage &message) const noexcept {
    Status waited;
    Status status = message.ForEachPart(tag, [&](Tag of_part, const std::int64_t *words, std::size_t count) {
        const overlap_piece piece = PieceOfWords(words, count);
        overlap_request *request = nullptr;
        const Status started(transport_.send(transport_.self, peer, of_part, OVERLAP_SEND_STANDARD, &piece, 1, &request));
        waited.Merge(Status(transport_.wait(transport_.self, &request, 1)));
        return started;
    });
    status.Merge(waited);
    return status;
}

Status Team::Hear(Tag tag, Words &words, Rank &source) const noexcept {
    words.clear();
    std::size_t received = 0;
    Status status(transport_.receive_any(transport_.self, tag, part_.get(), UnsizedMessage::kFirstWords * sizeof(part_[0]),
                                         &source, &received));
    if (!status.ok()) {
        return status; // a message whose first part is lost has no rest that could be distinguished from the next one's
    }
    if (received < UnsizedMessage::kHeaderWords * sizeof(part_[0])) {
        return Status(OVERLAP_ERR_OTHER); // its sender could not make it
    }
    status = Status(static_cast<int>(part_[0]));
    const auto count = static_cast<std::size_t>(part_[1]);
    std::size_t here = received / sizeof(part_[0]) - UnsizedMessage::kHeaderWords;
    status.Merge(Guarded([&] {
        if (words.capacity() < count) {
            words.reserve(count + count / 8); // the next rank's message may be a little longer
        }
        words.resize(count);
        std::copy_n(part_.get() + UnsizedMessage::kHeaderWords, here, words.begin());
    }));
    while (here < count) {
        const std::size_t part = std::min(count - here, UnsizedMessage::kPartWords);
        const overlap_piece piece = PieceOfWords(words.size() == count ? words.data() + here : part_.get(), part);
        overlap_request *request = nullptr;
        status.Merge(Status(transport_.receive(transport_.self, source, static_cast<Tag>(tag + 1), &piece, 1, &request)));
        status.Merge(Status(transport_.wait(transport_.self, &request, 1)));
        here += part;
    }
    if (!status.ok()) {
        words.clear();
    }
    return status;
}

} // namespace overlap
