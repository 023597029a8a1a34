// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "done_count.h"

#include <algorithm>

namespace overlap {
namespace {

constexpr std::size_t kDomain = 1; // words before the intervals

} // namespace

DoneCount::DoneCount(const Team &team, const Plan &plan, const CycleIo &io)
    : team_(team), plan_(plan), said_(plan.owned.size()), messages_(team.transport()) {
    std::size_t messages = 0;
    for (std::size_t i = 0; i < plan.owned.size(); ++i) {
        const std::size_t words = kDomain + 2 * io.MostIntervals();
        said_[i].Reserve(words);
        messages += plan.owned[i].clients.size() * UnsizedMessage::MostParts(words);
    }
    messages_.Reserve(messages);
    heard_.reserve(UnsizedMessage::kFirstWords);
}

// Within what was reserved.
void DoneCount::Write(const CycleIo &io, std::size_t owned) noexcept {
    UnsizedMessage &message = said_[owned];
    message.Add({plan_.owned[owned].domain});
    io.ForEachDone(owned, [&message](FileOffset begin, FileOffset end) { message.Add({begin, end}); });
}

void DoneCount::CountShare(const Share &share, const std::int64_t *intervals, std::size_t count, ByteCount &done,
                           const DoneVisit &visit) const noexcept {
    for (std::size_t i = 0; i + 1 < count; i += 2) {
        const ByteCount first = share.file.BytesBefore(intervals[i]);
        const ByteCount last = share.file.BytesBefore(intervals[i + 1]);
        done += last - first;
        if (visit != nullptr) {
            share.stream.ForEach(first, last, [&visit](const Run &run, ByteCount) {
                for (std::int64_t block = 0; block < run.count; ++block) {
                    const ByteCount from = run.start + block * run.stride;
                    visit(from, from + run.length);
                }
            });
        }
    }
}

Status DoneCount::Count(const CycleIo &io, ByteCount &done, const DoneVisit &visit) noexcept {
    Status status;
    for (std::size_t i = 0; i < plan_.owned.size(); ++i) {
        Write(io, i);
        for (const Client &client : plan_.owned[i].clients) {
            if (client.rank != team_.rank()) {
                status.Merge(said_[i].Send(messages_, client.rank, kTagOnFile));
            }
        }
    }
    done = 0;
    for (const Share &share : plan_.shares) {
        if (share.aggregator == team_.rank()) {
            const UnsizedMessage &own = said_[share.owned];
            CountShare(share, own.words() + kDomain, own.size() - kDomain, done, visit);
            continue;
        }
        Rank source = 0;
        status.Merge(team_.Hear(kTagOnFile, heard_, source)); // of any aggregator
        const auto found = std::find_if(plan_.shares.begin(), plan_.shares.end(),
                                        [this](const Share &one) { return !heard_.empty() && one.domain == heard_[0]; });
        if (found != plan_.shares.end()) {
            CountShare(*found, heard_.data() + kDomain, heard_.size() - kDomain, done, visit);
        }
    }
    status.Merge(messages_.Wait());
    return status;
}

} // namespace overlap
