// Writes through a queue of the kernel, past the page cache where that is possible.
#ifndef OVERLAP_ENGINE_IO_QUEUED_H
#define OVERLAP_ENGINE_IO_QUEUED_H

#include "account.h"
#include "direct_split.h"
#include "queue.h"
#include "writer.h"

namespace overlap {

/// Whole pages are written directly, the rest through the ordinary descriptor: by the queue where that does not block, else
/// by an I/O thread. The I/O thread also takes what the queue is not there for: a file that is locked for each write, a list
/// with gaps that are read, a list that the queue cannot hold, which would have to be refilled by the thread of the MPI
/// calls; and everything where the kernel or the file system refuses.
class QueuedWriter final : public Writer {
  public:
    QueuedWriter(const QueueKind &kind, const WriterPorts &ports);
    ~QueuedWriter() override;
    QueuedWriter(const QueuedWriter &) = delete;
    QueuedWriter &operator=(const QueuedWriter &) = delete;

    void Prepare(std::size_t lanes, std::size_t extents) override;
    const char *name() const override { return queue_ == nullptr ? thread_->name() : kind_.name; }
    void Use(const MemoryRanges &memory) override;
    Status Write(const Extents &extents, ByteCount &written) noexcept override;
    void Start(std::size_t lane, const Extents &extents) noexcept override;
    Status Wait(std::size_t lane, ByteCount &written) noexcept override;
    bool Done(std::size_t lane) noexcept override;
    void Expect(const Extents &extents) noexcept override { thread_->Expect(extents); }
    bool ReadsGaps() const override { return thread_->ReadsGaps(); }
    void AllowSieve(bool allowed) override { thread_->AllowSieve(allowed); }

  private:
    struct Lane {
        bool handed_over = false;        // all of it to the I/O thread; what follows is not used then
        std::vector<QueuedWrite> pieces; // in order of the extents; the tag of each is made of the lane and the index
        std::vector<QueuedWrite> queued; // those of them for the queue
        std::vector<std::size_t> left;   // the indices of the others
        Extents by_thread;               // and the bytes of those
        Account account;
        std::size_t under_way = 0; // in the queue
    };

    void Open();
    void StartIn(std::size_t lane, const Extents &extents);
    Status WaitFor(std::size_t lane, ByteCount &written);
    void HandOver(overlap_warning warning);
    bool Locked();
    void Cut(std::size_t lane, const overlap_extent &extent, bool direct);
    bool QueueTakes(const Lane &lane, const Extents &extents);
    void Divide(std::size_t lane, const Extents &extents);
    void Submit(Lane &lane);
    void Reap(bool sleeps);
    void Answer(std::uint64_t tag, std::int64_t result);
    Status Finish(const QueuedWrite &piece, std::int64_t result, ByteCount &done);
    void SettleThread(std::size_t lane);
    void SayDirect(const QueuedWrite &piece);

    const QueueKind kind_;
    const overlap_storage &storage_;
    const overlap_transport &transport_;
    const overlap_host &host_;
    const HolesRule holes_;
    std::unique_ptr<Writer> thread_;
    std::unique_ptr<Queue> queue_; // empty where the I/O thread does everything
    overlap_descriptors files_{};
    bool opened_ = false;
    bool direct_ = false;      // the file takes direct writes, as far as is known
    bool locked_said_ = false; // the user has been told
    bool direct_said_ = false;
    bool refused_said_ = false;
    std::vector<Lane> lanes_; // the first is that of Write
    std::vector<QueuedAnswer> answers_;
    std::size_t under_way_ = 0;
};

} // namespace overlap

#endif
