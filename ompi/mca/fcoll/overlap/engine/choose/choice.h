// What a collective write does, as far as it follows from what was asked for and what is known of the file.
#ifndef OVERLAP_ENGINE_CHOOSE_CHOICE_H
#define OVERLAP_ENGINE_CHOOSE_CHOICE_H

#include "../plan/static_domains.h"
#include "../ports.h"
#include "../settings.h"
#include "../types.h"

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
    bool striped = false;       // the file system, or a hint, names stripes: the alignment
    Striping striping;          // of partition static; no stripe: even
    ByteCount window_bytes = 0; // that an aggregator has to write in a call before windows are made for it
    int aggregators = 0;        // that the user asked for, 0 for "choose"
    std::vector<Rank> ompio;    // the aggregators of OMPIO's own selection

    /// A domain of less is not worth an aggregator of its own.
    ByteCount SmallestDomain() const;

    /// A plan serves as well where all of the access lies a multiple of this further on. Anything does on one node, whose
    /// page cache joins the writes of a block; two nodes must not share a block that they did not share before, nor is a
    /// stripe to get a second writer, nor a block to be written past the page cache on one side of a cut only.
    ByteCount MovesBy(int nodes) const;

    bool operator==(const Choice &other) const;
};

/// Throws std::bad_alloc, std::invalid_argument where a setting has no meaning.
Choice Choose(const overlap_settings &settings, const overlap_file_facts &facts, int ranks);

} // namespace overlap

#endif
