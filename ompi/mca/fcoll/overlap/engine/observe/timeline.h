// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// The timeline of a file: what is seen of its calls, collected by rank 0 and written down there.
#ifndef OVERLAP_ENGINE_OBSERVE_TIMELINE_H
#define OVERLAP_ENGINE_OBSERVE_TIMELINE_H

#include "../base/settings.h"
#include "clock_pings.h"
#include "recorder.h"
#include "timeline_writer.h"

#include <optional>

namespace overlap {

/// Made on all ranks of a file or on none. Whatever a rank lacks, the calls continue and nobody waits for ever; the timeline
/// lacks events then.
class Timeline {
  public:
    /// Where and how large is in the settings. The host outlives it. Throws std::bad_alloc.
    Timeline(const Team &team, const overlap_host &host, const overlap_settings &settings);

    Recorder &recorder() noexcept { return recorder_; }

    /// Collective, after each call: collects after the first one, so that there is a file, and where enough time has passed
    /// or a rank has little room left.
    void AfterCall() noexcept;

    /// Collective, after the last call: what all ranks have seen is in the file when it returns on rank 0.
    void Finish() noexcept;

  private:
    bool AgreeToCollect(bool due) noexcept;
    void Collect() noexcept;
    Teller Own() const;
    void Tell() noexcept;
    void HearAll() noexcept;

    const Team &team_;
    const overlap_host &host_;
    overlap_trace_names names_{};
    EventStore store_;
    Recorder recorder_;
    ClockPings pings_;
    std::optional<TimelineWriter> writer_; // on rank 0
    double collected_ = 0;                 // when, in seconds of this rank's clock
    bool given_up_ = false;                // the file cannot be written, as all ranks know
};

} // namespace overlap

#endif
