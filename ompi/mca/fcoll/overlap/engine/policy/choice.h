// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// What a collective call is done with: a fixed function of what was asked for, what is known of the file, the size of the
// call and the rules of the site. Nothing is measured for it, so all ranks decide alike and every run does the same.
#ifndef OVERLAP_ENGINE_POLICY_CHOICE_H
#define OVERLAP_ENGINE_POLICY_CHOICE_H

#include "../access/strided.h"
#include "../base/settings.h"
#include "../base/types.h"
#include "../ports.h"
#include "rules.h"

#include <algorithm>
#include <vector>

namespace overlap {

/// How a file is dealt to domains. No stripe: it is not, the domains are contiguous.
struct Striping {
    ByteCount stripe = 0; // bytes
    int targets = 0;      // storage targets that the stripes go to in turn, 0 where not known

    bool operator==(const Striping &other) const { return stripe == other.stripe && targets == other.targets; }
};

/// The stripes of the file system; where it has none those that the user gave, made of whole blocks, so that no two
/// aggregators write to one; else the whole blocks of a sub-buffer, whose cycles are then contiguous in the file.
Striping StripingOf(const overlap_file_facts &facts, ByteCount sub_buffer);

/// The same on all ranks. A part of what a plan is made from: where the choice changes, so does the plan.
struct Choice {
    overlap_algorithm algorithm = OVERLAP_ALGORITHM_NONE;
    overlap_shuffle shuffle = OVERLAP_SHUFFLE_TWO_SIDED;
    overlap_writer writer = OVERLAP_WRITER_FBTL;
    int slots = 1;            // sub-buffers of a file domain
    ByteCount sub_buffer = 1; // bytes, the most data of a cycle
    ByteCount alignment = 1;  // of the cuts between domains and between cycles
    bool striped = false;     // the file system names stripes: the alignment
    int targets = 0;          // storage targets that these go to in turn, 0 where not known
    Striping striping;        // of partition static; no stripe: even
    int aggregators = 0;      // that the user or a rule asks for, 0 for "choose"
    std::vector<Rank> ompio;  // the aggregators of OMPIO's own selection

    /// A domain of less is not worth an aggregator of its own.
    ByteCount SmallestDomain() const;

    /// A plan of so many domains serves as well where all of the access lies a multiple of this further on: stripes stay
    /// with their domain, direct writes are whole pages, and no two nodes share a block that they did not share before.
    /// Where no aggregator writes more than few bytes (`busiest`), a new plan costs more than such a block; on one node the
    /// page cache joins the writes of a block.
    std::int64_t MovesBy(int nodes, int domains, ByteCount busiest) const;

    bool operator==(const Choice &other) const;
};

/// How much a call writes, as far as ranks agree on it before they plan: each the most of any rank, but for the range.
struct CallSize {
    ByteCount range = 0; // from the first byte of the file that any rank writes to the last
    ByteCount bytes = 0;
    std::int64_t pieces = 0; // contiguous in the file

    /// Of all ranks together: exact where they fill the range, or have as much each.
    ByteCount Bytes(int ranks) const noexcept {
        ByteCount all = 0;
        return __builtin_mul_overflow(bytes, ByteCount{ranks}, &all) ? range : std::min(range, all);
    }
    ByteCount MeanPiece() const noexcept { return pieces > 0 ? DivideUp(bytes, pieces) : 0; }
};

/// Decides for the calls of a kind; the same on all ranks, as its arguments are. The user's settings come first, then what a
/// rule advises (partition even, the default, counts as not set), then (docs/results, "What is chosen"):
///
/// * several nodes: dataflow, as shuffles take unequal times on a network, over 16 sub-buffers, or 8, where the collective
///   buffer has room for them without making any smaller; not with put-fence, of which each sub-buffer is a window to make;
/// * one node: write-comm over 4, where more sub-buffers only leave the cache;
/// * nonblocking calls, which the program may let wait: dataflow over as many as there can be.
///
/// Messages carry the bytes, as puts need memory of their own and were faster nowhere; an I/O thread writes them.
class Chooser {
  public:
    /// `nonblocking`: of calls that the program does not wait for; `messages`: of calls that nothing else serves, whatever
    /// shuffle is asked for. Settings and rules outlive this; rules may come later.
    Chooser(const overlap_settings &settings, const Rules &rules, int ranks, int nodes, bool nonblocking,
            bool messages = false) noexcept
        : settings_(settings), rules_(rules), ranks_(ranks), nodes_(nodes), nonblocking_(nonblocking), messages_(messages) {}

