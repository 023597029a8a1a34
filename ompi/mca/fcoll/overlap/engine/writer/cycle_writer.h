// Writes the sub-buffers of an aggregator cycle by cycle and keeps account of what reached the file.
#ifndef OVERLAP_ENGINE_WRITER_CYCLE_WRITER_H
#define OVERLAP_ENGINE_WRITER_CYCLE_WRITER_H

#include "../plan/plan.h"
#include "../sub_buffers.h"
#include "writer.h"

namespace overlap {

/// The first failure is the last write: what comes later is skipped, what is under way is completed.
class CycleWriter {
  public:
    /// `largest_list`: as LargestList gives it. Throws std::bad_alloc.
    CycleWriter(const Plan &plan, const SubBuffers &buffers, Writer &writer, std::size_t largest_list = 0);

    /// The most extents that a cycle of an owned domain is written in.
    static std::size_t LargestList(const Plan &plan);

    /// The cycle's shuffle starts: what its write has to read may be fetched.
    void Expect(Cycle cycle, Slot slot);

    void Write(Cycle cycle, Slot slot);
    void Start(Cycle cycle, Slot slot);
    void Wait(Cycle cycle, Slot slot);

    /// Whether Wait would return at once.
    bool Done(Cycle cycle, Slot slot);

    /// Skip all writes that have not started: the data to come cannot be trusted.
    void Fail(Status status) { status_.Merge(status); }

    Status status() const { return status_; }

    /// Offset of the domain up to which the data of `cycle` in the owned domain of this index is in the file.
    FileOffset Reached(std::size_t owned, Cycle cycle) const { return reached_[owned][static_cast<std::size_t>(cycle)]; }

  private:
    const Extents &ExtentsOf(std::size_t owned, Cycle cycle, Slot slot);
    void Record(std::size_t owned, Cycle cycle, Status status, ByteCount written);
    std::size_t Lane(std::size_t owned, Slot slot) const {
        return static_cast<std::size_t>(slot) * plan_.owned.size() + owned;
    }

    const Plan &plan_;
    const SubBuffers &buffers_;
    Writer &writer_;
    std::vector<std::vector<FileOffset>> reached_; // of each owned domain and cycle
    std::vector<bool> started_;                    // of each cycle
    Extents extents_;                              // kept, so that a cycle allocates nothing
    Status status_;
};

} // namespace overlap

#endif
