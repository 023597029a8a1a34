// Puts under shared locks, as no two ranks put the same byte (Feki & Gabriel, section III-B).
//
// A lock says neither that all data of a cycle has arrived nor that a sub-buffer may be filled again. The paper has a
// barrier of all ranks for each; here the same is told by messages to those whom it concerns, the aggregators of the data
// (arrivals.h) and the ranks that have some, so that no rank waits for others that it has nothing to do with.
#include "arrivals.h"
#include "lock_epochs.h"
#include "puts.h"

namespace overlap {
namespace {

constexpr overlap_piece kNothing{nullptr, 0, 0, 1}; // a message without bytes

class PutLockShuffle final : public Shuffle {
  public:
    explicit PutLockShuffle(const ShuffleJob &job)
        : job_(job), puts_(job_), own_(job_), arrivals_(job_), epochs_(job_), free_(job_.team.transport()) {
        std::size_t clients = 0;
        for (const OwnedDomain &domain : job_.plan.owned) {
            clients += domain.clients.size();
        }
        slots_.reserve(static_cast<std::size_t>(job_.slots));
        for (int slot = 0; slot < job_.slots; ++slot) {
            OfSlot &made = slots_.emplace_back(OfSlot{Messages(job_.team.transport()), Status(), -1});
            made.calls.Reserve(clients);
        }
        free_.Reserve(job_.plan.shares.size());
    }

    Status Start(Cycle cycle, Slot slot) noexcept override {
        const bool used_before = cycle >= job_.slots;
        OfSlot &own = At(slot);
        Status status = own.calls.Wait();
        for (const Rank client : arrivals_.Expect(cycle, slot, status)) {
            // An aggregator comes here only when what the slot held before is written.
            status.Merge(used_before ? own.calls.Send(client, kTagFree, &kNothing, 1) : Status());
        }
        const std::vector<Rank> &targets = puts_.Targets(cycle);
        own.puts = used_before ? WaitUntilFree(targets) : Status();
        own.puts.Merge(epochs_.Begin(slot, targets));
        if (own.puts.ok()) {
            own.puts = puts_.Put(cycle, slot);
        }
        return status;
    }

    Status Wait(Cycle cycle, Slot slot) noexcept override {
        Status status = EndPuts(cycle, slot);
        status.Merge(arrivals_.Wait(slot));
        status.Merge(TakeArrivals(cycle, slot));
        return status;
    }

    Status Test(Cycle cycle, Slot slot, bool &done) noexcept override {
        Status status = EndPuts(cycle, slot);
        status.Merge(arrivals_.Test(slot, done));
        if (done) {
            status.Merge(TakeArrivals(cycle, slot));
        }
        return status;
    }

    Status Finish() noexcept override {
        Status status;
        for (int slot = 0; slot < job_.slots; ++slot) {
            status.Merge(At(slot).calls.Wait());
            status.Merge(arrivals_.Wait(slot));
        }
        return status;
    }

  private:
    struct OfSlot {
        Messages calls; // to clients, that the sub-buffer is free
        Status puts;    // of the cycle, up to the end of its locks
        Cycle ended;    // the last cycle whose puts have ended
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
        Status status = arrivals_.Tell(slot, puts_.Targets(cycle), own.puts);
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
        for (const Rank target : targets) {
            status.Merge(free_.Receive(target, kTagFree, &kNothing, 1));
        }
        status.Merge(free_.Wait());
        return status;
    }

    const ShuffleJob job_;
    Puts puts_;
    OwnShares own_;
    Arrivals arrivals_;
    LockEpochs epochs_;
    Messages free_; // from aggregators
    std::vector<OfSlot> slots_;
};

} // namespace

std::unique_ptr<Shuffle> MakePutLockShuffle(const ShuffleJob &job) { return std::make_unique<PutLockShuffle>(job); }

} // namespace overlap
