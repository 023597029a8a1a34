// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// What a collective write does, as far as it follows from what was asked for and what is known of the file.
#ifndef OVERLAP_ENGINE_POLICY_CHOICE_H
#define OVERLAP_ENGINE_POLICY_CHOICE_H

#include "../base/settings.h"
#include "../base/types.h"
#include "../plan/domains.h"
#include "../ports.h"
#include "rules.h"

#include <vector>

namespace overlap {

/// The same on all ranks. A part of what a plan is made from: where the choice changes, so does the plan.
struct Choice {
    overlap_algorithm algorithm = OVERLAP_ALGORITHM_NONE;
    overlap_shuffle shuffle = OVERLAP_SHUFFLE_TWO_SIDED;
    overlap_writer writer = OVERLAP_WRITER_FBTL;
    overlap_partition partition = OVERLAP_PARTITION_EVEN;
    int slots = 1;              // sub-buffers of a file domain
    ByteCount sub_buffer = 1;   // bytes, the most data of a cycle
    ByteCount alignment = 1;    // of the cuts between domains and between cycles
    bool striped = false;       // the file system names stripes: the alignment
    int targets = 0;            // storage targets that these go to in turn, 0 where not known
    Striping striping;          // of partition static; no stripe: even
    ByteCount window_bytes = 0; // that an aggregator has to write in a call before windows are made for it
    ByteCount put_bytes = 0;    // that blocks have on average in every domain, or none is put
    int throttle = 0;           // messages that an aggregator has under way with its clients, at most, or _AUTO
    int aggregators = 0;        // that the user or a rule asks for, 0 for "choose"
    std::vector<Rank> ompio;    // the aggregators of OMPIO's own selection

    /// A domain of less is not worth an aggregator of its own.
    ByteCount SmallestDomain() const;

    /// A plan of so many domains serves as well where all of the access lies a multiple of this further on.
    ///
    /// * Stripes that are dealt: each stays with its domain, and sieving ends at the file's stripes, as the next one is
    ///   another aggregator's.
    /// * Stripes of the file system: none is to have two writers in a call.
    /// * Direct writes: what is no whole page of the sub-buffer would go through the page cache.
    /// * Several nodes: none shares a block with another that it did not share before. Where no aggregator writes more than
    ///   few bytes (`busiest`) a plan anew costs more than a block that two write.
    /// * On one node the page cache joins the writes of a block, so any distance will do.
    std::int64_t MovesBy(int nodes, int domains, ByteCount busiest) const;

    bool operator==(const Choice &other) const;
};

/// Whether the processors of the one node write, by copies into memory or a page cache.
bool WritesAreCopies(const overlap_file_facts &facts, int nodes) noexcept;

/// What is asked for is done to the message, what is advised where nobody asked (partition: where it is even, the default).
/// Where neither says (bench/RESULTS.md, "What is chosen"):
///
/// * ranks of several nodes: dataflow, as shuffles take unequal times on a network, over 16 sub-buffers, or 8, where the
///   collective buffer has room for them without making any smaller; not with put-fence, whose shuffles complete in their
///   order. (So do those of data that overlaps, which is not known here: dataflow then goes by the order of write-comm-2.)
/// * of one node: write-comm over 4, where more sub-buffers only leave the cache;
/// * nonblocking calls, between calls of the program that may come late: dataflow over as many as there can be, so
///   that as much is under way as there is room for.
///
/// Messages carry the bytes where nobody asks for puts, which need memory of their own and were faster nowhere; an I/O
/// thread writes them.
///
/// Throws std::bad_alloc, std::invalid_argument where a setting has no meaning.
Choice Choose(const overlap_settings &settings, const overlap_file_facts &facts, int ranks, int nodes,
              bool nonblocking = false);

/// The same of a choice that Choose has made, for calls that there is advice for. Takes no memory.
void Follow(const Advice &advice, const overlap_settings &settings, const overlap_file_facts &facts, int ranks, int nodes,
            bool nonblocking, Choice &choice) noexcept;

} // namespace overlap

#endif
