// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// Events as text in Chrome's trace event format,
// https://docs.google.com/document/d/1CvAClvFfyA5R-PhYUmn5OOQtYMH4h6I0nSsKchNAySU, which Perfetto, Speedscope and
// about:tracing open.
#ifndef OVERLAP_ENGINE_OBSERVE_CHROME_TEXT_H
#define OVERLAP_ENGINE_OBSERVE_CHROME_TEXT_H

#include "event.h"
#include "json_text.h"

#include <string>

namespace overlap {

/// The other clock shows `ahead` more, and is off that by no more than `error`, whatever the ways there and back take.
struct ClockOffset {
    static constexpr Nanoseconds kUnknown = -1;

    Nanoseconds ahead = 0;
    Nanoseconds error = 0; // kUnknown: no answer came
};

/// The process whose events are shown.
struct TracedProcess {
    Rank process = 0; // pid: the rank in the job
    int handle = 0;   // of the file among those that the process has open: each has tracks of its own
    std::string file; // its name, with which calls are shown
    std::string host;
    Rank rank = 0; // of those that have the file open
    int node = 0;
    std::int64_t opened = 0; // stands for the file's having been opened and for nothing else in the job
    int slots = 0;           // sub-buffers that it has used
    bool aggregates = false; // it has written or read sub-buffers
    ClockOffset clock;       // against that of rank 0
};

/// Objects of the array "traceEvents", each followed by ",\n". All of it throws std::bad_alloc; there is no part of an
/// object then.
class ChromeText {
  public:
    /// Times in the text are multiples of this: eighths of a microsecond, so that what viewers add up in double precision is
    /// exact, and what begins where another slice ends is not taken to lie in it.
    static constexpr Nanoseconds kResolution = 125;

    /// It may change, and has to outlive this.
    explicit ChromeText(const TracedProcess &process) : process_(process) {}

    /// Name and place of the process and of its tracks for this file. Aggregators come before the others of `ranks`.
    void Describe(int ranks);

    /// By how much its clock is set back in what follows, and how well that is known.
    void DescribeClock();

    void Add(const Event &event);

    /// A reading of a counter of the process, `at` by its clock.
    void Count(const char *counter, Nanoseconds at, std::int64_t value);

    /// Says that so many events are missing, which found no room.
    void SayDropped(std::int64_t events, Nanoseconds at);

    const std::string &text() const noexcept { return text_; }
    void Clear() noexcept { std::string().swap(text_); }

  private:
    void Open(const char *phase, std::string_view name, int track);
    void Close();
    void AddTime(const char *key, Nanoseconds time);
    void AddSlice(const Event &event);
    void AddMessage(const Event &event);
    int TrackOf(Slot slot) const;
    Nanoseconds TimeOf(Nanoseconds time) const;

    const TracedProcess &process_;
    JsonText object_;
    std::string text_;
};

} // namespace overlap

#endif
