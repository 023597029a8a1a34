#include "cycle_writer.h"

#include <algorithm>

namespace overlap {

// After the first failure no write starts, so that at most the cycles that were under way then, and those that a schedule
// had passed over, lack bytes.
CycleWriter::CycleWriter(const Plan &plan, const SubBuffers &buffers, Writer &writer, int slots)
    : plan_(plan), buffers_(buffers), writer_(writer) {
    missing_.reserve(2 * static_cast<std::size_t>(slots) * plan.owned.size());
    extents_.reserve(plan.most_extents);
}

const Extents &CycleWriter::ExtentsOf(std::size_t owned, Cycle cycle, Slot slot) noexcept {
    const OwnedDomain &domain = plan_.owned[owned];
    const ByteCount base = domain.First(cycle);
    char *const buffer = buffers_.At(slot, owned);
    extents_.clear();
    domain.coverage.data.ForEach(base, domain.Last(cycle), [&](const Run &run, ByteCount position) {
        char *address = buffer + (position - base);
        for (std::int64_t block = 0; block < run.count; ++block, address += run.length) {
            domain.layout.ForEachPiece(run.start + block * run.stride, run.length,
                                       [&](FileOffset offset, ByteCount length, ByteCount before) {
                                           extents_.push_back(overlap_extent{offset + distance_, address + before,
                                                                             static_cast<std::size_t>(length)});
                                       });
        }
    });
    return extents_;
}

void CycleWriter::Record(std::size_t owned, Cycle cycle, Status status, ByteCount written) noexcept {
    const OwnedDomain &domain = plan_.owned[owned];
    const ByteCount position = domain.First(cycle) + written;
    if (position < domain.Last(cycle)) {
        missing_.push_back(Missing{owned, cycle, domain.coverage.data.StartOf(position)});
    }
    status_.Merge(status);
}

void CycleWriter::Skip(std::size_t first_owned, Cycle cycle) noexcept {
    for (std::size_t i = first_owned; i < plan_.owned.size() && cycle < begun_; ++i) {
        if (cycle < plan_.owned[i].cycles()) {
            missing_.push_back(Missing{i, cycle, plan_.owned[i].cuts.Begin(cycle)});
        }
    }
}

void CycleWriter::Expect(Cycle cycle, Slot slot) noexcept {
    for (std::size_t i = 0; i < plan_.owned.size() && status_.ok() && writer_.ReadsGaps(); ++i) {
        if (cycle < plan_.owned[i].cycles() && !plan_.owned[i].coverage.gapless()) {
            writer_.Expect(ExtentsOf(i, cycle, slot));
        }
    }
}

void CycleWriter::Write(Cycle cycle, Slot slot) noexcept {
    begun_ = status_.ok() ? std::max(begun_, cycle + 1) : begun_;
    std::size_t next = 0;
    for (; next < plan_.owned.size() && status_.ok(); ++next) {
        if (cycle < plan_.owned[next].cycles()) {
            ByteCount written = 0;
            const Status status = writer_.Write(ExtentsOf(next, cycle, slot), written);
            Record(next, cycle, status, written);
        }
    }
    Skip(next, cycle);
}

void CycleWriter::Start(Cycle cycle, Slot slot) noexcept {
    started_[static_cast<std::size_t>(slot)] = status_.ok();
    if (!status_.ok()) {
        Skip(0, cycle);
        return;
    }
    begun_ = std::max(begun_, cycle + 1);
    for (std::size_t i = 0; i < plan_.owned.size(); ++i) {
        if (cycle < plan_.owned[i].cycles()) {
            writer_.Start(Lane(i, slot), ExtentsOf(i, cycle, slot));
        }
    }
}

bool CycleWriter::Done(Cycle cycle, Slot slot) noexcept {
    for (std::size_t i = 0; i < plan_.owned.size() && started_[static_cast<std::size_t>(slot)]; ++i) {
        if (cycle < plan_.owned[i].cycles() && !writer_.Done(Lane(i, slot))) {
            return false;
        }
    }
    return true;
}

void CycleWriter::Wait(Cycle cycle, Slot slot) noexcept {
    for (std::size_t i = 0; i < plan_.owned.size() && started_[static_cast<std::size_t>(slot)]; ++i) {
        if (cycle < plan_.owned[i].cycles()) {
            ByteCount written = 0;
            const Status status = writer_.Wait(Lane(i, slot), written);
            Record(i, cycle, status, written);
        }
    }
    started_[static_cast<std::size_t>(slot)] = false;
}

ByteCount CycleWriter::OnFile(std::size_t owned, const Client &client) const noexcept {
    const Cuts &cuts = plan_.owned[owned].cuts;
    ByteCount bytes = 0;
    cuts.ForEachInterval(begun_, [&](FileOffset begin, FileOffset end) {
        bytes += client.file.BytesBefore(end) - client.file.BytesBefore(begin);
    });
    for (const Missing &missing : missing_) {
        if (missing.owned == owned) {
            bytes -= client.file.BytesBefore(cuts.End(missing.cycle)) - client.file.BytesBefore(missing.reached);
        }
    }
    return bytes;
}

} // namespace overlap
