// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// Writes: sends and receives without blocking, then a wait for all of them (Feki & Gabriel, section III-B), but that an
// aggregator receives so many messages at a time and not those of all its clients at once.
#include "client_messages.h"
#include "copy.h"
#include "throttle.h"

#include <algorithm>
#include <tuple>

namespace overlap {
namespace {

/// What an aggregator receives. Where ranks overlap there is one message at a time, in the order of ranks, this rank's own
/// bytes in their place, so that the bytes of a higher rank come last. What came with descriptions is copied when it has its
/// turn. A client that waits until it is called (IsCalledFor) is called when its receive has started.
///
/// Nobody waits for ever, as all ranks start the same cycles in the same order, and wait for them in it or ask for all that
/// are under way:
///
/// * The first message of the sequence that is not complete is always started (ClientMessages), and its client is called for
///   it where it waits for that.
/// * Its client sends it, for it has started the cycle, or will when earlier cycles are complete, and looks for calls in
///   whatever it does until it has sent all of a cycle (Outgoing::Past, which Wait asks for first): it never blocks for a
///   cycle, as a client or as an aggregator, while it could answer a call for that one or an earlier one.
/// * A send does not wait for another one, but for its own receive; so what a rank blocks for, the oldest receive or, once
///   all of its receives of a cycle are complete, its own sends of that cycle, is complete when those of earlier cycles
///   are, on whichever rank.
/// * A client takes a call before it sends what it was called for, so a call is complete when its receive is.
class Intake final : public ClientMessages {
  public:
    /// Throws std::bad_alloc.
    explicit Intake(const ShuffleJob &job)
        : ClientMessages(job, job.plan.overlap ? 0 : job.plan.rotation.FirstClient(), job.plan.most_client_pieces) {}

  private:
    // Ranks that overlap have one message at a time, so nothing is under way here then.
    bool Begin(const ClientMessage &message, Status &status) noexcept override {
        const Rank rank = message.client->rank;
        if (const char *const enclosed = job_.enclosed.Of(job_.plan.owned[message.owned].domain, rank)) {
            Unpack(message, enclosed + message.bytes.first);
            return true;
        }
        if (rank != job_.team.rank()) {
            return StartReceive(message, status);
        }
        if (job_.plan.overlap) {
            status.Merge(job_.CopyOwn(OVERLAP_WRITE, message.cycle, message.owned));
        }
        return true;
    }

    bool StartReceive(const ClientMessage &message, Status &status) noexcept {
        char *packed = nullptr;
        if (!FindPieces(message, packed)) {
            return false;
        }
        status.Merge(Receive(message, kTagData, packed));
        if (IsCalledFor(job_.slots, message.cycle, message.before, message.bytes.bytes())) {
            status.Merge(CallForLast(kTagCall));
        }
        return true;
    }

    void Unpack(const ClientMessage &message, const char *packed) noexcept {
        const Interlude copying(&job_.watch, Activity::kCopy);
        Scatter(packed, BufferOf(message), message.bytes);
    }

    void Complete(const ClientMessage &message, char *packed) noexcept override {
        if (packed != nullptr) {
            Unpack(message, packed);
            job_.staging.GiveBack(packed);
        }
    }
};

/// What a rank sends: a message for each share in each cycle, but where its bytes went with its description. One that an
/// aggregator has to call for (IsCalledFor) leaves when it has been called, and those behind it to the same aggregator with
/// it, so that they arrive in the order of cycles and domains; messages to others do not wait. Those of a cycle leave in the
/// order of the rotation. Starts only what can leave: nothing here blocks but Wait.
class Outgoing {
  public:
    /// Throws std::bad_alloc.
    explicit Outgoing(const ShuffleJob &job) : job_(job) {
        shares_.reserve(job_.plan.shares.size());
        for (const Share &share : job_.plan.shares) {
            if (share.aggregator != job_.team.rank() && !job_.enclosed.IsSent(job_.plan, share)) {
                shares_.push_back(OfShare{&share});
            }
        }
        const auto place = [&rotation = job_.plan.rotation](const OfShare &one) {
            return std::make_tuple(rotation.PlaceOf(one.share->aggregator), one.share->aggregator, one.share->domain);
        };
        std::sort(shares_.begin(), shares_.end(),
                  [&place](const OfShare &a, const OfShare &b) { return place(a) < place(b); });
        for (std::size_t i = 0; i < shares_.size(); ++i) {
            if (i == 0 || shares_[i].share->aggregator != shares_[i - 1].share->aggregator) {
                queues_.push_back(MessageQueue{i, i, i, Messages(job_.team.transport())});
                queues_.back().call.Reserve(1);
            }
            queues_.back().end = i + 1;
        }
        messages_.reserve(static_cast<std::size_t>(job_.slots));
        for (int slot = 0; slot < job_.slots; ++slot) {
            messages_.emplace_back(job_.team.transport()).Reserve(shares_.size());
        }
        pieces_.reserve(job_.pack.MostPieces());
    }

    /// The messages of `cycle` may leave.
    Status Start(Cycle cycle) noexcept {
        Status status;
        started_ = cycle + 1;
        for (MessageQueue &queue : queues_) {
            status.Merge(queue.awaits_call ? Status() : Advance(queue));
        }
        status.Merge(Progress());
        return status;
    }