    /// Without the rules. Takes the memory that Decide needs; what was decided stays. Throws std::bad_alloc.
    Choice Describe(const overlap_file_facts &facts);

    /// For a call that is planned anew, and for all that repeat it. `described`: by Describe. Takes no memory.
    void Decide(const Choice &described, const overlap_file_facts &facts, const CallSize &size) noexcept;

    /// After Decide, of a nonblocking call with at most `limit` domains: sub-buffers for all of a domain, as far as
    /// eager_bytes go, so that its messages need not wait for the file. A size that somebody gave stays.
    void Widen(const overlap_file_facts &facts, const CallSize &size, int limit) noexcept;

    const Choice &choice() const noexcept { return choice_; }

    /// The number of the rule that spoke, 0 where none did.
    int rule() const noexcept { return advice_.rule; }

  private:
    void Follow(const Advice &advice, const overlap_file_facts &facts, Choice &choice) const noexcept;
    ByteCount SubBufferSize(const Advice &advice, const overlap_file_facts &facts, int slots) const noexcept;
    int UsualSlots(const Advice &advice, const overlap_file_facts &facts, overlap_algorithm algorithm) const noexcept;

    const overlap_settings &settings_;
    const Rules &rules_;
    const int ranks_;
    const int nodes_;
    const bool nonblocking_;
    const bool messages_;
    Advice advice_;
    Choice choice_;
};

/// Whether the processors of the one node write, by copies into memory or a page cache.
bool WritesAreCopies(const overlap_file_facts &facts, int nodes) noexcept;

/// Whether each rank transfers its own bytes, without an aggregator.
enum class Independence { kNo, kWhereDisjoint, kAlways };

/// Of one rank: its bytes take no more calls, or only long ones, where they go straight between its memory and the file.
bool GoesStraight(const StridedList &file, const StridedList &memory);

/// What is known of a call before it is summarised, the same on all ranks.
struct CallMeans {
    overlap_direction direction;
    overlap_file_facts facts;
    const Choice &asked;              // as far as it follows from settings and facts alone
    const overlap_settings &settings; // as the user has them
    bool rules;                       // a site has some
    int ranks;
    int nodes;
};

/// Of one rank that has data: it is as fast by itself. Its pieces go straight between its memory and the file. To and from
/// the page cache of the one node they are few or long; else they are long, or it reads and has few. Those that are written
/// from several nodes lie in blocks of the file system (stripes, where it has them) that no other rank writes to if no two
/// write the same byte. Without coherent caches such a block would lose bytes; with them pieces of many blocks may share
/// some.
bool IsAsFastAlone(const CallMeans &means, const StridedList &file, const StridedList &memory);

/// The same on all ranks. `as_fast`: each of them is as fast alone.
Independence ChooseIndependence(const CallMeans &means, bool as_fast, const CallSize &size);

/// Readers of the same bytes. A cycle of 8 MiB (call/common_read.cc) has as much for each as is worth a message.
inline constexpr int kMostInARing = 512;

/// The same on all ranks; those that read ask for the same bytes: each reads a part, and passes on those of the others.
/// Copies from one page cache are cheaper.
bool IsReadInCommon(const CallMeans &means, const CallSize &size);

/// Where it was chosen.
const char *WhyIndependent(const CallMeans &means);

} // namespace overlap

#endif
