// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// Writes down what the ranks of a file tell: rank 0's part of a timeline.
#ifndef OVERLAP_ENGINE_OBSERVE_TIMELINE_WRITER_H
#define OVERLAP_ENGINE_OBSERVE_TIMELINE_WRITER_H

#include "../base/node_map.h"
#include "chrome_text.h"
#include "teller.h"

#include <vector>

namespace overlap {

class TimelineWriter {
  public:
    /// `nodes`: of the ranks of the file. `path` as the setting has it. Throws std::bad_alloc.
    TimelineWriter(const overlap_host &host, const overlap_trace_names &names, std::string path, const NodeMap &nodes);

    /// Of each node, against this rank's, for what is written from now on.
    std::vector<ClockOffset> &clocks() noexcept { return clocks_; }

    /// Events of a rank in the order in which they ended. They may be in the file after this, and are after Flush. Throws
    /// std::bad_alloc.
    void Write(Rank rank, const Teller &teller, const std::vector<Event> &events);

    void Flush() noexcept;

    /// Why the file could not be written, an errno; nothing more is written then. 0: it could.
    int error() const noexcept { return error_; }

  private:
    struct Described {
        bool aggregates = false;
        int slots = -1; // -1: nothing is described yet
    };

    TraceProcess ProcessOf(Rank rank, const Teller &teller) const;
    void Describe(const TraceProcess &process, int slots);
    void WriteCounts(const TraceProcess &process, const std::vector<Event> &events);
    void FlushWhereLong() noexcept;
    void Warn(const char *reason) const noexcept;

    const overlap_host &host_;
    const std::string path_;
    const NodeMap nodes_;
    std::vector<int> order_; // of each rank, by nodes
    std::vector<ClockOffset> clocks_;
    std::vector<Described> described_; // of each rank
    ChromeText text_;
    int error_ = 0;
};

} // namespace overlap

#endif
