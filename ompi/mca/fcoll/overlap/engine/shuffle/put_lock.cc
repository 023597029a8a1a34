// Puts under shared locks, as no two ranks put the same byte (Feki & Gabriel, section III-B).
//
// A lock says neither that all data of a cycle has arrived nor that a sub-buffer may be filled again. The paper has a
// barrier of all ranks for each; here the same is told by empty messages to those whom it concerns, the aggregators of the
// data and the ranks that have some, so that no rank waits for others that it has nothing to do with.
#include "../team/messages.h"
#include "own_shares.h"
#include "puts.h"
#include "windows.h"

#include <algorithm>

namespace overlap {
namespace {

class PutLockShuffle final : public Shuffle {
  public:
    explicit PutLockShuffle(const ShuffleJob &job)
        : job_(job), puts_(job_), own_(job_), free_(job_.transport), locked_(static_cast<std::size_t>(job.slots)),
          ended_(static_cast<std::size_t>(job.slots), -1) {
        for (int slot = 0; slot < job.slots; ++slot) {
            arrivals_.emplace_back(job.transport);
            told_.emplace_back(job.transport);
        }
    }

    Status Start(Cycle cycle, Slot slot) override {
        const bool used_before = cycle >= job_.slots;
        Status status = ToldOf(slot).Wait();
        FindClients(cycle);
        for (const Rank client : clients_) {
            // An aggregator comes here only when what the slot held before is written.
            status.Merge(used_before ? ToldOf(slot).Send(client, kTagFree, empty_) : Status());
            status.Merge(ArrivalsOf(slot).Receive(client, kTagArrived, empty_));
        }
        const std::vector<Rank> &targets = puts_.Targets(cycle);
        if (used_before) {
            status.Merge(WaitUntilFree(targets));
        }
        for (const Rank target : targets) {
            const Status one(job_.transport.window_lock(job_.transport.self, job_.windows->At(slot), target));
            if (one.ok()) {
                LockedOf(slot).push_back(target);
            }
            status.Merge(one);
        }
        if (status.ok()) {
            status = puts_.Put(cycle, slot);
        }
        return status;
    }

    Status Wait(Cycle cycle, Slot slot) override {
        Status status = EndPuts(cycle, slot);
        status.Merge(ArrivalsOf(slot).Wait());
        status.Merge(TakeArrivals(cycle, slot));
        return status;
    }

    Status Test(Cycle cycle, Slot slot, bool &done) override {
        Status status = EndPuts(cycle, slot);
        status.Merge(ArrivalsOf(slot).Test(done));
        if (done) {
            status.Merge(TakeArrivals(cycle, slot));
        }
        return status;
    }

    Status Finish() override {
        Status status;
        for (Messages &told : told_) {
            status.Merge(told.Wait());
        }
        return status;
    }

  private:
    // Once for each cycle: the aggregators have this rank's data, and are told so. Cycles come here in their order, whatever
    // completes first, so that each message meets the receive of its cycle.
    Status EndPuts(Cycle cycle, Slot slot) {
        Status status;
        if (ended_[static_cast<std::size_t>(slot)] == cycle) {
            return status;
        }
        ended_[static_cast<std::size_t>(slot)] = cycle;
        for (const Rank target : LockedOf(slot)) {
            status.Merge(Status(job_.transport.window_unlock(job_.transport.self, job_.windows->At(slot), target)));
        }
        LockedOf(slot).clear();
        for (const Rank target : puts_.Targets(cycle)) {
            status.Merge(ToldOf(slot).Send(target, kTagArrived, empty_));
        }
        return status;
    }

    // All data has arrived. What others have put into this rank's memory is sure to be seen by it only after an epoch of its
    // own (MPI-3.1, section 11.7).
    Status TakeArrivals(Cycle cycle, Slot slot) {
        if (job_.plan.owned.empty()) {
            return Status();
        }
        const overlap_transport &transport = job_.transport;
        Status status(transport.window_lock(transport.self, job_.windows->At(slot), transport.rank));
        if (status.ok()) {
            status = Status(transport.window_unlock(transport.self, job_.windows->At(slot), transport.rank));
        }
        own_.Copy(cycle, slot);
        return status;
    }

    // Leaves in clients_ the other ranks that send this one data of `cycle`, ascending.
    void FindClients(Cycle cycle) {
        clients_.clear();
        for (const OwnedDomain &domain : job_.plan.owned) {
            for (const Client &client : domain.clients) {
                if (client.rank != job_.transport.rank && HasData(domain, client, cycle)) {
                    clients_.push_back(client.rank);
                }
            }
        }
        std::sort(clients_.begin(), clients_.end());
        clients_.erase(std::unique(clients_.begin(), clients_.end()), clients_.end());
    }

    static bool HasData(const OwnedDomain &domain, const Client &client, Cycle cycle) {
        return cycle < domain.cycles() &&
               client.file.BytesBefore(domain.cuts.Begin(cycle)) < client.file.BytesBefore(domain.cuts.End(cycle));
    }

    Status WaitUntilFree(const std::vector<Rank> &targets) {
        Status status;
        for (const Rank target : targets) {
            status.Merge(free_.Receive(target, kTagFree, empty_));
        }
        status.Merge(free_.Wait());
        return status;
    }

    Messages &ArrivalsOf(Slot slot) { return arrivals_[static_cast<std::size_t>(slot)]; }
    Messages &ToldOf(Slot slot) { return told_[static_cast<std::size_t>(slot)]; }
    std::vector<Rank> &LockedOf(Slot slot) { return locked_[static_cast<std::size_t>(slot)]; }

    const ShuffleJob job_;
    Puts puts_;
    OwnShares own_;
    std::vector<Messages> arrivals_;        // of each slot: from clients, that their data is there
    std::vector<Messages> told_;            // of each slot: to clients and aggregators
    Messages free_;                         // from aggregators, that a sub-buffer may be filled again
    std::vector<std::vector<Rank>> locked_; // of each slot
    std::vector<Cycle> ended_;              // of each slot: the last cycle whose puts have ended
    std::vector<Rank> clients_;             // kept, so that a cycle allocates nothing
    char nothing_ = 0;
    const Pieces empty_{overlap_piece{&nothing_, 0, 0, 1}}; // a message without bytes
};

} // namespace

std::unique_ptr<Shuffle> MakePutLockShuffle(const ShuffleJob &job) { return std::make_unique<PutLockShuffle>(job); }

} // namespace overlap
