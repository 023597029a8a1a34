// Reads: gets under shared locks. As in put_lock.cc words tell what a lock does not: each aggregator its clients that a
// sub-buffer is full, each client its aggregators that it has what it needs of it (arrivals.h).
#include "arrivals.h"
#include "calls_to_clients.h"
#include "gets.h"
#include "lock_epochs.h"

#include <algorithm>

namespace overlap {
namespace {

class GetLockShuffle final : public Shuffle {
  public:
    explicit GetLockShuffle(const ShuffleJob &job)
        : job_(job), gets_(job_), own_(job_), taken_(job_), calls_(job_, kTagFull, 0), epochs_(job_) {
        slots_.reserve(static_cast<std::size_t>(job_.slots));
        for (int slot = 0; slot < job_.slots; ++slot) {
            OfSlot &made = slots_.emplace_back(OfSlot{{}, Messages(job_.team.transport()), Status()});
            made.heard.reserve(job_.plan.shares.size());
            made.called.Reserve(job_.plan.shares.size());
        }
    }

    // An aggregator comes here only after its sub-buffers were read.
    Status Start(Cycle cycle, Slot slot) noexcept override {
        OfSlot &own = At(slot);
        Status status = taken_.Expect(cycle);
        const bool fills = std::any_of(job_.plan.owned.begin(), job_.plan.owned.end(),
                                       [cycle](const OwnedDomain &domain) { return cycle < domain.cycles(); });
        const Status shown = fills ? epochs_.WithItself(slot) : Status();
        status.Merge(shown);
        status.Merge(calls_.Start(cycle, shown.error()));
        status.Merge(job_.pack.BeginReceives(cycle, slot));
        status.Merge(own_.CopyBack(cycle, slot));
        const std::vector<Rank> &targets = gets_.Targets(cycle);
        own.heard.assign(targets.size(), OVERLAP_SUCCESS);
        for (std::size_t i = 0; i < targets.size(); ++i) {
            status.Merge(own.called.Receive(targets[i], kTagFull, &own.heard[i], 1));
        }
        return status;
    }

    Status Wait(Cycle cycle, Slot slot) noexcept override {
        Status status;
        for (; got_ <= cycle; ++got_) {
            Messages &called = At(job_.SlotOf(got_)).called;
            Status calls;
            status.Merge(calls_.LetGoOn([&](bool &done) { calls.Merge(called.Test(done)); }));
            calls.Merge(called.Wait());
            Get(got_, calls);
        }
        status.Merge(At(slot).got);
        status.Merge(calls_.LetGoOn([&](bool &done) { status.Merge(taken_.Test(cycle, slot, done)); }));
        status.Merge(taken_.Wait(cycle, slot));
        return status;
    }

    Status Test(Cycle cycle, Slot slot, bool &done) noexcept override {
        done = false;
        Status status = calls_.Progress();
        for (; got_ <= cycle; ++got_) {
            bool called = false;
            const Status tested = At(job_.SlotOf(got_)).called.Test(called);
            if (!called) {
                status.Merge(tested);
                return status;
            }
            Get(got_, tested);
        }
        status.Merge(At(slot).got);
        status.Merge(taken_.Test(cycle, slot, done));
        return status;
    }

    Status Finish() noexcept override {
        Status status = calls_.Finish();
        status.Merge(taken_.Finish());
        status.Merge(job_.pack.Finish());
        return status;
    }

  private:
    struct OfSlot {
        std::vector<std::int64_t> heard; // from aggregators
        Messages called;                 // by them
        Status got;
    };

    OfSlot &At(Slot slot) { return slots_[static_cast<std::size_t>(slot)]; }

    // Cycles come here in their order, whatever is waited for first, so that each word meets the receive of its cycle.
    void Get(Cycle cycle, Status called) noexcept {
        const Slot slot = job_.SlotOf(cycle);
        Status &got = At(slot).got;
        const std::vector<Rank> &targets = gets_.Targets(cycle);
        got = called;
        for (const std::int64_t word : At(slot).heard) {
            got.Merge(Status(static_cast<int>(word)));
        }
        got.Merge(got.ok() ? epochs_.Begin(slot, targets) : Status());
        if (got.ok()) {
            got = gets_.Get(cycle, slot);
        }
        got.Merge(epochs_.Flush(slot));
        got.Merge(epochs_.End(slot));
        got.Merge(gets_.Unpack(slot, got));
        got.Merge(taken_.Tell(slot, targets, Status()));
    }

    const ShuffleJob job_;
    Gets gets_;
    OwnShares own_;
    Arrivals taken_;       // words of clients
    CallsToClients calls_; // that the sub-buffer is full, and whether they can see what is in it
    LockEpochs epochs_;
    std::vector<OfSlot> slots_;
    Cycle got_ = 0; // the first cycle whose gets have not begun
};

} // namespace

std::unique_ptr<Shuffle> MakeGetLockShuffle(const ShuffleJob &job) { return std::make_unique<GetLockShuffle>(job); }

} // namespace overlap
