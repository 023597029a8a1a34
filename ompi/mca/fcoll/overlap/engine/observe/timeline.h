// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// The timeline of a file: what happens in its calls, collected by rank 0 and written down there.
#ifndef OVERLAP_ENGINE_OBSERVE_TIMELINE_H
#define OVERLAP_ENGINE_OBSERVE_TIMELINE_H

#include "../base/settings.h"
#include "chrome_text.h"
#include "recorder.h"

namespace overlap {

/// A counter shows `value` from `at` on.
struct Count {
    Nanoseconds at;
    std::int64_t value;
};

/// Of a rank. Ascending times, each once; the last value is 0.
struct Counts {
    std::vector<Count> bytes_under_way;   // of shuffles, writes and reads that have started and have not been found complete
    std::vector<Count> dirty_sub_buffers; // that hold what is not yet on file: their shuffle has ended, their write has not
};

/// Made on all ranks of a file or on none. Whatever a rank lacks, the calls continue and nobody waits for ever; the timeline
/// lacks events then.
class Timeline {
  public:
    /// Where and how large is in the settings. What it is given outlives it. Throws std::bad_alloc.
    Timeline(const Team &team, const overlap_host &host, const overlap_settings &settings);

    Recorder &recorder() noexcept { return recorder_; }

    /// Collective, after each call: collects after the first one, so that there is a file, and where enough time has passed
    /// or a rank has little room left.
    void AfterCall() noexcept;

    /// Collective, after the last call: what all ranks have seen is in the file when it returns on rank 0.
    void Finish() noexcept { CollectWhere(true); }

  private:
    // A rank of the file, as rank 0 knows it.
    struct Place {
        int order = 0;  // by nodes
        int slots = -1; // as described in the text, -1: it is not
        bool aggregates = false;
    };

    void CollectWhere(bool due) noexcept;
    TracedProcess Own() const noexcept;
    void Tell() noexcept;
    void HearAll() noexcept;
    void Write(Rank rank, TracedProcess process, const std::vector<Event> &events);
    void Describe(const TracedProcess &process);
    void WriteCounts(const TracedProcess &process, const char *name, const std::vector<Count> &counts);
    void FlushWhereLong() noexcept;
    void Flush() noexcept;

    const Team &team_;
    const overlap_host &host_;
    const char *const path_;
    const overlap_trace_names names_;
    Recorder recorder_;
    ClockPings pings_;
    double collected_ = 0;  // when, in seconds of this rank's clock
    bool given_up_ = false; // the file cannot be written, as all ranks know
    // On rank 0.
    bool failed_ = false; // the file cannot be written
    ChromeText text_;
    std::vector<Place> places_;       // of each rank
    std::vector<ClockOffset> clocks_; // of each node, against this rank's
};

/// What a rank tells rank 0. The message is empty before. Throws std::bad_alloc.
void PutEvents(const TracedProcess &process, const std::vector<Event> &events, UnsizedMessage &message);

/// Throws std::invalid_argument where `words` are not of their form, std::bad_alloc.
void TakeEvents(const Words &words, TracedProcess &process, std::vector<Event> &events);

/// `events` in the order in which they ended. Throws std::bad_alloc.
Counts CountsOf(const std::vector<Event> &events);

} // namespace overlap

#endif
