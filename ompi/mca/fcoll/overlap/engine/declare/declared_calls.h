// How far the calls of a declaration have come on this rank, and what the ranks agree on when their bytes are written.
#ifndef OVERLAP_ENGINE_DECLARE_DECLARED_CALLS_H
#define OVERLAP_ENGINE_DECLARE_DECLARED_CALLS_H

#include "../collect/collected.h"
#include "../plan/planner.h"
#include "../team/team.h"
#include "declaration.h"
#include "declared_memory.h"

#include <memory>
#include <vector>

namespace overlap {

/// What all ranks know of the calls since they agreed last.
struct DeclaredAgreement {
    bool holds = false;         // any has bytes that are not on file
    int kept = OVERLAP_SUCCESS; // with what its own write of such bytes has failed, the most severe
    Range range;                // of the bytes that any has
    int other = 0;     // since they agreed last: the first call, from 1, that was not where it was declared; 0: none
    Rank of_other = 0; // on this rank, the highest of several
    Rank no_room = -1; // had no room for a call; -1: all had
};

/// What a rank brings to a declaration, and what all of them do then.
struct DeclaredTerms {
    bool sized = false;   // the bytes of its calls are known; of all
    bool refuses = false; // it may write in another way at the same time; any
    Rank differs = -1;    // this rank has said another number of calls; any, -1: none
};

/// A declaration is repeated when its last call has come. Its calls are the blocking collective writes of the file since it
/// is in force, which all ranks count alike without a message. What they hold is in a Collected, an access of each call.
class DeclaredCalls {
  public:
    /// Whether any is in force. The same on all ranks, as are the next two.
    bool on() const { return calls_ > 0; }

    /// Every rank has taken the memory that its calls need: until the last of them no message is needed.
    bool sized() const { return sized_; }

    /// Whether the next call is the last of them.
    bool IsLast() const { return next_ + 1 == calls_; }
    void Next() noexcept;

    int calls() const { return calls_; }

    /// Takes what the calls of this rank need, where their bytes are known: for those at the declared places, and for as
    /// many at others. Local. Needs: nothing is held. Throws std::bad_alloc, std::range_error.
    void Prepare(Declaration declaration, Collected &held);

    /// Collective, after that: so many calls, the same on all ranks. `terms` are those of this rank and become those of all.
    /// `local`: why this rank cannot take part. All ranks return the same error; then, and where any refuses, none is in
    /// force.
    Status Begin(const Team &team, int calls, DeclaredTerms &terms, Status local) noexcept;

    /// Needs: nothing is held.
    void End() noexcept;

    /// The next call has these bytes. Local: copies them, and they are held. False where there is no room for them, or no
    /// memory, or where a device does not give them, which `copied` says: nothing is held then.
    bool Hold(const Access &access, const overlap_host &host, Collected &held, Status &copied) noexcept;

    /// The same of the last call where with it all calls of this rank are one access: whether they are. PrepareLast takes
    /// the memory, HoldLast copies.
    bool PrepareLast(const Access &access) noexcept;
    void HoldLast(const Access &access, Collected &held) noexcept;

    /// Whether all calls are held as one access. Whole throws std::bad_alloc.
    bool IsWhole() const { return calls_ > 0 && kept_ == calls_; }
    Access Whole() const { return memory_->Whole(distance_); }

    /// Where the bytes of all ranks end that they have of the call which was held last, if it was at its declared place on
    /// this rank and is on the others; 0 where that is not known.
    FileOffset EndOfLast() const noexcept;

    /// What was held is on file.
    void Forget() noexcept { kept_ = next_ == 0 ? 0 : kNotAll; }

    /// Collective: `agreement` is what this rank knows of `holds`, `kept` and `range`, and becomes what all know. All ranks
    /// return the same error, `local` of any of them included.
    Status Agree(const Team &team, Status local, DeclaredAgreement &agreement) noexcept;

  private:
    static constexpr int kNotAll = -1;

    bool Keeps(const Access &access) noexcept;
    bool HoldInPlace(const Access &access, Collected &held) noexcept;
    bool HoldBeside(const Access &access, const overlap_host &host, Collected &held, Status &copied) noexcept;

    int calls_ = 0;
    bool sized_ = false;
    int next_ = 0;                           // call, from 0
    std::unique_ptr<DeclaredMemory> memory_; // null where the layouts are not known
    ByteCount room_ = 0;                     // beside it
    std::vector<FileOffset> ends_;           // of each call, of all ranks, and a word for an agreement; empty: not known
    Access prepared_;
    bool moved_ = false;        // a call of these has told the distance:
    std::int64_t distance_ = 0; // they are so much further on than they were declared
    bool keeps_ = false;        // the call that was held last is where it was declared
    int kept_ = 0;              // all calls up to this number are held in their places, or kNotAll
    int other_ = 0;             // as in DeclaredAgreement, of this rank
    bool no_room_ = false;
};

} // namespace overlap

#endif
