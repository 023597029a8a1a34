// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// Collective writes that the program has declared (overlap_declare.h): their bytes are held, and the last of them writes all
// as one.
#ifndef OVERLAP_ENGINE_STAGES_DECLARED_WRITES_H
#define OVERLAP_ENGINE_STAGES_DECLARED_WRITES_H

#include "../call/transfer.h"
#include "declaration.h"

#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace overlap {

/// After Tessier et al., Algorithms 2 and 3: buffers fill over several calls. The bytes stay on the rank that wrote them, so
/// that it can write them without the others, and so that a process that dies loses no other process's bytes.
///
/// A set is the N calls that belong together; after its last call the next set begins. All ranks count the calls, the
/// collective writes of the file, alike and without a message.
class DeclaredWrites {
  public:
    /// `file` outlives this.
    explicit DeclaredWrites(FileState &file) : file_(file) {}

    /// Whether a declaration is in force. The same on all ranks.
    bool on() const { return memory_ != nullptr; }

    /// Collective: from now on the calls of this rank have these layouts, which ascend; none: no calls are declared any
    /// more. What is held is written first. `local`: why this rank cannot take part. Where a rank cannot, or has another
    /// number of calls, none declares, and rank 0 says why.
    void Declare(std::vector<StridedList> layouts, Status local);

    /// Each rank makes the call. Only the last call of a set, and one that is not declared, sends messages, and returns the
    /// same error on all ranks, which may be that of an earlier call. All bytes of a call that is held count as done.
    Status Write(CallState &call);

    /// Whether Flush has something to do: calls since the last set or flush, or an error to return. The same on all ranks.
    bool HasSomething() const { return first_ < next_ || !kept_.ok(); }

    /// Collective: writes all that is held. An error, also of an earlier write of held bytes, is returned once, on all
    /// ranks.
    Status Flush();

    /// Local: writes what this rank holds. An error is returned here, and by all ranks from the next last call or Flush.
    Status WriteOwn();

    /// Local: whether an access to these bytes breaks the contract: a rank may hold bytes, and they lie in the range of all
    /// calls. A rank without bytes in the set so far does not know how far the calls were moved: any byte counts then.
    bool Refuses(const Range &range) const;
    bool Refuses(const StridedList &list) const; // which ascends

    /// Local: where the bytes that this rank holds end; 0 where it holds none.
    FileOffset HeldEnd() const noexcept { return held_end_; }

    /// Local: false: this rank writes each call at once from now on, as another handle of its process may access the file.
    /// What is held already stays held.
    void MayHold(bool may) noexcept { may_hold_ = may; }

    /// On all ranks: an error of bytes that were held elsewhere, for the next call that agrees to return.
    void Keep(Status status) { kept_ = kept_.ok() ? status : kept_; }

  private:
    /// What all ranks know when they agree.
    struct Agreed {
        bool holds = false; // a rank holds bytes
        bool whole = false; // each rank holds all calls of the set, with the last one
        bool ends = false;  // a call was not what was declared
    };

    Range Refused() const;
    bool IsDeclared(const Access &access) noexcept;
    Status HoldCall(CallState &call);
    Status WriteAtOnce(CallState &call);
    Status WriteLast(CallState &call);
    Status WriteAll(CallState &last);
    Status WriteOneByOne(int end, bool last, ByteCount &done);
    Status Agree(Status local, Agreed &agreed);
    template <typename Why> void Say(Why why);
    void Release() noexcept;
    void BeginSet() noexcept;
    void End() noexcept;
    Status TakeKept() { return std::exchange(kept_, Status()); }

    FileState &file_;
    std::unique_ptr<DeclaredMemory> memory_; // null: nothing is declared
    Range hull_;                             // of the bytes of all calls and ranks, as declared
    int next_ = 0;                           // call of the set, from 0
    int first_ = 0;                          // call since the ranks agreed last: no flush has written it
    int held_ = 0;                           // first of the calls up to next_ whose bytes this rank holds
    FileOffset held_end_ = 0;                // of their bytes; 0: they have none
    std::optional<std::int64_t> distance_;   // of the set from what was declared, once a call with bytes has shown it
    int other_ = 0;                          // first call, from 1, that was not what was declared; 0: none
    bool may_hold_ = true;
    bool said_ = false;
    Status own_;  // what this rank's own writes of its bytes came to since the ranks agreed last
    Status kept_; // an error that all ranks know and have not returned
};

} // namespace overlap

#endif
