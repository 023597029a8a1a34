// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "entry.h"

#include "observe/report.h"
#include "observe/timeline.h"
#include "placement/topology/network.h"
#include "stages/declared_writes.h"
#include "stages/joining.h"

#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

// The engine's side of an open file.
struct overlap_file {
    // Throws std::bad_alloc.
    overlap_file(const overlap_transport &transport, const overlap_storage &storage, const overlap_host &host,
                 const overlap_settings &settings)
        : state(transport, storage, host, settings), declared(state) {
        if (settings.trace[0] != '\0') {
            timeline = std::make_unique<overlap::Timeline>(state.team, state.host, state.settings);
            state.watch.RecordTo(&timeline->recorder());
        }
        if (settings.report != OVERLAP_REPORT_OFF) {
            report.emplace(state.team.nodes());
        }
    }

    overlap::FileState state;
    std::unique_ptr<overlap::Timeline> timeline; // null where none was asked for
    overlap::DeclaredWrites declared;
    std::optional<overlap::Report> report; // where one is asked for
};

namespace overlap {
namespace {

template <typename Parse> int CanBeRead(Parse parse) {
    return Guarded([&] { static_cast<void>(parse()); }).ok() ? 1 : 0;
}

// Collective: `call`, and what goes with each call of a program.
template <typename Call> Status Perform(overlap_file &file, overlap_direction direction, Call call) {
    file.state.resources.patience().BeginCall();
    Status status;
    {
        const WatchedCall watched(file.state.watch, direction);
        status = Guarded(call);
    }
    file.state.in_first_call = false;
    if (file.timeline != nullptr) {
        file.timeline->AfterCall();
    }
    return status;
}

CallState CallOf(FileState &state, overlap_direction direction, const Request &request) {
    CallState call(state.KindOf(direction));
    call.calls = static_cast<std::int64_t>(request.count);
    std::size_t bytes = 0; // a sum that no number holds is an error of BuildAccess
    for (std::size_t i = 0; i < request.count; ++i) {
        bytes += request.accesses[i]->bytes;
        call.status.Merge(Status(request.accesses[i]->error));
    }
    call.bytes = static_cast<ByteCount>(bytes);
    if (call.status.ok()) {
        call.status = Guarded([&] { call.access = BuildAccess(request, direction); });
    }
    return call;
}

// What an exception ends is no call that counts: nothing is transferred then.
void Count(FileState &state, const Request &request, Status status, ByteCount done) noexcept {
    const auto calls = static_cast<std::int64_t>(request.count);
    Watch &watch = state.watch;
    watch.Count(OVERLAP_COUNT_CALLS, calls);
    watch.Count(OVERLAP_COUNT_NONBLOCKING, state.KindOf(OVERLAP_WRITE).nonblocking ? calls : 0);
    watch.Count(OVERLAP_COUNT_FAILED, status.ok() ? 0 : calls);
    watch.Count(OVERLAP_COUNT_BYTES, done);
}

Status Flush(overlap_file &file) {
    return file.declared.HasSomething() ? Perform(file, OVERLAP_WRITE, [&] { return file.declared.Flush(); }) : Status();
}

int TransferAll(overlap_file &file, overlap_direction direction, const overlap_access *access, size_t *done) {
    *done = 0;
    const Status held = direction == OVERLAP_READ ? Flush(file) : Status();
    const Request request{&access, 1};
    const Status status = Perform(file, direction, [&] {
        CallState call = CallOf(file.state, direction, request);
        Status of_call = direction == OVERLAP_WRITE ? file.declared.Write(call) : TransferCall(file.state, call);
        of_call = held.ok() ? of_call : held;
        *done = static_cast<size_t>(call.done);
        Count(file.state, request, of_call, call.done);
        return of_call;
    });
    return status.error();
}

std::string ReportOf(overlap_file &file, const char *name, const char *ignored_hints) {
    Report &report = *file.report;
    report.file = name;
    report.ignored_hints = ignored_hints;
    for (const overlap_direction direction : {OVERLAP_WRITE, OVERLAP_READ}) {
        report.of[direction].chosen = ExplainLast(file.state, direction);
    }
    const overlap_report asked = file.state.settings.report;
    return asked == OVERLAP_REPORT_JSON ? JsonOf(report) : asked == OVERLAP_REPORT_LINE ? LineOf(report) : TextOf(report);
}

} // namespace
} // namespace overlap

using overlap::Guarded;
using overlap::Status;

int overlap_is_topology(const char *text) {
    return overlap::CanBeRead([text] { return overlap::ParseTopologySpec(text); });
}

int overlap_is_topology_bandwidths(const char *text) {
    return overlap::CanBeRead([text] { return overlap::ParseBandwidths(text); });
}

int overlap_is_storage_nodes(const char *text) {
    return overlap::CanBeRead([text] { return overlap::ExpandHostList(text); });
}

