#include "staging.h"

#include <algorithm>

namespace overlap {

// Ranks that overlap have their messages taken one after the other, each into the whole room.
void Staging::Reserve(const Plan &plan, int slots) {
    of_slot_ = 0;
    for (const OwnedDomain &domain : plan.owned) {
        const bool scatters = std::any_of(domain.clients.begin(), domain.clients.end(),
                                          [&domain](const Client &client) { return domain.Scatters(client); });
        of_slot_ += scatters ? domain.cuts.FullestCycle() : 0;
    }
    const ByteCount needed = of_slot_ * slots;
    if (needed > capacity_) {
        memory_.reset(); // first, so that the two are never there together
        capacity_ = 0;
        memory_.reset(new char[static_cast<std::size_t>(needed)]);
        capacity_ = needed;
    }
}

char *Staging::Take(Slot slot, ByteCount bytes) noexcept {
    char *const taken = memory_.get() + slot * of_slot_ + used_[slot];
    used_[slot] += bytes;
    return taken;
}

} // namespace overlap
