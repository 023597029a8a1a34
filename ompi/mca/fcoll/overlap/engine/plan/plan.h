// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// Who sends which bytes to whom in which cycle, and which bytes an aggregator writes.
//
// The words of a plan:
//   domain   the bytes of the file that one rank, its aggregator, writes in a call
//   share    the bytes of one rank that lie in one domain
//   client   a rank that has a share in a domain, as the domain's aggregator sees it
//   cut      where one part of a domain's data ends and the next one begins
//   part     what lies between two cuts; a cycle shuffles and writes one part of each domain
//   position the number of a byte in a list of bytes: of a share, of the data of a domain, of a rank's access
#ifndef OVERLAP_ENGINE_PLAN_PLAN_H
#define OVERLAP_ENGINE_PLAN_PLAN_H

#include "../base/node_map.h"
#include "coverage.h"
#include "cuts.h"
#include "domains.h"
#include "rotation.h"

#include <vector>

namespace overlap {

/// The part of this rank's access that lies in one domain.
struct Share {
    int domain = 0;
    Rank aggregator = 0;
    std::size_t owned = 0; // the domain is this one of those that its aggregator has
    StridedList file;      // ascending; byte p of the share goes there, in the domain's own offsets
    StridedList stream;    // byte p of the share is this byte of the rank's access
    Cuts cuts;             // of the domain

    /// The share's positions that are shuffled in a cycle.
    Range In(Cycle cycle) const noexcept { return cuts.PositionsOf(file, cycle); }
};

/// A rank that has a share in a domain, as the domain's aggregator sees it.
struct Client {
    Rank rank = 0;
    StridedList file;      // as in Share
    bool scatters = false; // its bytes lie in many small pieces of the domain's data
    bool parted = false;   // bytes of others lie between its own there
};

/// A domain that this rank aggregates. All offsets are the domain's own.
struct OwnedDomain {
    int domain = 0;
    StripeLayout layout;
    std::vector<Client> clients; // one for each rank with data, in any order
    Coverage coverage;
    Cuts cuts;

    Cycle cycles() const noexcept { return cuts.cycles(); }

    /// The positions in coverage.data that are the data of a cycle.
    Range In(Cycle cycle) const noexcept { return cuts.PositionsOf(coverage.data, cycle); }
};

/// Immutable once built; the same plan serves every call that repeats the access.
struct Plan {
    // The same on all ranks.
    Cycle cycles = 0; // the most that any domain has
    std::vector<Rank> aggregators;
    bool gapless = true;         // in every domain
    bool overlap = false;        // in any domain two ranks write the same byte
    bool small_blocks = false;   // too small to be put, in any domain
    ByteCount fullest_cycle = 0; // bytes of the fullest cycle of any domain
    ByteCount busiest = 0;       // bytes that the aggregator with the most data writes
    std::int64_t most_owned = 0; // domains of the aggregator that has the most

    // This rank's.
    std::vector<Share> shares;          // ascending domains
    std::vector<OwnedDomain> owned;     // ascending domains
    Rotation rotation;                  // with whom it begins in a cycle
    std::size_t most_extents = 0;       // that a cycle of an owned domain writes
    std::size_t most_client_pieces = 0; // that the bytes of a client that does not scatter lie in, in a cycle
    ByteCount usual_message = 0;        // bytes that a client of an owned domain has in a cycle in which it has any, about

    int domains() const { return static_cast<int>(aggregators.size()); }
    /// Bytes of the fullest cycle of a domain that this rank aggregates.
    ByteCount FullestOwnCycle() const;
    /// Whether blocks of other ranks in a domain that this rank, `own`, aggregates have less than `bytes` on average as they
    /// are sent, in cycles of at most `cycle` bytes. A domain of which others have less than a sixteenth does not count.
    bool OwnBlocksBelow(ByteCount bytes, ByteCount cycle, Rank own) const;
    /// Whether a domain that this rank aggregates has gaps.
    bool OwnGaps() const;
    /// Sets what a cycle takes, from the owned domains.
    void MeasureCycles();
};

/// Bytes of one rank in a call.
struct Traffic {
    ByteCount to_self = 0; // of its own, where it is their aggregator
    ByteCount to_node = 0; // to other ranks of its node
    ByteCount to_network = 0;
    ByteCount from_network = 0; // of others, of which it is the aggregator
};

/// Of rank `own`; of a read the same bytes go the other way.
Traffic TrafficOf(const Plan &plan, const NodeMap &nodes, Rank own);

/// Cuts what a rank writes by domains; the shares have neither aggregators nor cuts yet. Time grows with the rank's runs and
/// domains, and where stripes are dealt with the stripes that it has bytes in.
std::vector<Share> CutByDomains(const StridedList &file, const std::vector<Domain> &domains);

/// Tells the shares who aggregates the domains.
void NameAggregators(const std::vector<Rank> &aggregators, std::vector<Share> &shares);

/// Works out the data of an owned domain from its clients and cuts it into cycles of at most `capacity` bytes. Returns
/// whether the data fills `domain`.
bool CoverDomain(const Domain &domain, ByteCount capacity, ByteCount alignment, OwnedDomain &owned);

} // namespace overlap

#endif
