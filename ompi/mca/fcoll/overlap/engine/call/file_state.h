// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// What is kept between the collective calls of a file.
#ifndef OVERLAP_ENGINE_CALL_FILE_STATE_H
#define OVERLAP_ENGINE_CALL_FILE_STATE_H

#include "../observe/watch.h"
#include "../plan/planner.h"
#include "../policy/rules.h"
#include "independent.h"
#include "kind_state.h"
#include "resources.h"
#include "write_order.h"

namespace overlap {

struct FileState {
    /// Throws std::bad_alloc.
    FileState(const overlap_transport &transport, const overlap_storage &storage, const overlap_host &host,
              const overlap_settings &settings)
        : team(transport), storage(storage), host(host), settings(settings),
          planner(team, this->host, settings), kinds{{{OVERLAP_WRITE, false, settings, team, rules},
                                                      {OVERLAP_WRITE, true, settings, team, rules}},
                                                     {{OVERLAP_READ, false, settings, team, rules},
                                                      {OVERLAP_READ, true, settings, team, rules}}},
          watch(this->host, host.counters), resources(team, this->storage, this->host, settings, watch),
          independent(team, this->storage, this->host, resources), order(team, this->storage) {}
    FileState(const FileState &) = delete;
    FileState &operator=(const FileState &) = delete;

    /// That of a call which begins now.
    KindState &KindOf(overlap_direction direction) noexcept {
        return kinds[direction][team.transport().waits(team.transport().self) != 0 ? 0 : 1];
    }

    /// Whether this rank is the lowest of its node.
    bool FirstOfNode() const noexcept {
        const NodeMap &nodes = team.node_map();
        return nodes.FirstOf(nodes.NodeOf(team.rank())) == team.rank();
    }

    overlap_file_facts Facts() const {
        overlap_file_facts facts{};
        storage.facts(storage.self, &facts);
        return facts;
    }

    /// Whether this rank tells the user what is done and why.
    bool Explains() const { return team.rank() == 0 && host.explains(host.self) != 0; }

    const Team team;
    const overlap_storage storage;
    const overlap_host host;
    const overlap_settings settings;
    Planner planner;
    Rules rules; // of the site
    bool rules_read = false;
    KindState kinds[2][2]; // of each direction: blocking, nonblocking
    Watch watch;
    FileResources resources;
    Independent independent;
    WriteOrder order;
    std::int64_t plans = 0;                        // that were made
    const KindState *last[2] = {nullptr, nullptr}; // that served a call, of each direction
};

} // namespace overlap

#endif
