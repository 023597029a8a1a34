// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// What is kept between the collective calls of a file.
#ifndef OVERLAP_ENGINE_CALL_FILE_STATE_H
#define OVERLAP_ENGINE_CALL_FILE_STATE_H

#include "../merge/node_merge.h"
#include "../observe/watch.h"
#include "../plan/planner.h"
#include "../policy/choice.h"
#include "resources.h"

#include <algorithm>
#include <memory>

namespace overlap {

/// What a plan follows from. A call that finds the same on every rank uses the plan again, also where all of it lies
/// equally further on.
struct PlanKey {
    StridedList file;
    Choice asked; // as far as it follows from settings and facts alone
};

/// Between the calls of a kind: {write, read} x {blocking, nonblocking}.
struct KindState {
    /// Settings and rules outlive it. Reads and nonblocking calls are served by messages alone.
    KindState(overlap_direction direction, bool nonblocking, const overlap_settings &settings, const Team &team,
              const Rules &rules)
        : direction(direction), nonblocking(nonblocking), settings(settings), merge(direction, team, settings),
          chooser(settings, rules, team.size(), team.nodes(), nonblocking, nonblocking || direction == OVERLAP_READ) {}

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
    const overlap_settings &settings;
    NodeMerge merge;                  // of the ranks of a node, before each call
    Chooser chooser;                  // what the plan is made and used with
    PlanKey key;                      // of the plan
    std::shared_ptr<const Plan> plan; // null where the next call needs a new one
    std::int64_t plan_number = 0;     // of no other plan of the file
    Traffic traffic;                  // of the plan
    overlap_shuffle shuffle = OVERLAP_SHUFFLE_TWO_SIDED;
    bool independent = false;         // the last call that transferred something had no aggregators,
    const char *why_independent = ""; // because of this,
    bool common = false;              // or because its ranks that read ask for the same bytes
    bool as_fast_alone = true;        // each rank was as fast alone in the last call that had data; same on all
    bool short_before = false;        // the last call was short on each rank, which moved its own bytes; same on all
    bool explained[5] = {};           // with and without, the same where nodes are merged, and common
};

/// Of two collective writes of a byte the second one's must stay (MPI 4.1, 14.6.1). Where another aggregator writes it the
/// second time, the client of the first one's node may send the older byte later: MooseFS lost bytes so. On file systems
/// whose clients are not coherent all ranks therefore flush first, unless the same plan writes the same bytes.
class WriteOrder {
  public:
    WriteOrder(const Team &team, const overlap_storage &storage) : team_(team), storage_(storage) {}

    /// Collective, where a flush is needed. The call writes in `range`, by the plan of this number, `distance` further on;
    /// 0: without a plan. All ranks return the same error.
    Status Write(const Range &range, std::int64_t plan, std::int64_t distance) {
        if (range.empty() || !Matters()) {
            return Status();
        }
        const bool same = plan != 0 && plan == plan_ && distance == distance_;
        const Status status = !same && Meets(range) ? Flush() : Status();
        if (written_.empty()) {
            written_ = range;
            plan_ = plan;
            distance_ = distance;
        } else {
            written_ = Range{std::min(written_.first, range.first), std::max(written_.last, range.last)};
            plan_ = same ? plan : 0;
        }
        return status;
    }

    /// The same for a call that reads in `range`: what another node holds back is not there to be read. Then the client of
    /// this node may still have an older size, behind which it reads nothing, and older pages: it asks the server.
    Status Read(const Range &range) {
        if (!Matters() || !Meets(range)) {
            return Status();
        }
        const Status status = Flush();
        FileOffset end = 0;
        static_cast<void>(storage_.size(storage_.self, 1, &end));
        return status;
    }

  private:
    bool Matters() const { return team_.nodes() > 1 && FactsOf(storage_).coherent == 0; }
    bool Meets(const Range &range) const { return range.first < written_.last && written_.first < range.last; }
    Status Flush() {
        written_ = Range();
        return team_.Agree(Status(storage_.flush(storage_.self)));
    }

    const Team &team_;
    const overlap_storage &storage_;
    Range written_;         // since the last flush
    std::int64_t plan_ = 0; // that has written all of it, 0 where several ways have
    std::int64_t distance_ = 0;
};

struct FileState {
    /// Throws std::bad_alloc.
    FileState(const overlap_transport &transport, const overlap_storage &storage, const overlap_host &host,
              const overlap_settings &settings)
        : team(transport), storage(storage), host(host), settings(settings),
          planner(team, this->host, this->settings), kinds{{{OVERLAP_WRITE, false, this->settings, team, rules},
                                                            {OVERLAP_WRITE, true, this->settings, team, rules}},
                                                           {{OVERLAP_READ, false, this->settings, team, rules},
                                                            {OVERLAP_READ, true, this->settings, team, rules}}},
          watch(this->host), resources(team, this->storage, this->host, settings, watch), order(team, this->storage) {}

    /// Of a call that begins now.
    KindState &KindOf(overlap_direction direction) noexcept {
        return kinds[direction][team.transport().waits(team.transport().self) != 0 ? 0 : 1];
    }

    overlap_file_facts Facts() const { return FactsOf(storage); }

    /// Whether this rank tells the user what is done and why.
    bool Explains() const { return team.rank() == 0 && host.explains(host.self) != 0; }

    const Team team;
    const overlap_storage storage;
    const overlap_host host;
    const overlap_settings settings;
    Planner planner;
    Rules rules; // of the site
    bool rules_read = false;
    bool warned_of_sub_buffer = false;
    bool in_first_call = true; // until the first call, of whatever kind, has ended
    KindState kinds[2][2];     // of each direction: blocking, nonblocking
    Watch watch;
    FileResources resources;
    WriteOrder order;
    std::int64_t plans = 0;                        // that were made
    const KindState *last[2] = {nullptr, nullptr}; // that transferred something, of each direction
};

} // namespace overlap

#endif
