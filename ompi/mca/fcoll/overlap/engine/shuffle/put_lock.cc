// Puts under shared locks, as no two ranks put the same byte; barriers say what a lock does not: that all data has arrived,
// and that a sub-buffer may be filled again (Feki & Gabriel, section III-B).
//
// Only an aggregator needs to know that the data is there, so the others wait for that barrier when they come to the slot
// again.
#include "../messages.h"
#include "own_shares.h"
#include "puts.h"
#include "windows.h"

namespace overlap {
namespace {

class PutLockShuffle final : public Shuffle {
  public:
    explicit PutLockShuffle(const ShuffleJob &job)
        : job_(job), puts_(job_), own_(job_), locked_(static_cast<std::size_t>(job.slots)) {
        for (int slot = 0; slot < job.slots; ++slot) {
            arrived_.emplace_back(job.transport);
        }
    }

    Status Start(Cycle cycle, Slot slot) override {
        Status status;
        if (cycle >= job_.slots) {
            status.Merge(ArrivedOf(slot).Wait());
            Messages written(job_.transport);
            status.Merge(written.Barrier());
            status.Merge(written.Wait());
        }
        std::vector<Rank> &locked = LockedOf(slot);
        for (const Rank target : puts_.Targets(cycle)) {
            const Status one(job_.transport.window_lock(job_.transport.self, job_.windows->At(slot), target));
            if (one.ok()) {
                locked.push_back(target);
            }
            status.Merge(one);
        }
        if (status.ok()) {
            status = puts_.Put(cycle, slot);
        }
        return status;
    }

    Status Wait(Cycle cycle, Slot slot) override {
        Status status;
        for (const Rank target : LockedOf(slot)) {
            status.Merge(Status(job_.transport.window_unlock(job_.transport.self, job_.windows->At(slot), target)));
        }
        LockedOf(slot).clear();
        status.Merge(ArrivedOf(slot).Barrier());
        if (!job_.plan.owned.empty()) {
            status.Merge(ArrivedOf(slot).Wait());
            own_.Copy(cycle, slot);
        }
        return status;
    }

    Status Finish() override {
        Status status;
        for (Messages &arrived : arrived_) {
            status.Merge(arrived.Wait());
        }
        return status;
    }

  private:
    Messages &ArrivedOf(Slot slot) { return arrived_[static_cast<std::size_t>(slot)]; }
    std::vector<Rank> &LockedOf(Slot slot) { return locked_[static_cast<std::size_t>(slot)]; }

    const ShuffleJob job_;
    Puts puts_;
    OwnShares own_;
    std::vector<Messages> arrived_;         // of each slot: the barrier behind its last cycle
    std::vector<std::vector<Rank>> locked_; // of each slot
};

} // namespace

std::unique_ptr<Shuffle> MakePutLockShuffle(const ShuffleJob &job) { return std::make_unique<PutLockShuffle>(job); }

} // namespace overlap