    /// Sends what has been called for.
    Status Progress() noexcept {
        Status status;
        for (std::size_t i = 0; i < queues_.size() && awaited_ > 0; ++i) {
            status.Merge(queues_[i].awaits_call ? Advance(queues_[i]) : Status());
        }
        return status;
    }

    /// Whether all messages of `cycle` have been started.
    bool Past(Cycle cycle) const noexcept {
        const auto is_past = [cycle](const MessageQueue &queue) { return queue.cycle > cycle; };
        return awaited_ == 0 || std::all_of(queues_.begin(), queues_.end(), is_past);
    }

    /// Those of the slot have left; of Test: `done` tells whether they have. Need: Past its cycle.
    Status Wait(Slot slot) noexcept { return messages_[static_cast<std::size_t>(slot)].Wait(); }
    Status Test(Slot slot, bool &done) noexcept { return messages_[static_cast<std::size_t>(slot)].Test(done); }

  private:
    struct OfShare {
        const Share *share;
        Cycle last = -1; // of its last message
    };
    // To one aggregator: shares_[begin, end), of which `at` in `cycle` is next.
    struct MessageQueue {
        std::size_t begin;
        std::size_t end;
        std::size_t at;
        Messages call; // for the message that is next
        Cycle cycle = 0;
        bool awaits_call = false;
    };

    // Up to a message whose call has not come.
    Status Advance(MessageQueue &queue) noexcept {
        Status status;
        for (; queue.cycle < started_; ++queue.cycle, queue.at = queue.begin) {
            for (; queue.at < queue.end; ++queue.at) {
                OfShare &to = shares_[queue.at];
                const Range bytes = to.share->In(queue.cycle);
                if (bytes.empty()) {
                    continue;
                }
                const bool called = IsCalledFor(job_.slots, queue.cycle, to.last, bytes.bytes());
                if (called && !IsCalled(queue, status)) {
                    return status;
                }
                const overlap_send_mode mode =
                    called ? OVERLAP_SEND_STANDARD : SendModeOf(job_.slots, queue.cycle, to.last, bytes.bytes());
                const Slot slot = job_.SlotOf(queue.cycle);
                status.Merge(job_.pack.PiecesToSend(*to.share, bytes, queue.cycle, pieces_));
                status.Merge(messages_[static_cast<std::size_t>(slot)].Send(to.share->aggregator, kTagData, pieces_.data(),
                                                                            pieces_.size(), mode));
                to.last = queue.cycle;
            }
        }
        return status;
    }

    // Whether the call for the message that is next has come. To ask for it may leave a nonblocking call, in which other
    // queues have messages to start: so the first time its receive is started, and the answer is no.
    bool IsCalled(MessageQueue &queue, Status &status) noexcept {
        if (!queue.awaits_call) {
            queue.awaits_call = true;
            ++awaited_;
            status.Merge(queue.call.Receive(shares_[queue.at].share->aggregator, kTagCall, &kNoBytes, 1));
            return false;
        }
        bool came = false;
        status.Merge(queue.call.Test(came));
        if (came) {
            queue.awaits_call = false;
            --awaited_;
        }
        return came;
    }

    const ShuffleJob &job_;
    std::vector<OfShare> shares_;      // that others aggregate and have not got, those of one together
    std::vector<MessageQueue> queues_; // in the order of the rotation
    std::size_t awaited_ = 0;          // calls
    std::vector<Messages> messages_;   // of each slot
    Cycle started_ = 0;                // cycles
    Pieces pieces_;
};

class TwoSidedWrite final : public Shuffle {
  public:
    explicit TwoSidedWrite(const ShuffleJob &job) : job_(job), intake_(job_), outgoing_(job_) {}

    // This rank's own part as an aggregator first, so that what others send meets its receive.
    Status Start(Cycle cycle, Slot /*slot*/) noexcept override {
        Status status = intake_.Start(cycle);
        status.Merge(outgoing_.Start(cycle));
        if (!job_.plan.overlap) {
            status.Merge(job_.CopyOwn(OVERLAP_WRITE, cycle));
        }
        return status;
    }

    // What is called for first: the aggregator that has called may itself wait for this rank. Of a shuffle that was found
    // complete nothing is asked, as a nonblocking call is left for each question.
    Status Wait(Cycle cycle, Slot slot) noexcept override {
        Status status = outgoing_.Past(cycle) && intake_.Done(cycle) ? Status() : outgoing_.Progress();
        while (!outgoing_.Past(cycle)) {
            status.Merge(intake_.Progress());
            status.Merge(outgoing_.Progress());
        }
        status.Merge(intake_.Wait(cycle));
        status.Merge(outgoing_.Wait(slot));
        return status;
    }

    Status Test(Cycle cycle, Slot slot, bool &done) noexcept override {
        Status status = outgoing_.Progress();
        status.Merge(intake_.Test(cycle, done));
        done = done && outgoing_.Past(cycle);
        if (done) {
            status.Merge(outgoing_.Test(slot, done));
        }
        return status;
    }

  private:
    const ShuffleJob job_;
    Intake intake_;
    Outgoing outgoing_;
};

} // namespace

std::unique_ptr<Shuffle> MakeTwoSidedWrite(const ShuffleJob &job) { return std::make_unique<TwoSidedWrite>(job); }

} // namespace overlap
