#include "staging.h"

#include <algorithm>

namespace overlap {

// Ranks that overlap have their messages taken one after the other, each into the whole room.
void Staging::Reserve(const Plan &plan, Rank self, int slots) {
    of_slot_ = 0;
    rooms_.fill(Room{});
    for (const OwnedDomain &domain : plan.owned) {
        const bool scatters = std::any_of(domain.clients.begin(), domain.clients.end(),
                                          [self](const Client &client) { return client.rank != self && client.scatters; });
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

void Staging::Leave(Slot slot) noexcept {
    for (Room &room : rooms_) {
        room = room.slot == slot ? Room{} : room;
    }
}

bool Staging::HasRoom(Slot slot, ByteCount bytes) const noexcept {
    const auto room = std::find_if(rooms_.begin(), rooms_.end(), [slot](const Room &one) { return one.slot == slot; });
    return (room == rooms_.end() ? 0 : room->used) + bytes <= of_slot_;
}

char *Staging::Take(Slot slot, ByteCount bytes) noexcept {
    const auto is = [](Slot wanted) { return [wanted](const Room &room) { return room.slot == wanted; }; };
    auto room = std::find_if(rooms_.begin(), rooms_.end(), is(slot));
    if (room == rooms_.end()) {
        room = std::find_if(rooms_.begin(), rooms_.end(), is(-1));
        room->slot = slot;
    }
    char *const taken = memory_.get() + (room - rooms_.begin()) * of_slot_ + room->used;
    room->used += bytes;
    return taken;
}

} // namespace overlap
