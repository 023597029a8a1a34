// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "cycles.h"

#include <algorithm>
#include <utility>

namespace overlap {
namespace {

constexpr std::size_t kDomain = 1; // words before the intervals of a domain

// Beside a longer write other work may be done.
constexpr ByteCount kShortWrite = ByteCount{1} << 20;

// Intervals of a domain that are done, as words: adds the bytes of a share.
void CountShare(const Share &share, const std::int64_t *intervals, std::size_t words, ByteCount &done, NodeMerge &merge) {
    for (std::size_t i = 0; i + 1 < words; i += 2) {
        const ByteCount first = share.file.BytesBefore(intervals[i]);
        const ByteCount last = share.file.BytesBefore(intervals[i + 1]);
        done += last - first;
        if (merge.merged()) {
            share.stream.ForEachBlock(
                first, last, [&](ByteCount from, ByteCount length, ByteCount) { merge.CountDone(from, from + length); });
        }
    }
}

} // namespace

overlap_algorithm ScheduleOf(const KindState &kind) noexcept {
    const overlap_algorithm chosen = kind.chooser.choice().algorithm;
    return chosen == OVERLAP_ALGORITHM_DATAFLOW && !CompletesInAnyOrder(kind.direction, kind.shuffle, *kind.plan)
               ? OVERLAP_ALGORITHM_WRITE_COMM_2
               : chosen;
}

// After a single shuffle. To hand the write to a thread costs more than to wait in it.
bool TakesTurns(const KindState &kind) noexcept {
    const Plan &plan = *kind.plan;
    return !kind.reads() && !kind.nonblocking && plan.cycles <= 1 && plan.most_owned <= 1 &&
           plan.fullest_cycle <= kShortWrite;
}

Cycles::Cycles(FileState &file, const KindState &kind, StridedList memory, bool on_device, Enclosed enclosed)
    : team_(file.team), watch_(file.watch), plan_(kind.plan), memory_(std::move(memory)), enclosed_(std::move(enclosed)),
      shuffle_(file.resources.MakeShuffle(kind, memory_, on_device, enclosed_)),
      io_(kind.direction, *plan_, file.resources.buffers(), file.resources.io(), kind.chooser.choice().slots),
      schedule_(MakeSchedule(TakesTurns(kind) ? OVERLAP_ALGORITHM_NONE : ScheduleOf(kind), plan_->cycles,
                             kind.chooser.choice().slots, kind.direction)),
      runner_(*schedule_, *shuffle_, io_, *plan_, file.watch), notices_(plan_->owned.size()),
      messages_(file.team.transport()) {
    std::size_t messages = 0;
    for (std::size_t i = 0; i < notices_.size(); ++i) {
        const std::size_t words = kDomain + 2 * io_.MostIntervals();
        notices_[i].Reserve(words);
        messages += plan_->owned[i].clients.size() * UnsizedMessage::MostParts(words);
    }
    messages_.Reserve(messages);
    notice_.reserve(UnsizedMessage::kFirstWords);
}

Status Cycles::Finish(bool &all, Timing &timing) noexcept {
    watch_.Count(OVERLAP_COUNT_BYTES_OF_FILE, io_.transferred());
    watch_.TurnTo(Activity::kFinish);
    bool ended = io_.ended();
    Agreement agreement;
    agreement.Max(timing.call);
    agreement.Max(timing.shuffle);
    agreement.Max(timing.file);
    agreement.Any(ended);
    const Status status = agreement.Run(team_, io_.status());
    all = status.ok() && !ended;
    return status;
}

Status Cycles::CountDone(ByteCount &done, NodeMerge &merge) noexcept {
    Status status;
    for (std::size_t i = 0; i < notices_.size(); ++i) {
        UnsizedMessage &message = notices_[i]; // within what was reserved
        message.Add({plan_->owned[i].domain});
        for (const Range &interval : io_.Done(i)) {
            message.Add({interval.first, interval.last});
        }
        for (const Client &client : plan_->owned[i].clients) {
            if (client.rank != team_.rank()) {
                status.Merge(message.Send(messages_, client.rank, kTagOnFile));
            }
        }
    }
    done = 0;
    for (const Share &share : plan_->shares) {
        if (share.aggregator == team_.rank()) {
            const UnsizedMessage &own = notices_[share.owned];
            CountShare(share, own.words() + kDomain, own.size() - kDomain, done, merge);
            continue;
        }
        Rank source = 0;
        status.Merge(team_.Hear(kTagOnFile, notice_, source)); // of any aggregator
        const auto found = std::find_if(plan_->shares.begin(), plan_->shares.end(),
                                        [this](const Share &one) { return !notice_.empty() && one.domain == notice_[0]; });
        if (found != plan_->shares.end()) {
            CountShare(*found, notice_.data() + kDomain, notice_.size() - kDomain, done, merge);
        }
    }
    status.Merge(messages_.Wait());
    return status;
}

} // namespace overlap
