// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// What ranks of a node tell each other before a call that one of them may take part in for all.
#ifndef OVERLAP_ENGINE_STAGES_NODE_MESSAGES_H
#define OVERLAP_ENGINE_STAGES_NODE_MESSAGES_H

#include "../access/strided.h"
#include "../team/unsized_message.h"
#include "node_memory.h"

namespace overlap {

/// What a rank tells the leader of its node.
struct Description {
    enum Kind : std::int64_t {
        kRefuses = 0, // transfers its bytes itself
        kRepeats,     // has the access that it described last,
        kAnew
    };

    Kind kind = kRefuses;
    std::int64_t distance = 0; // kRepeats: so far further on; of no meaning where it has no bytes
};

/// What it is answered.
struct Verdict {
    enum Kind : std::int64_t {
        kForgotten = 0, // each rank transfers its own bytes, and describes them again in the next call
        kApart,         // each rank transfers its own bytes
        kAsBefore,      // they are merged and go where they went the last time
        kMerged         // as the following says
    };

    Kind kind = kForgotten;
    std::int64_t memory = 0; // of the node: how many times it was made
    ByteCount join = 0;      // bytes of it where it is new, 0 where it stays what it was
    NodeMemory::Name name{}; // of it
    StridedList positions;   // in it, of the rank's bytes
};

/// `file`: the access, which is sent where it is described anew. Throws std::bad_alloc.
UnsizedMessage MessageOf(const Description &description, const StridedList &file);

/// Throws std::bad_alloc.
UnsizedMessage MessageOf(const Verdict &verdict);

/// Throws std::invalid_argument where the words are no such message's, std::bad_alloc.
Description DescriptionOf(const Words &words, StridedList &file);
Verdict VerdictOf(const Words &words);

} // namespace overlap

#endif
