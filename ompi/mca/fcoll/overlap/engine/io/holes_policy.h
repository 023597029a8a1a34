// Whether gaps of a file may be read back: what was asked for, what the file allows, and who else may be writing.
#ifndef OVERLAP_ENGINE_IO_HOLES_POLICY_H
#define OVERLAP_ENGINE_IO_HOLES_POLICY_H

#include "io_engine.h"

#include <optional>

namespace overlap {

/// To read a gap and to write it back loses what somebody else writes into it between the two, who is within his rights
/// where nobody else writes these bytes (MPI 4.1, 14.6.1). So `auto` sieves only where nobody can: no rank has an
/// independent write under way when the call begins, which all ranks agree on; and no other handle is open, which the sieve
/// finds out for each chunk (ports.h, posix_keep_out). `sieve` takes the user's word for it.
class HolesPolicy {
  public:
    /// `tells` on the rank that tells the user.
    HolesPolicy(const overlap_storage &storage, const overlap_host &host, overlap_holes asked, bool tells)
        : storage_(storage), host_(host), asked_(asked), tells_(tells) {}

    /// Local, at the start of each call: what the ranks then take the maximum of.
    std::int64_t OthersMayWrite() const;

    /// The maximum: it holds for this call.
    void Begin(std::int64_t others_may_write) { others_may_write_ = others_may_write != 0; }

    /// Whether anything may be sieved in this call.
    bool Allows() const { return asked_ == OVERLAP_HOLES_SIEVE || !others_may_write_; }

    /// What cannot be read back and locked is not sieved. To find that out takes a lock, so it waits for the first gaps.
    void Learn(bool gaps);

    HolesRule RuleOf(ByteCount stripe) const { return HolesRule{in_use_.value_or(OVERLAP_HOLES_LIST), stripe}; }

    /// For the user: how the gaps of this call are written, as far as this rank knows; and why where that was not asked for.
    overlap_holes InUse() const { return Allows() ? in_use_.value_or(asked_) : OVERLAP_HOLES_LIST; }
    const char *Why() const;

  private:
    const overlap_storage &storage_;
    const overlap_host &host_;
    const overlap_holes asked_;
    const bool tells_;
    std::optional<overlap_holes> in_use_; // empty where this rank has met no gaps yet
    bool others_may_write_ = true;
};

} // namespace overlap

#endif
