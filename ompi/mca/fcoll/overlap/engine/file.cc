// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "file.h"

#include "base/guard.h"
#include "call/explain.h"
#include "stages/joining.h"

namespace overlap {

File::File(const overlap_transport &transport, const overlap_storage &storage, const overlap_host &host,
           const overlap_settings &settings)
    : state_(transport, storage, host, settings),
      timeline_(settings.trace[0] == '\0' ? nullptr : std::make_unique<Timeline>(state_.team, state_.host, state_.settings)),
      declared_(state_) {
    if (timeline_ != nullptr) {
        RecordTo(&timeline_->recorder());
    }
    if (settings.report != OVERLAP_REPORT_OFF) {
        report_.emplace(state_.team.nodes());
    }
}

void File::Close() {
    if (timeline_ != nullptr) {
        timeline_->Finish();
    }
    state_.resources.FreeTogether();
}

// Collective: `call`, and what goes with each call of a program.
template <typename Call> Status File::Perform(overlap_direction direction, Call call) {
    state_.resources.patience().BeginCall();
    Status status;
    {
        const WatchedCall watched(state_.watch, direction);
        status = call();
    }
    if (timeline_ != nullptr) {
        timeline_->AfterCall();
    }
    return status;
}

Status File::Transfer(overlap_direction direction, const Request &request, ByteCount &done) {
    const Status held = direction == OVERLAP_READ ? Flush() : Status();
    return Perform(direction, [&] {
        CallState call = CallOf(direction, request);
        Status status = direction == OVERLAP_WRITE ? declared_.Write(call) : TransferCall(state_, call);
        status = held.ok() ? status : held;
        done = call.done;
        Count(request, status, done);
        return status;
    });
}

Status File::TransferPending(overlap_direction direction, const Request &pending, std::size_t &joined, ByteCount &done) {
    return Perform(direction, [&] {
        state_.watch.TurnTo(Activity::kEntry);
        Status status = AgreeOnJoining(state_.team, direction, pending, state_.Facts().collective_buffer_size, joined);
        state_.watch.TurnTo(Activity::kPlanning);
        const Request request{pending.accesses, joined};
        if (status.ok()) {
            CallState call = CallOf(direction, request);
            status = TransferCall(state_, call);
            done = call.done;
        }
        Count(request, status, done);
        return status;
    });
}

Status File::Flush() {
    return declared_.HasSomething() ? Perform(OVERLAP_WRITE, [&] { return declared_.Flush(); }) : Status();
}

void File::Declare(std::vector<StridedList> layouts, Status local) {
    const WatchedCall watched(state_.watch, OVERLAP_WRITE);
    declared_.Declare(std::move(layouts), local);
}

CallState File::CallOf(overlap_direction direction, const Request &request) {
    CallState call(state_.KindOf(direction));
    call.bytes = request.bytes();
    call.calls = static_cast<std::int64_t>(request.count);
    call.status = Guarded([&] {
        if (request.error() == OVERLAP_SUCCESS) {
            call.access = BuildAccess(request, direction);
        }
    });
    call.status.Merge(Status(request.error()));
    return call;
}

// What an exception ends is no call that counts: nothing is transferred then.
void File::Count(const Request &request, Status status, ByteCount done) noexcept {
    const auto calls = static_cast<std::int64_t>(request.count);
    Watch &watch = state_.watch;
    watch.Count(OVERLAP_COUNT_CALLS, calls);
    watch.Count(OVERLAP_COUNT_NONBLOCKING, state_.KindOf(OVERLAP_WRITE).nonblocking ? calls : 0);
    watch.Count(OVERLAP_COUNT_FAILED, status.ok() ? 0 : calls);
    watch.Count(OVERLAP_COUNT_BYTES, done);
}

Status File::Report(const char *name, std::string &text) {
    if (!report_.has_value()) {
        return Status();
    }
    const Watch &watch = state_.watch;
    const Status status = report_->Gather(state_.team, {watch.counters(OVERLAP_WRITE), watch.counters(OVERLAP_READ)});
    if (!status.ok() || state_.team.rank() != 0) {
        return status;
    }
    return Guarded([&] {
        report_->file = name;
        for (const overlap_direction direction : {OVERLAP_WRITE, OVERLAP_READ}) {
            report_->of[direction].chosen = ExplainLast(state_, direction);
        }
        text = state_.settings.report == OVERLAP_REPORT_JSON ? JsonOf(*report_) : TextOf(*report_);
    });
}

} // namespace overlap
