// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// The timeline of a file: what happens in its calls, made text by each rank and written down by rank 0.
#ifndef OVERLAP_ENGINE_OBSERVE_TIMELINE_H
#define OVERLAP_ENGINE_OBSERVE_TIMELINE_H

#include "../base/settings.h"
#include "../team/team.h"
#include "chrome_text.h"
#include "recorder.h"

#include <limits>
#include <map>

namespace overlap {

/// What is known after another question, asked and heard by one's own clock and answered by the other: the one with the
/// shorter round trip counts. Cristian, "Probabilistic clock synchronization", Distributed Computing 3 (1989): the answer
/// was given somewhere between question and hearing, so the middle is wrong by half of that at most.
constexpr ClockOffset Better(const ClockOffset &known, Nanoseconds asked, Nanoseconds answered, Nanoseconds heard) noexcept {
    const Nanoseconds round_trip = heard - asked;
    const Nanoseconds error = round_trip - round_trip / 2;
    return known.error == ClockOffset::kUnknown || error < known.error
               ? ClockOffset{answered - (asked + round_trip / 2), error}
               : known;
}

/// The values of a counter, each from its time on; the last is 0.
using Counter = std::map<Nanoseconds, std::int64_t>;

/// Of a rank.
struct Counts {
    Counter bytes_under_way;   // of shuffles, writes and reads that have started and have not been found complete
    Counter dirty_sub_buffers; // that hold what is not yet on file: their shuffle has ended, their write has not
};

/// `events` in the order in which they ended. Throws std::bad_alloc.
Counts CountsOf(const std::vector<Event> &events);

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
    void CollectWhere(bool due) noexcept;
    void CompareClocks() noexcept;
    ClockOffset Ask(Rank leader) noexcept;
    void Answer() noexcept;
    Nanoseconds Now() const noexcept { return NanosecondsOf(host_.seconds(host_.self)); }
    void MakeText();
    void Tell() noexcept;
    void HearAll() noexcept;
    void Append(const std::string &text) noexcept;

    const Team &team_;
    const overlap_host &host_;
    const char *const path_;
    TracedProcess process_; // this one
    ChromeText text_;
    Recorder recorder_;
    Messages messages_;
    std::vector<ClockOffset> clocks_;                             // of each node, against that of rank 0
    double collected_ = -std::numeric_limits<double>::infinity(); // when, in seconds of this rank's clock
    bool failed_ = false;                                         // on rank 0: the file cannot be written
};

} // namespace overlap

#endif
