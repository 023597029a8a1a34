// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "timeline_writer.h"

#include "../base/guard.h"
#include "trace_counts.h"

#include <system_error>

namespace overlap {
namespace {

// What is kept of the text before it is written.
constexpr std::size_t kLongText = std::size_t{1} << 20;
constexpr std::size_t kReasonSize = 256;

std::vector<int> OrderByNodes(const NodeMap &nodes) {
    std::vector<int> order(static_cast<std::size_t>(nodes.ranks()));
    int next = 0;
    for (int node = 0; node < nodes.nodes(); ++node) {
        for (int i = 0; i < nodes.CountOf(node); ++i) {
            order[static_cast<std::size_t>(nodes.RankOf(node, i))] = next++;
        }
    }
    return order;
}

} // namespace

TimelineWriter::TimelineWriter(const overlap_host &host, const overlap_trace_names &names, std::string path,
                               const NodeMap &nodes)
    : host_(host), path_(std::move(path)), nodes_(nodes), order_(OrderByNodes(nodes)),
      clocks_(static_cast<std::size_t>(nodes.nodes())), described_(order_.size()),
      text_(names.file, std::to_string(names.process) + "." + std::to_string(names.number)) {}

TraceProcess TimelineWriter::ProcessOf(Rank rank, const Teller &teller) const {
    const auto index = static_cast<std::size_t>(rank);
    TraceProcess process;
    process.rank = rank;
    process.process = teller.process;
    process.handle = teller.handle;
    process.aggregates = teller.aggregates;
    process.sort_index = order_[index] + (teller.aggregates ? 0 : static_cast<int>(order_.size()));
    process.node = nodes_.NodeOf(rank);
    process.host = teller.host;
    process.clock = clocks_[static_cast<std::size_t>(process.node)];
    return process;
}

// Where clocks are measured again their process is described again.
void TimelineWriter::Describe(const TraceProcess &process, int slots) {
    Described &described = described_[static_cast<std::size_t>(process.rank)];
    const bool first = described.slots < 0;
    if (first || described.aggregates != process.aggregates || described.slots < slots) {
        text_.Describe(process, slots);
        described = Described{process.aggregates, slots};
    }
    if (first || process.node != 0) {
        text_.DescribeClock(process);
    }
}

void TimelineWriter::WriteCounts(const TraceProcess &process, const std::vector<Event> &events) {
    const Counts counts = CountsOf(events);
    for (const Count &count : counts.bytes_under_way) {
        text_.Count(process, "bytes under way", count.at, count.value);
        FlushWhereLong();
    }
    for (const Count &count : counts.dirty_sub_buffers) {
        text_.Count(process, "dirty sub-buffers", count.at, count.value);
        FlushWhereLong();
    }
}

void TimelineWriter::Write(Rank rank, const Teller &teller, const std::vector<Event> &events) {
    if (error_ != 0) {
        return;
    }
    const TraceProcess process = ProcessOf(rank, teller);
    Describe(process, teller.slots);
    for (const Event &event : events) {
        text_.Add(process, event);
        FlushWhereLong();
    }
    WriteCounts(process, events);
    if (teller.dropped > 0) {
        text_.SayDropped(process, teller.dropped, events.empty() ? 0 : events.back().end);
    }
}

void TimelineWriter::FlushWhereLong() noexcept {
    if (text_.text().size() >= kLongText) {
        Flush();
    }
}

void TimelineWriter::Flush() noexcept {
    text_.DropUnfinished();
    if (error_ == 0 && !text_.text().empty()) {
        char why[kReasonSize] = "";
        error_ = host_.append_trace(host_.self, path_.c_str(), text_.text().data(), text_.text().size(), why, sizeof why);
        if (error_ != 0) {
            Warn(why);
        }
    }
    text_.Clear();
}

void TimelineWriter::Warn(const char *reason) const noexcept {
    std::string why;
    const Status status = Guarded([&] { why = path_ + ": " + reason; });
    host_.warn(host_.self, OVERLAP_WARNING_TRACE, status.ok() ? why.c_str() : path_.c_str());
}

} // namespace overlap
