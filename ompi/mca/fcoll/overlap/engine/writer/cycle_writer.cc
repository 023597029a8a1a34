#include "cycle_writer.h"

#include <algorithm>

namespace overlap {

std::size_t CycleWriter::LargestList(const Plan &plan) {
    std::size_t largest = 0;
    for (const OwnedDomain &domain : plan.owned) {
        for (Cycle cycle = 0; cycle < domain.cycles(); ++cycle) {
            std::size_t extents = 0;
            domain.coverage.data.ForEach(domain.First(cycle), domain.Last(cycle), [&](const Run &run, ByteCount) {
                extents += domain.dealing.domains == 1 ? static_cast<std::size_t>(run.count) : 0;
                for (std::int64_t block = 0; domain.dealing.domains != 1 && block < run.count; ++block) {
                    domain.dealing.ForEachPiece(run.start + block * run.stride, run.length,
                                                [&extents](FileOffset, ByteCount, ByteCount) { ++extents; });
                }
            });
            largest = std::max(largest, extents);
        }
    }
    return largest;
}

CycleWriter::CycleWriter(const Plan &plan, const SubBuffers &buffers, Writer &writer, std::size_t largest_list)
    : plan_(plan), buffers_(buffers), writer_(writer), started_(static_cast<std::size_t>(plan.cycles), false) {
    extents_.reserve(largest_list);
    for (const OwnedDomain &domain : plan.owned) {
        // A cycle that is never written has reached no further than its start.
        std::vector<FileOffset> &reached = reached_.emplace_back();
        reached.reserve(static_cast<std::size_t>(domain.cycles()));
        for (Cycle cycle = 0; cycle < domain.cycles(); ++cycle) {
            reached.push_back(domain.cuts.Begin(cycle));
        }
    }
}

const Extents &CycleWriter::ExtentsOf(std::size_t owned, Cycle cycle, Slot slot) {
    const OwnedDomain &domain = plan_.owned[owned];
    const ByteCount base = domain.First(cycle);
    char *const buffer = buffers_.At(slot, owned);
    extents_.clear();
    domain.coverage.data.ForEach(base, domain.Last(cycle), [&](const Run &run, ByteCount position) {
        char *address = buffer + (position - base);
        for (std::int64_t block = 0; block < run.count; ++block, address += run.length) {
            domain.dealing.ForEachPiece(
                run.start + block * run.stride, run.length, [&](FileOffset offset, ByteCount length, ByteCount before) {
                    extents_.push_back(overlap_extent{offset, address + before, static_cast<std::size_t>(length)});
                });
        }
    });
    return extents_;
}

void CycleWriter::Record(std::size_t owned, Cycle cycle, Status status, ByteCount written) {
    const OwnedDomain &domain = plan_.owned[owned];
    const ByteCount position = domain.First(cycle) + written;
    const auto index = static_cast<std::size_t>(cycle);
    reached_[owned][index] =
        position == domain.Last(cycle) ? domain.cuts.End(cycle) : domain.coverage.data.StartOf(position);
    status_.Merge(status);
}

void CycleWriter::Expect(Cycle cycle, Slot slot) {
    for (std::size_t i = 0; i < plan_.owned.size() && status_.ok() && writer_.ReadsGaps(); ++i) {
        if (cycle < plan_.owned[i].cycles() && !plan_.owned[i].coverage.gapless()) {
            writer_.Expect(ExtentsOf(i, cycle, slot));
        }
    }
}

void CycleWriter::Write(Cycle cycle, Slot slot) {
    for (std::size_t i = 0; i < plan_.owned.size(); ++i) {
        if (status_.ok() && cycle < plan_.owned[i].cycles()) {
            ByteCount written = 0;
            const Status status = writer_.Write(ExtentsOf(i, cycle, slot), written);
            Record(i, cycle, status, written);
        }
    }
}

void CycleWriter::Start(Cycle cycle, Slot slot) {
    if (!status_.ok()) {
        return;
    }
    started_[static_cast<std::size_t>(cycle)] = true;
    for (std::size_t i = 0; i < plan_.owned.size(); ++i) {
        if (cycle < plan_.owned[i].cycles()) {
            writer_.Start(Lane(i, slot), ExtentsOf(i, cycle, slot));
        }
    }
}

bool CycleWriter::Done(Cycle cycle, Slot slot) {
    if (!started_[static_cast<std::size_t>(cycle)]) {
        return true;
    }
    for (std::size_t i = 0; i < plan_.owned.size(); ++i) {
        if (cycle < plan_.owned[i].cycles() && !writer_.Done(Lane(i, slot))) {
            return false;
        }
    }
    return true;
}

void CycleWriter::Wait(Cycle cycle, Slot slot) {
    if (!started_[static_cast<std::size_t>(cycle)]) {
        return;
    }
    for (std::size_t i = 0; i < plan_.owned.size(); ++i) {
        if (cycle < plan_.owned[i].cycles()) {
            ByteCount written = 0;
            const Status status = writer_.Wait(Lane(i, slot), written);
            Record(i, cycle, status, written);
        }
    }
}

} // namespace overlap
