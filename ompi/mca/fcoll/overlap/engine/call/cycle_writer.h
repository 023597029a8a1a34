// Writes the sub-buffers of an aggregator cycle by cycle and keeps account of what reached the file.
#ifndef OVERLAP_ENGINE_CALL_CYCLE_WRITER_H
#define OVERLAP_ENGINE_CALL_CYCLE_WRITER_H

#include "../plan/plan.h"
#include "../sub_buffers.h"
#include "../io/writer.h"

#include <array>

namespace overlap {

/// The first failure is the last write: what comes later is skipped, what is under way is completed. Takes no memory after
/// it was made.
class CycleWriter {
  public:
    /// Needs: `writer` is prepared for a lane of plan.most_extents for each slot and owned domain. Throws std::bad_alloc.
    CycleWriter(const Plan &plan, const SubBuffers &buffers, Writer &writer, int slots);

    /// All of the plan lies `distance` further on in the file. Before the first cycle.
    void MoveBy(std::int64_t distance) noexcept { distance_ = distance; }

    /// The cycle's shuffle starts: what its write has to read may be fetched.
    void Expect(Cycle cycle, Slot slot) noexcept;

    void Write(Cycle cycle, Slot slot) noexcept;
    void Start(Cycle cycle, Slot slot) noexcept;
    void Wait(Cycle cycle, Slot slot) noexcept;

    /// Whether Wait would return at once.
    bool Done(Cycle cycle, Slot slot) noexcept;

    /// Skip all writes that have not started: the data to come cannot be trusted.
    void Fail(Status status) noexcept { status_.Merge(status); }

    Status status() const noexcept { return status_; }

    /// How many bytes of `client` in the owned domain of this index are in the file. After the last Wait.
    ByteCount OnFile(std::size_t owned, const Client &client) const noexcept;

  private:
    // Of a cycle before `begun_`: the data of the owned domain from `reached` on is not in the file.
    struct Missing {
        std::size_t owned;
        Cycle cycle;
        FileOffset reached;
    };

    const Extents &ExtentsOf(std::size_t owned, Cycle cycle, Slot slot) noexcept;
    void Record(std::size_t owned, Cycle cycle, Status status, ByteCount written) noexcept;
    void Skip(std::size_t first_owned, Cycle cycle) noexcept;
    std::size_t Lane(std::size_t owned, Slot slot) const {
        return static_cast<std::size_t>(slot) * plan_.owned.size() + owned;
    }

    const Plan &plan_;
    const SubBuffers &buffers_;
    Writer &writer_;
    std::int64_t distance_ = 0;
    std::array<bool, OVERLAP_SLOTS_MAX> started_{}; // of each slot
    Cycle begun_ = 0;                               // of later cycles nothing is in the file
    std::vector<Missing> missing_;
    Extents extents_;
    Status status_;
};

} // namespace overlap

#endif
