#include "side.h"

namespace overlap {
namespace {

// Reads, and calls that go on in passing, are served by messages alone.
overlap_settings SettingsOf(overlap_direction direction, bool in_passing, const overlap_settings &asked) {
    overlap_settings settings = asked;
    if (in_passing || direction == OVERLAP_READ) {
        settings.shuffle = OVERLAP_SHUFFLE_TWO_SIDED;
    }
    return settings;
}

} // namespace

Side::Side(overlap_direction direction, bool in_passing, const overlap_settings &asked, const Team &team,
           const Neighbours &neighbours, const Rules &rules)
    : direction(direction), in_passing(in_passing), settings(SettingsOf(direction, in_passing, asked)),
      merge(direction, team, neighbours, settings), chooser(settings, team.size(), team.nodes(), in_passing) {
    chooser.Obey(rules);
}

// Without data every distance will do.
bool Side::Repeats(const PlanKey &asked, int nodes) const {
    if (!(asked.asked == key.asked) || asked.file.empty() != key.file.empty()) {
        return false;
    }
    const std::int64_t distance = asked.file.empty() ? 0 : asked.file.begin() - key.file.begin();
    const std::int64_t unit = chooser.choice().MovesBy(nodes, plan->domains(), plan->busiest);
    return distance % unit == 0 && asked.file.IsMoved(key.file, distance);
}

} // namespace overlap
