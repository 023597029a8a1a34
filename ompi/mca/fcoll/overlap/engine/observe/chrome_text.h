// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// Events as text in Chrome's trace event format,
// https://docs.google.com/document/d/1CvAClvFfyA5R-PhYUmn5OOQtYMH4h6I0nSsKchNAySU, which Perfetto, Speedscope and
// about:tracing open.
#ifndef OVERLAP_ENGINE_OBSERVE_CHROME_TEXT_H
#define OVERLAP_ENGINE_OBSERVE_CHROME_TEXT_H

#include "clock_offset.h"

#include <string>
#include <string_view>

namespace overlap {

/// Whose events they are, and where a viewer shows them.
struct TraceProcess {
    Rank rank = 0;           // of those that have the file open
    Rank process = 0;        // pid: the rank in the job
    int handle = 0;          // of the file among those that the process has open: each has tracks of its own
    int sort_index = 0;      // of the process
    bool aggregates = false; // has written or read sub-buffers
    int node = 0;
    std::string host;
    ClockOffset clock; // of the process against that of who writes the timeline
};

/// Objects of the array "traceEvents", each followed by ",\n". All of it throws std::bad_alloc.
class ChromeText {
  public:
    /// Times in the text are multiples of this.
    static constexpr Nanoseconds kResolution = 125;

    /// `file`: its name, with which calls are shown. `opened`: stands for its having been opened and for nothing else in the
    /// job, and so before the ids of its messages.
    ChromeText(std::string file, std::string opened) : file_(std::move(file)), opened_(std::move(opened)) {}

    /// Name and place of a process and of its tracks for this file, `slots` sub-buffers.
    void Describe(const TraceProcess &process, int slots);

    /// By how much its clock is set back in what follows, and how well that is known.
    void DescribeClock(const TraceProcess &process);

    void Add(const TraceProcess &process, const Event &event);

    /// A reading of a counter of the process, `at` by its clock.
    void Count(const TraceProcess &process, const char *counter, Nanoseconds at, std::int64_t value);

    /// Says that events of the process are missing, which found no room.
    void SayDropped(const TraceProcess &process, std::int64_t events, Nanoseconds at);

    const std::string &text() const noexcept { return text_; }
    void Clear() noexcept {
        text_.clear();
        whole_ = 0;
    }

    /// Of an object that found no memory.
    void DropUnfinished() noexcept { text_.resize(whole_); }

  private:
    void Open(const char *phase, std::string_view name, const TraceProcess &process, int track);
    static Nanoseconds TimeOf(const TraceProcess &process, Nanoseconds time);
    void Time(const char *key, Nanoseconds time);
    void Number(const char *key, std::int64_t value);
    void Text(const char *key, std::string_view value);
    void AddSlice(const TraceProcess &process, const Event &event);
    void AddMessage(const TraceProcess &process, const Event &event);
    void Close() {
        text_ += "},\n";
        whole_ = text_.size();
    }

    const std::string file_;
    const std::string opened_;
    std::string text_;
    std::size_t whole_ = 0; // of the text: objects with their ends
};

/// `text` as a JSON string, without the quotes around it; what is no UTF-8 by U+FFFD.
std::string EscapeJson(std::string_view text);

} // namespace overlap

#endif
