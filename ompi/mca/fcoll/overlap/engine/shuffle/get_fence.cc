// Reads: gets between two fences. The opening one says that the sub-buffers of a cycle are full, the closing one that they
// may be filled again.
#include "gets.h"
#include "incoming.h"
#include "windows.h"

#include <array>

namespace overlap {
namespace {

class GetFenceShuffle final : public Shuffle {
  public:
    explicit GetFenceShuffle(const ShuffleJob &job) : job_(job), gets_(job_), own_(job_) {}

    // An aggregator comes here only after its sub-buffers were read.
    Status Start(Cycle cycle, Slot slot) noexcept override {
        Status own = job_.pack.BeginReceives(cycle, slot);
        own.Merge(own_.CopyBack(cycle, slot));
        Status &got = got_of_slot_[static_cast<std::size_t>(slot)];
        got = Fence(slot, OVERLAP_FENCE_OPEN);
        got.Merge(gets_.Get(cycle, slot));
        return own;
    }

    Status Wait(Cycle /*cycle*/, Slot slot) noexcept override {
        Status got = got_of_slot_[static_cast<std::size_t>(slot)];
        got.Merge(Fence(slot, OVERLAP_FENCE_CLOSE));
        got.Merge(gets_.Unpack(slot, got));
        return got;
    }

    Status Test(Cycle cycle, Slot slot, bool &done) noexcept override {
        done = true;
        return Wait(cycle, slot);
    }

    bool CompletesInAnyOrder() const noexcept override { return false; }

    Status Finish() noexcept override { return job_.pack.Finish(); }

  private:
    Status Fence(Slot slot, overlap_fence fence) noexcept {
        const overlap_transport &transport = job_.team.transport();
        return Status(transport.window_fence(transport.self, job_.windows->At(slot), fence));
    }

    const ShuffleJob job_;
    Gets gets_;
    OwnShares own_;
    std::array<Status, OVERLAP_SLOTS_MAX> got_of_slot_;
};

} // namespace

std::unique_ptr<Shuffle> MakeGetFenceShuffle(const ShuffleJob &job) { return std::make_unique<GetFenceShuffle>(job); }

} // namespace overlap
