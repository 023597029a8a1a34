// Transfers through a queue of the kernel, past the page cache where that is possible.
#ifndef OVERLAP_ENGINE_IO_QUEUED_H
#define OVERLAP_ENGINE_IO_QUEUED_H

#include "account.h"
#include "direct_split.h"
#include "queue.h"
#include "io_engine.h"

namespace overlap {

/// Whole pages go directly, the rest through the ordinary descriptor: by the queue where that does not block, else
/// by an I/O thread. The I/O thread also takes what the queue is not there for: a file that is locked for each write, a list
/// with gaps that are read, a list that the queue cannot hold, which would have to be refilled by the thread of the MPI
/// calls; and everything where the kernel or the file system refuses.
class QueuedEngine final : public IoEngine {
  public:
    QueuedEngine(const QueueKind &kind, const IoPorts &ports);
    ~QueuedEngine() override;
    QueuedEngine(const QueuedEngine &) = delete;
    QueuedEngine &operator=(const QueuedEngine &) = delete;

    void Prepare(std::size_t lanes, std::size_t extents) override;
    const char *name() const override { return queue_ == nullptr ? thread_->name() : kind_.name; }
    void Use(const MemoryRanges &memory) override;
    Status Transfer(overlap_direction direction, const Extents &extents, ByteCount &done) noexcept override;
    void Start(std::size_t lane, overlap_direction direction, const Extents &extents) noexcept override;
    Status Wait(std::size_t lane, ByteCount &done) noexcept override;
    bool Done(std::size_t lane) noexcept override;
    const Islands &WrittenBehind() const noexcept override { return islands_; }
    std::size_t MostIslands() const override { return islands_.capacity(); }
    void Expect(const Extents &extents) noexcept override { thread_->Expect(extents); }
    bool ReadsGaps() const override { return thread_->ReadsGaps(); }
    void AllowSieve(bool allowed) override { thread_->AllowSieve(allowed); }

  private:
    struct Lane {
        overlap_direction direction = OVERLAP_WRITE;
        bool handed_over = false;           // all of it to the I/O thread; what follows is not used then
        std::vector<QueuedTransfer> pieces; // in order of the extents; the tag of each is made of the lane and the index
        std::vector<QueuedTransfer> queued; // those of them for the queue
        std::vector<std::size_t> left;      // the indices of the others
        Extents by_thread;                  // and the bytes of those
        Account account;
        std::size_t under_way = 0; // in the queue
    };

    void Open();
    void StartIn(std::size_t lane, overlap_direction direction, const Extents &extents);
    Status WaitFor(std::size_t lane, ByteCount &done);
    void HandOver(overlap_warning warning);
    bool Locked();
    void Cut(std::size_t lane, const overlap_extent &extent, bool direct);
    bool QueueTakes(const Lane &lane, const Extents &extents);
    void Divide(std::size_t lane, const Extents &extents);
    void Submit(Lane &lane);
    void MakeRoom();
    void Reap(bool sleeps);
    void Answer(std::uint64_t tag, std::int64_t result);
    Status Finish(const QueuedTransfer &piece, std::int64_t result, ByteCount &done);
    void SettleThread(std::size_t lane);
    void SayDirect(const QueuedTransfer &piece);

    const QueueKind kind_;
    const overlap_storage &storage_;
    const overlap_transport &transport_;
    const overlap_host &host_;
    const HolesRule holes_;
    std::unique_ptr<IoEngine> thread_;
    std::unique_ptr<Queue> queue_; // empty where the I/O thread does everything
    overlap_descriptors files_{};
    bool opened_ = false;
    bool direct_ = false;      // the file takes direct transfers, as far as is known
    bool locked_said_ = false; // the user has been told
    bool direct_said_ = false;
    bool refused_said_ = false;
    std::vector<Lane> lanes_; // the first is that of Transfer
    std::vector<QueuedAnswer> answers_;
    Islands islands_;
    std::size_t under_way_ = 0;
};

} // namespace overlap

#endif