overlap_file *overlap_file_open(const overlap_transport *transport, const overlap_storage *storage, const overlap_host *host,
                                const overlap_settings *settings) {
    overlap_file *opened = nullptr;
    const Status status = Guarded([&] { opened = new overlap_file(*transport, *storage, *host, *settings); });
    return status.ok() ? opened : nullptr;
}

const overlap_settings *overlap_file_settings(const overlap_file *file) { return &file->state.settings; }

char *overlap_file_report(overlap_file *file, const char *name, const char *ignored_hints, int *error) {
    char *text = nullptr;
    const Status status = Guarded([&] {
        if (!file->report.has_value()) {
            return Status();
        }
        const overlap::Watch &watch = file->state.watch;
        const Status gathered =
            file->report->Gather(file->state.team, {watch.counters(OVERLAP_WRITE), watch.counters(OVERLAP_READ)});
        if (!gathered.ok() || file->state.team.rank() != 0) {
            return gathered;
        }
        text = strdup(overlap::ReportOf(*file, name, ignored_hints).c_str());
        return Status(text == nullptr ? OVERLAP_ERR_NO_MEM : OVERLAP_SUCCESS);
    });
    *error = status.error();
    return text;
}

void overlap_file_close(overlap_file *file, int together) {
    if (file != nullptr && together != 0) {
        if (file->timeline != nullptr) {
            file->timeline->Finish();
        }
        file->state.resources.FreeTogether();
    }
    delete file;
}

int overlap_file_write_all(overlap_file *file, const overlap_access *access, size_t *on_file) {
    return overlap::TransferAll(*file, OVERLAP_WRITE, access, on_file);
}

int overlap_file_read_all(overlap_file *file, const overlap_access *access, size_t *read) {
    return overlap::TransferAll(*file, OVERLAP_READ, access, read);
}

int overlap_file_transfer_pending(overlap_file *file, overlap_direction direction, const overlap_access *const *accesses,
                                  size_t count, size_t *joined, size_t *done) {
    *joined = 1;
    *done = 0;
    overlap::FileState &state = file->state;
    const Status status = overlap::Perform(*file, direction, [&] {
        state.watch.TurnTo(overlap::Activity::kEntry);
        const overlap::ByteCount room = state.Facts().collective_buffer_size;
        Status of_call = overlap::AgreeOnJoining(state.team, direction, {accesses, count}, room, *joined);
        state.watch.TurnTo(overlap::Activity::kPlanning);
        const overlap::Request request{accesses, *joined};
        if (of_call.ok()) {
            overlap::CallState call = overlap::CallOf(state, direction, request);
            of_call = overlap::TransferCall(state, call);
            *done = static_cast<size_t>(call.done);
        }
        if (of_call.ok() || *joined == 1) { // else each is done again by itself
            overlap::Count(state, request, of_call, static_cast<overlap::ByteCount>(*done));
        }
        return of_call;
    });
    return status.error();
}

void overlap_file_declare(overlap_file *file, const char *layouts, int error) {
    std::vector<overlap::StridedList> calls;
    Status local(error);
    local.Merge(Guarded([&] { return Status(overlap::ParseLayouts(layouts, calls) ? OVERLAP_SUCCESS : OVERLAP_ERR_ARG); }));
    const overlap::WatchedCall watched(file->state.watch, OVERLAP_WRITE);
    static_cast<void>(Guarded([&] { file->declared.Declare(std::move(calls), local); })); // nothing in it throws
}

int overlap_file_declares(const overlap_file *file) { return file->declared.on() || file->declared.HasSomething() ? 1 : 0; }

int overlap_file_flush(overlap_file *file) { return overlap::Flush(*file).error(); }

int overlap_file_write_own(overlap_file *file) {
    return Guarded([&] { return file->declared.WriteOwn(); }).error();
}

int overlap_file_refuses(const overlap_file *file, int64_t first, int64_t last) {
    return file->declared.Refuses(overlap::Range{first, last}) ? 1 : 0;
}

int overlap_file_refuses_layout(const overlap_file *file, const overlap_layout *layout, size_t bytes) {
    const overlap_access access{bytes, *layout, *layout, 0, OVERLAP_SUCCESS}; // the memory is not looked at
    bool refuses = true; // also what cannot be described, which may lie anywhere
    static_cast<void>(Guarded([&] { refuses = file->declared.Refuses(overlap::BuildAccess(access).file); }));
    return refuses ? 1 : 0;
}

int64_t overlap_file_held_end(const overlap_file *file) { return file->declared.HeldEnd(); }

void overlap_file_hold(overlap_file *file, int may) { file->declared.MayHold(may != 0); }

void overlap_file_keep(overlap_file *file, int error) { file->declared.Keep(overlap::Status(error)); }
