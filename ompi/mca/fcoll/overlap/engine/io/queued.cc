#include "queued.h"

#include "holes.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <unistd.h>

namespace overlap {
namespace {

// How long the thread of the MPI calls sleeps before it lets messages go on again.
constexpr std::chrono::microseconds kBetweenProgress(100);

// Of one piece: write(2) takes less than 2 GiB. A multiple of every alignment.
constexpr ByteCount kLargestPiece = ByteCount{1} << 30;

// What is direct of an extent, and what lies before and behind.
constexpr std::size_t kPartsOfAnExtent = 3;

// Those that large extents are cut into; where they are more the I/O thread writes them.
constexpr std::size_t kFurtherPieces = 16;

constexpr unsigned kIndexBits = 32; // of a tag, below the lane

// The file system has no direct writes, or none of this kind.
bool RefusesDirect(std::int64_t result) { return result == -EINVAL || result == -EOPNOTSUPP; }

// Answers after which the ordinary descriptor can tell more: it writes up to the very byte that a full disk, a quota or a
// limit allows, where a direct write takes whole blocks (a limit inside of one is EINVAL). FUSE says EIO of every
// asynchronous direct write that is short, whatever the reason (fs/fuse/file.c, fuse_get_res_by_io).
bool OrdinaryTellsMore(std::int64_t result) {
    switch (-result) {
    case EAGAIN:
    case ECANCELED: // io_uring: no worker of the kernel could be had (RLIMIT_NPROC)
    case EINTR:
    case ENOMEM:
    case ENOSPC:
    case EDQUOT:
    case EFBIG:
    case EIO:
        return true;
    default:
        return result >= 0 || RefusesDirect(result);
    }
}

} // namespace

QueuedEngine::QueuedEngine(const QueueKind &kind, const IoPorts &ports)
    : kind_(kind), storage_(ports.storage), transport_(ports.transport), host_(ports.host), holes_(ports.holes),
      thread_(MakeThreadEngine(IoPorts{ports.storage, ports.transport, ports.host, ports.holes, ports.patience, false})) {
    files_.direct = -1;
}

QueuedEngine::~QueuedEngine() {
    while (under_way_ > 0) {
        Reap(true);
    }
    if (files_.direct >= 0) {
        close(files_.direct);
    }
}

// A rank that writes nothing needs no queue; rank 0 tries in any case, as it is the one that tells the user.
void QueuedEngine::Prepare(std::size_t lanes, std::size_t extents) {
    if (!opened_ && (lanes > 0 || transport_.rank == 0)) {
        opened_ = true;
        Open();
    }
    lanes_.resize(std::max(lanes + 1, lanes_.size()));
    if (queue_ != nullptr) {
        const std::size_t most = std::min(extents, Queue::kDepth / kPartsOfAnExtent) * kPartsOfAnExtent + kFurtherPieces;
        for (Lane &lane : lanes_) {
            lane.pieces.reserve(most);
            lane.queued.reserve(most);
            lane.left.reserve(most);
            lane.by_thread.reserve(most);
            lane.account.Reserve(most);
        }
        islands_.reserve(most);
        extents = std::max(extents, most);
    }
    answers_.reserve(Queue::kDepth);
    thread_->Prepare(lanes_.size(), extents);
}

// Only direct writes take the pages as they are; others copy from them, which is no faster from registered ones.
void QueuedEngine::Use(const MemoryRanges &memory) {
    if (queue_ == nullptr || (!direct_ && !memory.empty()) || queue_->Register(memory)) {
        return;
    }
    if (!refused_said_ && transport_.rank == 0) {
        host_.explain(host_.self, "the kernel registers no sub-buffers (RLIMIT_MEMLOCK), so each write looks up its pages");
    }
    refused_said_ = true;
}

void QueuedEngine::Open() {
    if (!kind_.built_in) {
        HandOver(OVERLAP_WARNING_WRITER_NOT_BUILT);
        return;
    }
    const Status status(storage_.posix_descriptors(storage_.self, &files_));
    direct_ = status.ok() && files_.direct >= 0;
    if (!status.ok() || (!direct_ && !kind_.buffered)) {
        HandOver(OVERLAP_WARNING_NO_DIRECT);
        return;
    }
    queue_ = kind_.make();
    if (queue_ == nullptr) {
        HandOver(OVERLAP_WARNING_KERNEL_REFUSES);
    }
}

void QueuedEngine::HandOver(overlap_warning warning) {
    if (transport_.rank == 0) {
        host_.warn(host_.self, warning, nullptr);
    }
}

// Asked anew for each transfer, as MPI_File_set_atomicity may come between.
bool QueuedEngine::Locked() {
    if (storage_.posix_locks(storage_.self) == 0) {
        return false;
    }
    if (!locked_said_ && transport_.rank == 0) {
        host_.explain(host_.self, "each write takes a lock, so an I/O thread writes in place of a queue");
    }
    locked_said_ = true;
    return true;
}

void QueuedEngine::Cut(std::size_t lane, const overlap_extent &extent, bool direct) {
    Lane &own = lanes_[lane];
    const auto length = static_cast<ByteCount>(extent.length);
    for (ByteCount done = 0; done < length; done += kLargestPiece) {
        const ByteCount bytes = std::min(length - done, kLargestPiece);
        const std::uint64_t tag = static_cast<std::uint64_t>(lane) << kIndexBits | own.pieces.size();
        own.pieces.push_back(
            QueuedTransfer{tag, own.direction, direct ? files_.direct : files_.ordinary, !direct,
                           overlap_extent{extent.offset + done, extent.address + done, static_cast<std::size_t>(bytes)}});
        own.account.Add(bytes);
    }
}

bool QueuedEngine::QueueTakes(const Lane &lane, const Extents &extents) {
    if (queue_ == nullptr || Locked() || extents.size() > Queue::kDepth / kPartsOfAnExtent) {
        return false;
    }
    std::size_t most = 0; // pieces
    for (const overlap_extent &extent : extents) {
        most += kPartsOfAnExtent + extent.length / static_cast<std::size_t>(kLargestPiece);
    }
    bool reads_gaps = false;
    const auto read_gaps = [&reads_gaps](const Chunk &) { reads_gaps = true; };
    if (lane.direction == OVERLAP_READ) {
        ForEachReadThrough(extents, read_gaps);
    } else if (ReadsGaps()) {
        ForEachSieved(holes_, extents, read_gaps);
    }
    return !reads_gaps && most <= lane.pieces.capacity();
}

// Makes the pieces and says who transfers which.
void QueuedEngine::Divide(std::size_t lane, const Extents &extents) {
    Lane &own = lanes_[lane];
    const DirectRule rule{files_.offset_alignment, files_.memory_alignment};
    for (const overlap_extent &extent : extents) {
        if (direct_) {
            const SplitExtent parts = SplitForDirect(extent, rule);
            Cut(lane, parts.head, false);
            Cut(lane, parts.direct, true);
            Cut(lane, parts.tail, false);
        } else {
            Cut(lane, extent, false);
        }
    }
    for (std::size_t i = 0; i < own.pieces.size(); ++i) {
        const QueuedTransfer &piece = own.pieces[i];
        if (!piece.buffered || kind_.buffered) {
            own.queued.push_back(piece);
        } else {
            own.left.push_back(i);
            own.by_thread.push_back(piece.extent);
        }
    }
}

void QueuedEngine::StartIn(std::size_t lane, overlap_direction direction, const Extents &extents) {
    Lane &own = lanes_[lane];
    own.direction = direction;
    own.pieces.clear();
    own.queued.clear();
    own.left.clear();
    own.by_thread.clear();
    own.account.Clear();
    own.handed_over = !QueueTakes(own, extents);
    if (own.handed_over) {
        thread_->Start(lane, direction, extents);
        return;
    }
    Divide(lane, extents);
    if (!own.by_thread.empty()) {
        thread_->Start(lane, direction, own.by_thread);
    }
    Submit(own);
}

// Where the queue is full its oldest transfers are waited for; they need no other rank. After an error the rest is left out.
void QueuedEngine::Submit(Lane &lane) {
    std::size_t next = 0;
    while (next < lane.queued.size() && lane.account.status().ok()) {
        if (under_way_ >= Queue::kDepth) {
            MakeRoom();
            continue;
        }
        const std::int64_t taken = queue_->Submit(lane.queued, next);
        if (taken > 0) {
            next += static_cast<std::size_t>(taken);
            lane.under_way += static_cast<std::size_t>(taken);
            under_way_ += static_cast<std::size_t>(taken);
        } else if (taken == -EAGAIN && under_way_ > 0) {
            MakeRoom();
        } else {
            ++lane.under_way;
            ++under_way_;
            Answer(lane.queued[next++].tag, taken);
        }
    }
}

// Of a call that is waited for the thread sleeps meanwhile.
void QueuedEngine::MakeRoom() {
    const bool waits = transport_.waits(transport_.self) != 0;
    Reap(waits);
    if (!waits) {
        transport_.progress(transport_.self);
    }
}

void QueuedEngine::Reap(bool sleeps) {
    answers_.clear();
    queue_->Reap(sleeps ? kBetweenProgress : std::chrono::microseconds(0), answers_);
    for (const QueuedAnswer &answer : answers_) {
        Answer(answer.tag, answer.result);
    }
}

void QueuedEngine::Answer(std::uint64_t tag, std::int64_t result) {
    Lane &lane = lanes_[static_cast<std::size_t>(tag >> kIndexBits)];
    const auto index = static_cast<std::size_t>(tag & ((std::uint64_t{1} << kIndexBits) - 1));
    ByteCount done = 0;
    const Status status = Finish(lane.pieces[index], result, done);
    lane.account.Complete(index, done, status);
    --lane.under_way;
    --under_way_;
}

// Transfers what the queue did not of a piece. Nothing else touches its pages.
Status QueuedEngine::Finish(const QueuedTransfer &piece, std::int64_t result, ByteCount &done) {
    const auto length = static_cast<ByteCount>(piece.extent.length);
    done = std::max<std::int64_t>(result, 0);
    if (done == length) {
        SayDirect(piece);
        return Status();
    }
    if (!OrdinaryTellsMore(result)) {
        return Status(storage_.posix_error(storage_.self, &piece.extent, static_cast<int>(-result)));
    }
    const overlap_extent rest{piece.extent.offset + done, piece.extent.address + done,
                              static_cast<std::size_t>(length - done)};
    std::size_t bytes = 0;
    const Status status(storage_.posix_transfer(storage_.self, piece.direction, &rest, 1, &bytes));
    done += static_cast<ByteCount>(bytes);
    if (piece.direction == OVERLAP_WRITE && status.ok() && result == -EIO &&
        fdatasync(files_.ordinary) != 0) { // the page cache may have hidden an EIO
        done = 0;
        return Status(storage_.posix_error(storage_.self, &piece.extent, errno));
    }
    if (status.ok() && direct_ && !piece.buffered && RefusesDirect(result)) {
        direct_ = false;
        if (!kind_.buffered) {
            host_.warn(host_.self, OVERLAP_WARNING_NO_DIRECT, nullptr);
        }
    }
    return status;
}

// The kernel may refuse direct writes until the first one, so only that one shows that there are any.
void QueuedEngine::SayDirect(const QueuedTransfer &piece) {
    if (!direct_said_ && !piece.buffered) {
        direct_said_ = true;
        char line[128]; // no allocation, which could fail in the middle of a cycle
        std::snprintf(line, sizeof(line), "rank %d %s past the page cache, first %zu bytes at offset %lld", transport_.rank,
                      piece.direction == OVERLAP_READ ? "reads" : "writes", piece.extent.length,
                      static_cast<long long>(piece.extent.offset));
        host_.explain(host_.self, line);
    }
}

// Spreads what the I/O thread has transferred over the pieces that it was given.
void QueuedEngine::SettleThread(std::size_t lane) {
    Lane &own = lanes_[lane];
    ByteCount transferred = 0;
    const Status status = thread_->Wait(lane, transferred);
    for (const std::size_t index : own.left) {
        const ByteCount done = std::min(transferred, static_cast<ByteCount>(own.pieces[index].extent.length));
        own.account.Complete(index, done, status);
        transferred -= done;
    }
    own.left.clear();
}

Status QueuedEngine::WaitFor(std::size_t lane, ByteCount &done) {
    Lane &own = lanes_[lane];
    islands_.clear();
    if (own.handed_over) {
        own.handed_over = false;
        return thread_->Wait(lane, done);
    }
    while (own.under_way > 0) {
        Reap(transport_.waits(transport_.self) != 0);
        if (own.under_way > 0) {
            transport_.progress(transport_.self);
        }
    }
    if (!own.left.empty()) {
        SettleThread(lane);
    }
    done = own.account.Done();
    const Status status = own.account.status();
    if (!status.ok() && own.direction == OVERLAP_WRITE) {
        own.account.AppendIslands(islands_);
    }
    own.account.Clear();
    return status;
}

bool QueuedEngine::Done(std::size_t lane) noexcept {
    Lane &own = lanes_[lane + 1];
    if (own.under_way > 0) {
        Reap(false);
    }
    return own.under_way == 0 && thread_->Done(lane + 1);
}

Status QueuedEngine::Transfer(overlap_direction direction, const Extents &extents, ByteCount &done) noexcept {
    StartIn(0, direction, extents);
    return WaitFor(0, done);
}

void QueuedEngine::Start(std::size_t lane, overlap_direction direction, const Extents &extents) noexcept {
    StartIn(lane + 1, direction, extents);
}

Status QueuedEngine::Wait(std::size_t lane, ByteCount &done) noexcept { return WaitFor(lane + 1, done); }

} // namespace overlap
