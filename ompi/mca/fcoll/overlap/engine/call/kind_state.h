// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// What is kept between the calls of a kind: {write, read} x {blocking, nonblocking}.
#ifndef OVERLAP_ENGINE_CALL_KIND_STATE_H
#define OVERLAP_ENGINE_CALL_KIND_STATE_H

#include "../access/strided.h"
#include "../merge/node_merge.h"
#include "../plan/plan.h"
#include "../policy/choice.h"

#include <memory>

namespace overlap {

/// What a plan follows from. A call that finds the same on every rank uses the plan again, also where all of it lies
/// equally further on.
struct PlanKey {
    StridedList file;
    Choice asked; // as far as it follows from settings and facts alone
};

struct KindState {
    /// The way of a call that transfers something.
    enum class Way { kNone, kIndependent, kAggregated };

    KindState(overlap_direction direction, bool nonblocking, const overlap_settings &asked, const Team &team,
              const Rules &rules)
        : direction(direction), nonblocking(nonblocking), settings(SettingsOf(direction, nonblocking, asked)),
          merge(direction, team, settings), chooser(settings, rules, team.size(), team.nodes(), nonblocking) {}

    /// Whether this rank's part of a call like `asked` is that of the plan, at whatever distance: without data at any. There
    /// is a plan.
    bool Repeats(const PlanKey &asked, int nodes) const {
        if (!(asked.asked == key.asked) || asked.file.empty() != key.file.empty()) {
            return false;
        }
        const std::int64_t distance = asked.file.empty() ? 0 : asked.file.begin() - key.file.begin();
        const std::int64_t unit = chooser.choice().MovesBy(nodes, plan->domains(), plan->busiest);
        return distance % unit == 0 && asked.file.IsMoved(key.file, distance);
    }

    bool reads() const { return direction == OVERLAP_READ; }

    const overlap_direction direction;
    const bool nonblocking;
    const overlap_settings settings;
    NodeMerge merge;                  // of the ranks of a node, before each call
    Chooser chooser;                  // what the plan is made and used with
    PlanKey key;                      // of the plan
    std::shared_ptr<const Plan> plan; // null where the next call needs a new one
    std::int64_t plan_number = 0;     // of no other plan of the file
    Traffic traffic;                  // of the plan
    overlap_shuffle shuffle = OVERLAP_SHUFFLE_TWO_SIDED;
    bool independent = false; // the last call with this plan
    Way last = Way::kNone;    // of the last call that transferred something
    // Whether the user has been notified.
    bool explained = false;
    bool explained_independent = false;
    bool explained_merge = false;

  private:
    // Reads and nonblocking calls are served by messages alone.
    static overlap_settings SettingsOf(overlap_direction direction, bool nonblocking, const overlap_settings &asked) {
        overlap_settings settings = asked;
        if (nonblocking || direction == OVERLAP_READ) {
            settings.shuffle = OVERLAP_SHUFFLE_TWO_SIDED;
        }
        return settings;
    }
};

} // namespace overlap

#endif
