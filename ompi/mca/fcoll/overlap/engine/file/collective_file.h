// The engine's side of an open file: what is kept between its collective calls, and the way of such a call.
#ifndef OVERLAP_ENGINE_FILE_COLLECTIVE_FILE_H
#define OVERLAP_ENGINE_FILE_COLLECTIVE_FILE_H

#include "../access/access.h"
#include "../call/call.h"
#include "../declare/declared_writes.h"
#include "../plan/planner.h"
#include "../report/gathering.h"
#include "../trace/timeline.h"
#include "explain.h"
#include "outline.h"
#include "resources.h"
#include "side.h"
#include "write_order.h"

#include <memory>
#include <optional>
#include <string>

namespace overlap {

class CollectiveFile : private DeclaredWrites::Calls {
  public:
    /// Throws std::bad_alloc.
    CollectiveFile(const overlap_transport &transport, const overlap_storage &storage, const overlap_host &host,
                   const overlap_settings &settings);
    CollectiveFile(const CollectiveFile &) = delete;
    CollectiveFile &operator=(const CollectiveFile &) = delete;

    /// Collective; all ranks return the same error. `done` counts the bytes of this rank that are in the file, or were read
    /// from it; a read that meets the end of the file succeeds.
    Status Transfer(overlap_direction direction, const Request &request, ByteCount &done);

    /// The same of what goes on in passing: of the accesses that are asked for as many as all ranks join (joining.h), from
    /// the first, are done, as one.
    Status TransferPending(overlap_direction direction, const Request &pending, std::size_t &joined, ByteCount &done);

    /// Collective: DeclaredWrites::Flush.
    Status Flush();

    /// Collective: DeclaredWrites::Declare.
    void Declare(std::vector<StridedList> layouts, Status local);

    DeclaredWrites &declared() noexcept { return declared_; }
    const DeclaredWrites &declared() const noexcept { return declared_; }

    /// Collective: what all ranks did with the file, as the settings ask for it; on rank 0, where nothing failed. `name` is
    /// that of the file. Once, before Close.
    Status Report(const char *name, std::string &text);

    /// Collective: gives back what all ranks hold together. Without it that stays until the program ends.
    void Close();

    /// Somebody looks at the calls to come, until the file is closed or the next Observe; null for nobody.
    void Observe(Observer *observer) noexcept { watch_.Observe(observer); }

  private:
    // What this rank transfers without an aggregator.
    struct Own {
        const StridedList &file;
        const StridedList &memory;
        bool on_device;
        ByteCount asked; // by the program, which may have named a byte twice
        FileOffset end;
        bool others; // do the same
        std::int64_t calls;
    };

    Status Counted(const Request &request, Status status, ByteCount done);
    void AfterCall() noexcept;
    Asked AskedOf(overlap_direction direction, const Request &request) const;
    Status TransferNow(overlap_direction direction, Asked &asked, ByteCount &done);
    Status AgreeAndTransfer(Side &side, Asked &asked, PlanKey &key, Status local, ByteCount &done);
    Status Write(Asked &asked, ByteCount &done) override { return TransferNow(OVERLAP_WRITE, asked, done); }
    Side &SideOf(overlap_direction direction, bool in_passing);
    Status Describe(Side &side, Choice &asked);
    overlap_file_facts Facts() const;
    Status ObeyRules();
    Status AgreeOn(const Side &side, const Access &access, const PlanKey &key, bool repeats, Status local, Outline &outline);
    Status SizeOf(const Side &side, const StridedList &file, FileOffset &end) const;
    static bool AreApart(const Side &side, const Outline &outline);
    Status TransferOwn(Side &side, const Own &own, ByteCount &done);
    Status TransferApart(Side &side, const Own &own, ByteCount &done);
    Status PlanAnew(Side &side, Access &access, PlanKey &key, const Outline &outline, std::unique_ptr<Call> &call);
    Status Run(Side &side, Call &call, const Outline &outline, ByteCount bytes, ByteCount &done);
    Status CountDone(Side &side, Call &call, Status status, ByteCount &done);
    Status MakePlan(Side &side, const Access &access, const PlanKey &key, const Outline &outline, Enclosed &enclosed);
    Status MakeCall(const Side &side, const Access &access, Enclosed &&enclosed, std::unique_ptr<Call> &call);
    std::string WhyAsMany(const Side &side) const;
    PlanFacts FactsOf(const Side &side, const Took &took) const;
    std::string Chosen(overlap_direction direction) const;
    void Explain(Side &side, const Took &took);
    void ExplainAlone(Side &side);
    void ExplainMerge(Side &side);

    const Team team_;
    const overlap_storage storage_;
    const overlap_host host_;
    const Neighbours neighbours_;
    Planner planner_;
    Rules rules_;
    Side writes_;
    Side reads_;
    Side passing_writes_;
    Side passing_reads_;
    Watch watch_;
    std::unique_ptr<Timeline> timeline_; // null where none was asked for
    FileResources resources_;
    WriteOrder order_;
    DeclaredWrites declared_;
    std::optional<Gathering> report_;          // where one is asked for
    const Side *last_[2] = {nullptr, nullptr}; // that served a call, of each direction
    bool rules_read_ = false;
};

} // namespace overlap

#endif
