// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// The rules of a site: what its administrators have found to be best for which calls.
#ifndef OVERLAP_ENGINE_POLICY_RULES_H
#define OVERLAP_ENGINE_POLICY_RULES_H

#include "../base/settings.h"
#include "../base/types.h"
#include "../placement/topology/lines.h"
#include "../team/team.h"

#include <iterator>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace overlap {

/// What the conditions of a rule look at: a call and its file, the same on all ranks.
struct Situation {
    std::int64_t ranks = 1;
    std::int64_t nodes = 1;
    std::int64_t ranks_per_node = 1; // rounded up
    ByteCount bytes = 0;             // of the call, all ranks together
    ByteCount mean_piece = 0;        // bytes of a contiguous piece of the file as a rank writes it, on average
    std::string_view file_system;    // overlap_file_facts::file_system
};

/// What a rule says; what it says nothing of is as here, and left to others.
struct Advice {
    int rule = 0; // its number in the file, from 1; 0: no rule matches
    overlap_algorithm algorithm = OVERLAP_ALGORITHM_AUTO;
    overlap_shuffle shuffle = OVERLAP_SHUFFLE_AUTO;
    overlap_writer writer = OVERLAP_WRITER_AUTO;
    overlap_partition partition = OVERLAP_PARTITION_EVEN;
    int slots = OVERLAP_SLOTS_AUTO;
    int aggregators = 0;
    ByteCount sub_buffer = 0; // bytes
};

/// From `least` to `most`, both included.
struct Bounds {
    std::int64_t least = 0;
    std::int64_t most = std::numeric_limits<std::int64_t>::max();
};

/// The numbers that a rule may bound, by the names that it has for them.
constexpr std::pair<const char *, std::int64_t Situation::*> kBounded[] = {{"ranks", &Situation::ranks},
                                                                           {"nodes", &Situation::nodes},
                                                                           {"ranks_per_node", &Situation::ranks_per_node},
                                                                           {"bytes", &Situation::bytes},
                                                                           {"mean_piece", &Situation::mean_piece}};

/// Without conditions it matches every situation.
struct Rule {
    Bounds bounds[std::size(kBounded)];
    std::vector<std::string> file_systems; // in lower case; empty: any
    Advice advice;
};

/// In the order in which they are asked.
using Rules = std::vector<Rule>;

/// The most aggregators that any of them asks for, 0 where none does.
int MostAggregators(const Rules &rules) noexcept;

/// What the first rule that matches says. Allocates nothing.
Advice Match(const Rules &rules, const Situation &situation);

struct ParsedRules {
    Rules rules;                         // those that are right
    std::vector<std::string> complaints; // "FILE: rule 2: why" for what is wrong, in the order of the rules, some of many
};

/// JSON in the shape of the rules of Open MPI's coll/tuned: see docs/reference/rules.rst. A rule with anything
/// wrong in it is left out; what is no JSON, or not made for this component, has no rules. Throws std::bad_alloc.
ParsedRules ParseRules(const SourceText &source);

/// Collective where fcoll_overlap_rules names a file, and nothing at all where it does not: once for a file, the rules do
/// not change while it is open. Rank 0 reads the file, and warns of what is wrong in it (OVERLAP_WARNING_RULES). All ranks
/// return the same error, and after it may call again; without one all have the same `rules`, none where the file cannot be
/// used.
Status ReadRules(const Team &team, const overlap_host &host, const overlap_settings &settings, Rules &rules) noexcept;

} // namespace overlap

#endif
