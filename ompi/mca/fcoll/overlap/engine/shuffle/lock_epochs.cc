#include "lock_epochs.h"

#include "windows.h"

namespace overlap {

LockEpochs::LockEpochs(const ShuffleJob &job) : job_(job), locked_(static_cast<std::size_t>(job.slots)) {
    for (std::vector<Rank> &of_slot : locked_) {
        of_slot.reserve(job_.plan.shares.size());
    }
}

Status LockEpochs::Begin(Slot slot, const std::vector<Rank> &targets) noexcept {
    const overlap_transport &transport = job_.team.transport();
    Status status;
    for (const Rank target : targets) {
        const Status one(transport.window_lock(transport.self, job_.windows->At(slot), target));
        if (one.ok()) {
            locked_[static_cast<std::size_t>(slot)].push_back(target);
        }
        status.Merge(one);
    }
    return status;
}

Status LockEpochs::End(Slot slot) noexcept {
    const overlap_transport &transport = job_.team.transport();
    std::vector<Rank> &locked = locked_[static_cast<std::size_t>(slot)];
    Status status;
    for (const Rank target : locked) {
        status.Merge(Status(transport.window_unlock(transport.self, job_.windows->At(slot), target)));
    }
    locked.clear();
    return status;
}

Status LockEpochs::WithItself(Slot slot) noexcept {
    const overlap_transport &transport = job_.team.transport();
    const Status begun(transport.window_lock(transport.self, job_.windows->At(slot), transport.rank));
    return begun.ok() ? Status(transport.window_unlock(transport.self, job_.windows->At(slot), transport.rank)) : begun;
}

} // namespace overlap
