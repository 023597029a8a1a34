// Writes that return when their bytes are copied, and are done by a later call: adjacent and near ones as one.
#ifndef OVERLAP_ENGINE_FILE_WRITE_BEHIND_H
#define OVERLAP_ENGINE_FILE_WRITE_BEHIND_H

#include "../collect/collected.h"
#include "../collect/collecting.h"
#include "../declare/declared_calls.h"
#include "asked.h"
#include "resources.h"

#include <algorithm>
#include <array>

namespace overlap {

/// After Tessier et al., Algorithms 2 and 3: buffers fill over several calls. Bytes wait on the rank that wrote them and not
/// on an aggregator, so that it can give them to the file by itself wherever the program's call is not one of all ranks, and
/// so that a process which dies takes nobody else's.
class WriteBehind {
  public:
    /// What does a call of all ranks; all of them return the same error. Where `asked.several`, ranks may have found that
    /// two of them write the same byte: then nothing is done and `asked.overlaps` is set.
    class Calls {
      public:
        virtual Status Write(Asked &asked, ByteCount &done) = 0;

      protected:
        ~Calls() = default;
    };

    /// All of it outlives this.
    WriteBehind(Calls &calls, const Team &team, const overlap_storage &storage, const overlap_host &host,
                const overlap_settings &settings, FileResources &resources)
        : calls_(calls), team_(team), storage_(storage), host_(host), settings_(settings), resources_(resources) {}

    /// Whether a write of all ranks has to come here. The same on all ranks.
    bool Takes() const { return settings_.collect != OVERLAP_COLLECT_OFF || declared_.on() || HasSomething(); }

    /// Collective: so many calls to come, the same on all ranks, are written together with the last of them, again and
    /// again; 0: none are. `own` is what this rank says of its own; one of another number of calls says nothing. What was
    /// held is written first. `local`: why this rank cannot. Where one of them cannot, or another could write at the same
    /// time, no calls are written together.
    void Declare(int calls, Declaration own, Status local);

    /// Collective. All ranks return the same error, which may be that of an earlier call. `done` counts all bytes of a
    /// call that is left for later.
    Status Write(Asked &asked, ByteCount &done);

    /// Whether Flush has something to do. The same on all ranks.
    bool HasSomething() const { return held_.calls() > 0 || unsettled_ || !kept_.ok(); }

    /// Collective: what is held is on file after that, or its error, or that of an earlier one, is returned: on all ranks,
    /// once.
    Status Flush();

    /// This rank's alone: it has bytes that are not on file.
    bool HoldsBytes() const { return held_.bytes() > 0; }

    /// The same of bytes in the range, or of a call that has some on both sides of it.
    bool Holds(const Range &range) const { return held_.Reaches(range.first, range.last); }

    /// This rank's alone: where these end, 0 where it has none.
    FileOffset OwnEnd() const { return held_.End(); }

    /// This rank's alone: its bytes are on file after that, or have an error that all ranks return from the next Write or
    /// Flush.
    void WriteOwn();

    /// The end of what ranks have left, 0 where they have left nothing. The same on all ranks, but for what was declared and
    /// is elsewhere, or was declared without its layout: of that each rank knows its own.
    FileOffset End() const { return std::max(range_.last, end_); }

    /// This rank's alone: seconds since it has held bytes; 0 where it holds none.
    double Age() const;

    /// Collective: an error of bytes that were held elsewhere, for the next Write or Flush to return.
    void Keep(Status status);

  private:
    bool IsAlone() const;
    CollectLimits Limits(Status &local) const;
    CollectOffer Offer(const Asked &asked, const CollectLimits &limits, Status &local);
    Status WriteUndeclared(Asked &asked, bool last, ByteCount &done);
    void Collect(const Asked &asked, const Range &range, ByteCount &done);
    Status WriteDeclared(Asked &asked, ByteCount &done);
    Status WriteLastDeclared(Asked &asked, ByteCount &done);
    Status HoldDeclared(const Asked &asked, ByteCount &done);
    Status WriteWithoutRoom(const Asked &asked, ByteCount &done);
    Status AgreeOnDeclared(Status local, DeclaredAgreement &agreement);
    void EndWithoutRoom(const DeclaredAgreement &agreement);
    template <typename Why> void SayDeclared(Why why);
    void Extend(const Range &range);
    enum class Last { kNone, kBeside, kHeld }; // the call that has what is held written: none, with it, or held itself
    Access AllOf(const Asked *beside) const;
    Status WriteHeld(Last last, Asked *call, ByteCount &done);
    Status WriteOneByOne(Last last, Asked *call, ByteCount &done);
    void Release();
    void SettleOwn(int kept);
    void KeepOwn(Status status) { own_ = own_.ok() ? status : own_; }
    void KeepAndSay(Status status, const Range &range);
    void Say(Status status, const Range &range);
    Status TakeKept();

    Calls &calls_;
    const Team &team_;
    const overlap_storage &storage_;
    const overlap_host &host_;
    const overlap_settings &settings_;
    FileResources &resources_;
    Collected held_;
    DeclaredCalls declared_;
    bool declared_said_ = false;
    Range range_;            // of the calls that are held, of all ranks; of declared ones of this rank
    FileOffset end_ = 0;     // of declared ones, of all ranks, as far as it is known
    double since_ = 0;       // the first of them
    bool unsettled_ = false; // ranks may have written bytes by themselves since they last agreed on how that went
    Status own_;             // how that went
    Range said_;             // the held bytes of which something was said last
    Status kept_;            // that all ranks know of and have not returned
};

} // namespace overlap

#endif
