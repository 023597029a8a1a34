// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// Decides what the calls of a file are done with: a fixed function of the settings, the file, the size of the call and the
// rules of the site. Nothing is measured for it, so all ranks decide alike and every run does the same.
#ifndef OVERLAP_ENGINE_POLICY_CHOOSER_H
#define OVERLAP_ENGINE_POLICY_CHOOSER_H

#include "choice.h"
#include "rules.h"

#include <algorithm>

namespace overlap {

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

/// The same on all ranks, as its arguments are.
class Chooser {
  public:
    /// `nonblocking`: of calls that the program does not wait for.
    Chooser(const overlap_settings &settings, int ranks, int nodes, bool nonblocking = false) noexcept
        : settings_(settings), ranks_(ranks), nodes_(nodes), nonblocking_(nonblocking) {}

    /// `rules` outlive this.
    void Obey(const Rules &rules) noexcept { rules_ = &rules; }

    /// The most aggregators that a rule asks for, 0 where none does.
    int MostAggregators() const noexcept { return rules_ == nullptr ? 0 : rules_->MostAggregators(); }

    /// Takes the memory that decisions need, for files and settings that make this of a choice that nobody advised on. What
    /// was decided stays. Throws std::bad_alloc.
    void Prepare(const Choice &asked, const overlap_file_facts &facts);

    /// For a call that is planned anew, and for all that repeat it; after Prepare. Takes no memory.
    void Decide(const overlap_file_facts &facts, const CallSize &size) noexcept;

    /// After Decide, of a nonblocking call whose placement has at most `limit` domains: sub-buffers for all of a domain, as
    /// far as `eager` bytes go, so that its messages need not wait for the file. A size that somebody gave stays.
    void Widen(int limit, ByteCount eager) noexcept;

    const Choice &choice() const noexcept { return choice_; }

    /// The line of the rule that spoke, 0 where none did.
    int rule() const noexcept { return advice_.line; }

  private:
    const overlap_settings &settings_;
    const int ranks_;
    const int nodes_;
    const bool nonblocking_;
    const Rules *rules_ = nullptr;
    Choice asked_;
    Situation situation_; // of the call that was decided on
    Advice advice_;
    Choice choice_;
    bool collective_buffer_chosen_ = false;
};

} // namespace overlap

#endif
