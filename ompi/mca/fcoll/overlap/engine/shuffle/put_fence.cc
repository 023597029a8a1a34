// Puts between two fences (Feki & Gabriel, section III-B).
#include "own_shares.h"
#include "puts.h"
#include "windows.h"

namespace overlap {
namespace {

class PutFenceShuffle final : public Shuffle {
  public:
    explicit PutFenceShuffle(const ShuffleJob &job) : job_(job), puts_(job_), own_(job_) {}

    // The opening fence is what keeps a rank from filling a sub-buffer that is not written yet: its aggregator comes here
    // only after that.
    Status Start(Cycle cycle, Slot slot) override {
        Status status = Fence(slot, OVERLAP_FENCE_OPEN);
        status.Merge(puts_.Put(cycle, slot));
        return status;
    }

    Status Wait(Cycle cycle, Slot slot) override {
        const Status status = Fence(slot, OVERLAP_FENCE_CLOSE);
        own_.Copy(cycle, slot);
        return status;
    }

    Status Test(Cycle cycle, Slot slot, bool &done) override {
        done = true;
        return Wait(cycle, slot);
    }

    bool CompletesInAnyOrder() const override { return false; }

    Status Finish() override { return Status(); }

  private:
    Status Fence(Slot slot, overlap_fence fence) {
        return Status(job_.transport.window_fence(job_.transport.self, job_.windows->At(slot), fence));
    }

    const ShuffleJob job_;
    Puts puts_;
    OwnShares own_;
};

} // namespace

std::unique_ptr<Shuffle> MakePutFenceShuffle(const ShuffleJob &job) { return std::make_unique<PutFenceShuffle>(job); }

} // namespace overlap
