// What lives with a file: sub-buffers, windows, the write engine, memory for messages.
#ifndef OVERLAP_ENGINE_FILE_RESOURCES_H
#define OVERLAP_ENGINE_FILE_RESOURCES_H

#include "../choose/choice.h"
#include "../plan/plan.h"
#include "../shuffle/shuffle.h"
#include "../shuffle/windows.h"
#include "../sub_buffers.h"
#include "../io/holes_policy.h"
#include "../io/sieve.h"
#include "../io/writer.h"

#include <memory>
#include <optional>

namespace overlap {

/// Kept as long as it serves, so that a call that repeats another takes no memory here.
class FileResources {
  public:
    FileResources(const Team &team, const overlap_storage &storage, const overlap_host &host,
                  const overlap_settings &settings);
    FileResources(const FileResources &) = delete;
    FileResources &operator=(const FileResources &) = delete;

    /// Collective, for a new plan: decides which shuffle serves it, and makes windows for those that put. The same on all
    /// ranks; takes no memory that one of them may lack without all of them knowing.
    void ChooseShuffle(const Plan &plan, const Choice &choice) noexcept;

    /// What the calls of this plan need, after ChooseShuffle. Local. Throws std::bad_alloc.
    void Prepare(const Plan &plan, const Choice &choice);

    /// The ranks have agreed to begin a call.
    void BeginCall() { writer_->AllowSieve(holes_.Allows()); }

    /// Collective: gives back the windows.
    void FreeTogether() { windows_.Free(); }

    /// After Prepare; `memory` outlives it. Throws std::bad_alloc.
    std::unique_ptr<Shuffle> MakeShuffle(const Plan &plan, const Choice &choice, const StridedList &memory);

    /// In use.
    overlap_shuffle shuffle() const { return shuffle_; }
    const SubBuffers &buffers() const { return buffers_; }
    Writer &writer() const { return *writer_; }
    HolesPolicy &holes() { return holes_; }
    const overlap_storage &storage() const { return storage_; }

    /// For a process alone, which writes from where its bytes lie. `gaps`: between them in the file. Throws std::bad_alloc.
    Sieve &SieveAlone(bool gaps);

  private:
    void PrepareWriter(const Plan &plan, const Choice &choice);
    void PrepareSubBuffers(const Plan &plan, const Choice &choice);
    bool MakeWindows(const Plan &plan, const Choice &choice);

    const Team &team_;
    const overlap_storage &storage_;
    const overlap_host &host_;
    overlap_shuffle shuffle_ = OVERLAP_SHUFFLE_TWO_SIDED;
    Windows windows_;
    bool windows_impossible_ = false;
    PackMemory pack_;
    Staging staging_;
    SubBuffers buffers_;
    HolesPolicy holes_;
    std::unique_ptr<Writer> writer_;            // behind the sub-buffers, which it may still read when it is destroyed
    HolesRule rule_;                            // that writer_ keeps to
    overlap_writer made_ = OVERLAP_WRITER_AUTO; // the kind of writer_ that was chosen
    std::optional<Sieve> sieve_;
    const Plan *prepared_ = nullptr; // what all of it serves,
    int prepared_slots_ = 0;         // with so many sub-buffers
};

} // namespace overlap

#endif
