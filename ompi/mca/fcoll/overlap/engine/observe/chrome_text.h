// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// Events as text in Chrome's trace event format,
// https://docs.google.com/document/d/1CvAClvFfyA5R-PhYUmn5OOQtYMH4h6I0nSsKchNAySU, which Perfetto, Speedscope and
// about:tracing open.
#ifndef OVERLAP_ENGINE_OBSERVE_CHROME_TEXT_H
#define OVERLAP_ENGINE_OBSERVE_CHROME_TEXT_H

#include "clock_pings.h"
#include "json_text.h"

#include <string>

namespace overlap {

/// A process whose events are shown. It is sent to rank 0 as words.
struct TracedProcess {
    // What it says of itself.
    Rank process = 0;         // pid: the rank in the job
    int handle = 0;           // of the file among those that the process has open: each has tracks of its own
    int slots = 0;            // sub-buffers that it has used
    int aggregates = 0;       // 1: has written or read sub-buffers
    std::int64_t dropped = 0; // events that found no room
    char host[256] = "";
    // What rank 0 adds.
    Rank rank = 0; // of those that have the file open
    int node = 0;
    std::int64_t sort_index = 0;
    ClockOffset clock; // against that of who writes the timeline
};

/// Objects of the array "traceEvents", each followed by ",\n". All of it throws std::bad_alloc; there is no part of an
/// object then.
class ChromeText {
  public:
    /// Times in the text are multiples of this: eighths of a microsecond, so that what viewers add up in double precision is
    /// exact, and what begins where another slice ends is not taken to lie in it.
    static constexpr Nanoseconds kResolution = 125;

    /// `file`: its name, with which calls are shown. `opened`: stands for its having been opened and for nothing else in the
    /// job, and so before the ids of its messages.
    ChromeText(std::string file, std::string opened) : file_(std::move(file)), opened_(std::move(opened)) {}

    /// Name and place of a process and of its tracks for this file.
    void Describe(const TracedProcess &process);

    /// By how much its clock is set back in what follows, and how well that is known.
    void DescribeClock(const TracedProcess &process);

    void Add(const TracedProcess &process, const Event &event);

    /// A reading of a counter of the process, `at` by its clock.
    void Count(const TracedProcess &process, const char *counter, Nanoseconds at, std::int64_t value);

    /// Says that events of the process are missing, which found no room.
    void SayDropped(const TracedProcess &process, Nanoseconds at);

    const std::string &text() const noexcept { return text_; }
    void Clear() noexcept { text_.clear(); }

  private:
    void Open(const char *phase, std::string_view name, const TracedProcess &process, int track);
    void Close();
    void AddTime(const char *key, Nanoseconds time);
    void AddSlice(const TracedProcess &process, const Event &event);
    void AddMessage(const TracedProcess &process, const Event &event);

    const std::string file_;
    const std::string opened_;
    JsonText object_;
    std::string text_;
};

} // namespace overlap

#endif
