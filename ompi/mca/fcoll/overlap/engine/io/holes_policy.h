// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// Whether the gaps of a write may be read and written back: what the user asked for, and what the ranks agreed on.
#ifndef OVERLAP_ENGINE_IO_HOLES_POLICY_H
#define OVERLAP_ENGINE_IO_HOLES_POLICY_H

#include "io_engine.h"

namespace overlap {

/// To read a gap and to write it back loses what somebody else writes into it between the two, who may do so where nobody
/// else writes these bytes (MPI 4.1, 14.6.1). `auto` therefore sieves only where the storage port knows of nobody
/// (overlap_gaps). `sieve` takes the user's word for it, but needs the lock as well.
class HolesPolicy {
  public:
    /// `tells` on the rank that tells the user.
    HolesPolicy(const overlap_storage &storage, const overlap_host &host, overlap_holes asked, bool tells)
        : storage_(storage), host_(host), asked_(asked), tells_(tells) {}

    /// Local, at the start of each call: what the ranks then take the maximum of.
    overlap_gaps Offer() const;

    /// The maximum: it holds for this call.
    void Begin(overlap_gaps agreed) { agreed_ = agreed; }

    /// Whether anything may be sieved in this call.
    bool Allows() const { return asked_ != OVERLAP_HOLES_LIST && agreed_ == OVERLAP_GAPS_WRITTEN_BACK; }

    /// How the gaps of a plan, or of a write, are written where that is allowed: a list where this rank has none, so that it
    /// takes no memory for them. Tells the user where the ranks have agreed on something else than was asked for.
    overlap_holes For(bool gaps);

    /// For the user: how the gaps of this call are written; and why, where that was not asked for.
    overlap_holes InUse() const { return Allows() ? asked_ : OVERLAP_HOLES_LIST; }
    const char *Why() const;

  private:
    const overlap_storage &storage_;
    const overlap_host &host_;
    const overlap_holes asked_;
    const bool tells_;
    bool told_ = false;
    overlap_gaps agreed_ = OVERLAP_GAPS_NO_LOCK;
};

} // namespace overlap

#endif
