// The way of a collective write through the engine.
#ifndef OVERLAP_ENGINE_COLLECTIVE_WRITE_H
#define OVERLAP_ENGINE_COLLECTIVE_WRITE_H

#include "access/access.h"
#include "placement/placer.h"
#include "plan/plan.h"
#include "plan/static_domains.h"
#include "schedule/program.h"
#include "shuffle/windows.h"
#include "status.h"
#include "sub_buffers.h"
#include "team/team.h"
#include "writer/sieve.h"
#include "writer/writer.h"

#include <memory>
#include <optional>

namespace overlap {

/// The engine's side of an open file: what is kept between its collective writes.
class CollectiveFile {
  public:
    CollectiveFile(const overlap_transport &transport, const overlap_storage &storage, const overlap_host &host,
                   const overlap_settings &settings);

    /// Collective; all ranks return the same error. `on_file` counts the bytes of this rank that are in the file.
    Status Write(const overlap_access &request, ByteCount &on_file);

    /// Collective: gives back what all ranks hold together. Without it that stays until the program ends.
    void Close() { windows_.Free(); }

  private:
    // What the current plan was made from. A call that finds the same on every rank uses the plan again.
    struct PlanKey {
        StridedList file;
        ByteCount capacity = 0;
        ByteCount alignment = 0;
        Striping striping;
        int requested = 0;
        std::vector<Rank> ompio;

        bool operator==(const PlanKey &other) const {
            return capacity == other.capacity && alignment == other.alignment && striping == other.striping &&
                   requested == other.requested && ompio == other.ompio && file == other.file;
        }
    };

    // The bytes of the file that any rank writes in this call.
    struct Range {
        FileOffset first = 0;
        FileOffset last = 0;
        bool same_as_before = false; // on every rank
        bool empty() const { return first >= last; }
    };

    PlanKey KeyOf(const Access &access) const;
    Status AgreeOnRange(const Access &access, bool same_as_before, Status local, Range &range) const;
    static std::vector<Domain> DomainsOf(const PlanKey &key, const Range &range, int limit);
    Status MakePlan(const PlanKey &key, const Range &range);
    Status PlaceDomains(const PlacementProblem &problem, const StridedList &file, const std::vector<Domain> &domains,
                        std::vector<Rank> &aggregators);
    Status WriteAlone(const Access &access, ByteCount &on_file);
    void LearnHoles(bool gaps);
    HolesRule CurrentRule(ByteCount stripe) const;
    void PrepareWriter(ByteCount stripe);
    void ReserveSubBuffers();
    Status AgreeOnPlan(Status local, bool fills_domains);
    Status ChooseShuffle(const std::vector<Rank> &aggregators);
    bool MakeWindows(const std::vector<Rank> &aggregators);
    Status ShareCuts(const std::vector<Domain> &domains, const PlanKey &key);
    Status Run(const StridedList &memory, ByteCount &on_file);
    Status AgreeOnError(Status local) const;
    Status Explain(const PlanKey &key);

    const overlap_transport transport_;
    const overlap_storage storage_;
    const overlap_host host_;
    const overlap_settings settings_;
    const int slots_; // of the algorithm
    const int nodes_; // that the ranks are on
    const Team team_;
    Placer placer_;

    std::optional<PlanKey> key_; // of plan_; empty where the last plan was not made to its end
    Plan plan_;
    Program program_;
    overlap_shuffle shuffle_ = OVERLAP_SHUFFLE_TWO_SIDED; // of plan_
    SubBuffers buffers_;
    std::unique_ptr<Writer> writer_;     // behind the sub-buffers, which it may still read when it is destroyed
    HolesRule rule_;                     // that writer_ keeps to
    std::optional<overlap_holes> holes_; // in use; empty where this rank has met no gaps yet
    std::optional<Sieve> sieve_;         // of a process alone
    Windows windows_;
    bool windows_impossible_ = false;
    bool explained_ = false;
};

} // namespace overlap

#endif
