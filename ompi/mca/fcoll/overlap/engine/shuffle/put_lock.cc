// Puts under shared locks, as no two ranks put the same byte (Feki & Gabriel, section III-B).
//
// A lock says neither that all data of a cycle has arrived nor that a sub-buffer may be filled again. The paper has a
// barrier of all ranks for each; here the same is told by messages to those whom it concerns, the aggregators of the data
// (arrivals.h) and the ranks that have some, so that no rank waits for others that it has nothing to do with.
#include "arrivals.h"
#include "calls_to_clients.h"
#include "lock_epochs.h"
#include "puts.h"

namespace overlap {
namespace {

class PutLockShuffle final : public Shuffle {
  public:
    explicit PutLockShuffle(const ShuffleJob &job)
        : job_(job), puts_(job_), own_(job_), arrivals_(job_), calls_(job_, job_.slots), epochs_(job_),
          free_(job_.team.transport()), slots_(static_cast<std::size_t>(job_.slots)) {
        free_.Reserve(job_.plan.shares.size());
        freed_.reserve(job_.plan.shares.size());
    }

    Status Start(Cycle cycle, Slot slot) noexcept override {
        const bool used_before = cycle >= job_.slots;
        OfSlot &own = At(slot);
        job_.pack.BeginSends(cycle, slot);
        Status status = arrivals_.Expect(cycle);
        // An aggregator comes here only when what the slot held before is written.
        status.Merge(used_before ? calls_.Start(cycle, OVERLAP_SUCCESS) : Status());
        const std::vector<Rank> &targets = puts_.Targets(cycle);
        own.puts = used_before ? WaitUntilFree(targets) : Status();
        own.puts.Merge(job_.pack.Packed(slot));
        own.puts.Merge(epochs_.Begin(slot, targets));
        if (own.puts.ok()) {
            own.puts = puts_.Put(cycle, slot);
        }
        job_.pack.PackAhead(cycle + 1);
        return status;
    }

    Status Wait(Cycle cycle, Slot slot) noexcept override {
        Status status = EndPuts(cycle, slot);
        status.Merge(calls_.LetGoOn([&](bool &done) { status.Merge(arrivals_.Test(cycle, slot, done)); }));
        status.Merge(arrivals_.Wait(cycle, slot));
        status.Merge(TakeArrivals(cycle, slot));
        return status;
    }

    Status Test(Cycle cycle, Slot slot, bool &done) noexcept override {
        Status status = calls_.Progress();
        status.Merge(EndPuts(cycle, slot));
        status.Merge(arrivals_.Test(cycle, slot, done));
        if (done) {
            status.Merge(TakeArrivals(cycle, slot));
        }
        return status;
    }

    Status Finish() noexcept override {
        Status status = calls_.Finish();
        status.Merge(arrivals_.Finish());
        return status;
    }

  private:
    struct OfSlot {
        Status puts;      // of the cycle, up to the end of its locks
        Cycle ended = -1; // the last cycle whose puts have ended
    };

    OfSlot &At(Slot slot) { return slots_[static_cast<std::size_t>(slot)]; }

    // Once for each cycle: the aggregators have this rank's data, and are told so. Cycles come here in their order, whatever
    // completes first, so that each message meets the receive of its cycle.
    Status EndPuts(Cycle cycle, Slot slot) noexcept {
        OfSlot &own = At(slot);
        if (own.ended == cycle) {
            return Status();
        }
        own.ended = cycle;
        own.puts.Merge(epochs_.End(slot));
        Status status;
        status.Merge(calls_.LetGoOn([&](bool &done) { status.Merge(arrivals_.TestTold(slot, done)); }));
        status.Merge(arrivals_.Tell(slot, puts_.Targets(cycle), own.puts));
        status.Merge(own.puts);
        return status;
    }

    // All data has arrived.
    Status TakeArrivals(Cycle cycle, Slot slot) noexcept {
        if (job_.plan.owned.empty()) {
            return Status();
        }
        Status status = epochs_.WithItself(slot);
        status.Merge(own_.Copy(cycle, slot));
        return status;
    }

    Status WaitUntilFree(const std::vector<Rank> &targets) noexcept {
        Status status;
        freed_.assign(targets.size(), OVERLAP_SUCCESS);
        for (std::size_t i = 0; i < targets.size(); ++i) {
            status.Merge(free_.Receive(targets[i], kTagFree, &freed_[i], 1));
        }
        status.Merge(calls_.LetGoOn([&](bool &done) { status.Merge(free_.Test(done)); }));
        status.Merge(free_.Wait());
        return status;
    }

    const ShuffleJob job_;
    Puts puts_;
    OwnShares own_;
    Arrivals arrivals_;
    CallsToClients calls_; // that the sub-buffer is free
    LockEpochs epochs_;
    std::vector<std::int64_t> freed_; // words without a meaning, from aggregators
    Messages free_;                   // with these
    std::vector<OfSlot> slots_;
};

} // namespace

std::unique_ptr<Shuffle> MakePutLockShuffle(const ShuffleJob &job) { return std::make_unique<PutLockShuffle>(job); }

} // namespace overlap
