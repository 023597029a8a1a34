// Puts between two fences (Feki & Gabriel, section III-B). A word of each origin follows the closing one (arrivals.h).
#include "arrivals.h"
#include "puts.h"
#include "windows.h"

#include <array>

namespace overlap {
namespace {

class PutFenceShuffle final : public Shuffle {
  public:
    explicit PutFenceShuffle(const ShuffleJob &job) : job_(job), puts_(job_), own_(job_), arrivals_(job_) {}

    // The opening fence is what keeps a rank from filling a sub-buffer that is not written yet: its aggregator comes here
    // only after that.
    Status Start(Cycle cycle, Slot slot) noexcept override {
        const Status status = arrivals_.Expect(cycle);
        Status &puts = puts_of_slot_[static_cast<std::size_t>(slot)];
        job_.pack.BeginSends(cycle, slot);
        puts = Fence(slot, OVERLAP_FENCE_OPEN);
        puts.Merge(job_.pack.Packed(slot));
        puts.Merge(puts_.Put(cycle, slot));
        job_.pack.PackAhead(cycle + 1);
        return status;
    }

    Status Wait(Cycle cycle, Slot slot) noexcept override {
        Status puts = puts_of_slot_[static_cast<std::size_t>(slot)];
        puts.Merge(Fence(slot, OVERLAP_FENCE_CLOSE));
        Status status = arrivals_.Tell(slot, puts_.Targets(cycle), puts);
        status.Merge(puts);
        status.Merge(own_.Copy(cycle, slot));
        status.Merge(arrivals_.Wait(cycle, slot));
        return status;
    }

    Status Test(Cycle cycle, Slot slot, bool &done) noexcept override {
        done = true;
        return Wait(cycle, slot);
    }

    bool CompletesInAnyOrder() const noexcept override { return false; }

    Status Finish() noexcept override { return arrivals_.Finish(); }

  private:
    Status Fence(Slot slot, overlap_fence fence) noexcept {
        const overlap_transport &transport = job_.team.transport();
        return Status(transport.window_fence(transport.self, job_.windows->At(slot), fence));
    }

    const ShuffleJob job_;
    Puts puts_;
    OwnShares own_;
    Arrivals arrivals_;
    std::array<Status, OVERLAP_SLOTS_MAX> puts_of_slot_;
};

} // namespace

std::unique_ptr<Shuffle> MakePutFenceShuffle(const ShuffleJob &job) { return std::make_unique<PutFenceShuffle>(job); }

} // namespace overlap
