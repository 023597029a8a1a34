// Reads: gets under shared locks. As in put_lock.cc words tell what a lock does not: each aggregator its clients that a
// sub-buffer is full, each client its aggregators that it has what it needs of it (arrivals.h).
#include "arrivals.h"
#include "gets.h"
#include "lock_epochs.h"

namespace overlap {
namespace {

class GetLockShuffle final : public Shuffle {
  public:
    explicit GetLockShuffle(const ShuffleJob &job) : job_(job), gets_(job_), own_(job_), taken_(job_), epochs_(job_) {
        std::size_t clients = 0;
        for (const OwnedDomain &domain : job_.plan.owned) {
            clients += domain.clients.size();
        }
        slots_.reserve(static_cast<std::size_t>(job_.slots));
        for (int slot = 0; slot < job_.slots; ++slot) {
            OfSlot &made = slots_.emplace_back(
                OfSlot{Messages(job_.team.transport()), Messages(job_.team.transport()), 0, {}, Status()});
            made.heard.reserve(job_.plan.shares.size());
            made.calls.Reserve(clients);
            made.called.Reserve(job_.plan.shares.size());
        }
    }

    // An aggregator comes here only after its sub-buffers were read.
    Status Start(Cycle cycle, Slot slot) noexcept override {
        OfSlot &own = At(slot);
        Status status = own.calls.Wait();
        const std::vector<Rank> &clients = taken_.Expect(cycle, slot, status);
        const Status shown = clients.empty() ? Status() : epochs_.WithItself(slot);
        status.Merge(shown);
        own.said = shown.error();
        for (const Rank client : clients) {
            status.Merge(own.calls.Send(client, kTagFull, &own.said, 1));
        }
        status.Merge(own_.CopyBack(cycle, slot));
        const std::vector<Rank> &targets = gets_.Targets(cycle);
        own.heard.assign(targets.size(), OVERLAP_SUCCESS);
        for (std::size_t i = 0; i < targets.size(); ++i) {
            status.Merge(own.called.Receive(targets[i], kTagFull, &own.heard[i], 1));
        }
        return status;
    }

    Status Wait(Cycle cycle, Slot slot) noexcept override {
        for (; got_ <= cycle; ++got_) {
            Get(got_, At(job_.SlotOf(got_)).called.Wait());
        }
        Status status = At(slot).got;
        status.Merge(taken_.Wait(slot));
        return status;
    }

    Status Test(Cycle cycle, Slot slot, bool &done) noexcept override {
        done = false;
        for (; got_ <= cycle; ++got_) {
            bool called = false;
            const Status status = At(job_.SlotOf(got_)).called.Test(called);
            if (!called) {
                return status;
            }
            Get(got_, status);
        }
        Status status = At(slot).got;
        status.Merge(taken_.Test(slot, done));
        return status;
    }

    Status Finish() noexcept override {
        Status status;
        for (int slot = 0; slot < job_.slots; ++slot) {
            status.Merge(At(slot).calls.Wait());
            status.Merge(taken_.Wait(slot));
        }
        return status;
    }

  private:
    struct OfSlot {
        Messages calls;    // to clients, that the sub-buffer is full
        Messages called;   // by aggregators
        std::int64_t said; // to clients, whether they can see what is in it
        std::vector<std::int64_t> heard;
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
    Arrivals taken_; // words of clients
    LockEpochs epochs_;
    std::vector<OfSlot> slots_;
    Cycle got_ = 0; // the first cycle whose gets have not begun
};

} // namespace

std::unique_ptr<Shuffle> MakeGetLockShuffle(const ShuffleJob &job) { return std::make_unique<GetLockShuffle>(job); }

} // namespace overlap
