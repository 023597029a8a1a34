// The engine's side of an open file: what is kept between its collective calls, and the way of such a call.
#ifndef OVERLAP_ENGINE_FILE_COLLECTIVE_FILE_H
#define OVERLAP_ENGINE_FILE_COLLECTIVE_FILE_H

#include "../access/access.h"
#include "../call/call.h"
#include "../choose/chooser.h"
#include "../plan/planner.h"
#include "resources.h"

#include <memory>

namespace overlap {

class CollectiveFile {
  public:
    /// Throws std::bad_alloc.
    CollectiveFile(const overlap_transport &transport, const overlap_storage &storage, const overlap_host &host,
                   const overlap_settings &settings);
    CollectiveFile(const CollectiveFile &) = delete;
    CollectiveFile &operator=(const CollectiveFile &) = delete;

    /// Collective; all ranks return the same error. `on_file` counts the bytes of this rank that are in the file.
    Status Write(const overlap_access &request, ByteCount &on_file);

    /// Collective: gives back what all ranks hold together. Without it that stays until the program ends.
    void Close() { resources_.FreeTogether(); }

  private:
    // What a plan follows from. A call that finds the same on every rank uses the plan again, also where all of it lies
    // equally further on.
    struct Key {
        StridedList file;
        Choice asked; // as far as it follows from settings and facts alone
    };

    // What the ranks know of a call before they plan it.
    struct Outline {
        Range range;
        CallSize size;
        bool repeats = false;      // every rank has the access of the plan,
        std::int64_t distance = 0; // which lies so far further on
    };

    Status Describe(const overlap_access &request, Access &access, Choice &asked);
    overlap_file_facts Facts() const;
    Status ObeyRules();
    bool Repeats(const Key &key) const;
    Status AgreeOnOutline(const StridedList &file, bool repeats, Status local, Outline &outline);
    Status MakePlan(const Key &key, const Outline &outline);
    Status MakeCall(const Access &access, std::unique_ptr<Call> &call);
    void Learn(const Took &took);
    void Explain(const Took &took);

    const Team team_;
    const overlap_storage storage_;
    const overlap_host host_;
    const overlap_settings settings_;
    Planner planner_;
    Chooser chooser_; // what plan_ is made and used with
    FileResources resources_;
    Key key_;                          // of plan_
    std::shared_ptr<const Plan> plan_; // null where the next call needs a new one
    bool rules_read_ = false;
    bool explained_ = false;
};

} // namespace overlap

#endif
