// An I/O thread beside the thread of the MPI calls (Tsujita et al., section III): it takes writes from a queue and sleeps
// where there are none.
#include "sieve.h"
#include "writer.h"

#include <chrono>
#include <condition_variable>
#include <csignal>
#include <deque>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

namespace overlap {
namespace {

// How long the thread of the MPI calls sleeps before it lets messages go on again.
constexpr std::chrono::microseconds kBetweenProgress(100);

// Chunks that are announced at a time; more are read when their turn comes.
constexpr std::size_t kMostExpected = 64;

// A program's signals are not for the I/O thread.
class BlockedSignals {
  public:
    BlockedSignals() {
        sigset_t all;
        sigfillset(&all);
        pthread_sigmask(SIG_SETMASK, &all, &before_);
    }
    ~BlockedSignals() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
    BlockedSignals(const BlockedSignals &) = delete;
    BlockedSignals &operator=(const BlockedSignals &) = delete;

  private:
    sigset_t before_;
};

class ThreadWriter final : public Writer {
  public:
    explicit ThreadWriter(const WriterPorts &ports)
        : storage_(ports.storage), transport_(ports.transport), holes_(ports.holes),
          own_sieve_(ports.storage, ports.holes, &ports.transport), sieve_(ports.storage, ports.holes, nullptr) {}

    // What is queued is written first.
    ~ThreadWriter() override {
        {
            const std::lock_guard<std::mutex> lock(mutex_);
            closing_ = true;
        }
        work_.notify_all();
        if (thread_.joinable()) {
            thread_.join();
        }
    }

    ThreadWriter(const ThreadWriter &) = delete;
    ThreadWriter &operator=(const ThreadWriter &) = delete;

    void Prepare(std::size_t lanes, std::size_t extents) override {
        const std::lock_guard<std::mutex> lock(mutex_);
        while (lanes_.size() < lanes) {
            lanes_.emplace_back();
        }
        for (Lane &lane : lanes_) {
            lane.extents.reserve(extents);
        }
        own_sieve_.Prepare();
        sieve_.Prepare();
        queue_.reserve(lanes_.size());
        if (own_sieve_.rule().holes != OVERLAP_HOLES_LIST) {
            expected_.reserve(kMostExpected);
            announced_.reserve(kMostExpected);
        }
    }

    Status Write(const Extents &extents, ByteCount &written) noexcept override { return own_sieve_.Write(extents, written); }

    void Start(std::size_t lane, const Extents &extents) noexcept override {
        Lane &own = lanes_[lane];
        own.extents.assign(extents.begin(), extents.end()); // in the lane's memory
        own.written = 0;
        own.status = Status();
        if (!ThreadRuns()) {
            own.status = Write(own.extents, own.written);
            return;
        }
        {
            const std::lock_guard<std::mutex> lock(mutex_);
            own.under_way = true;
            queue_.push_back(lane);
        }
        work_.notify_one();
    }

    Status Wait(std::size_t lane, ByteCount &written) noexcept override {
        Lane &own = lanes_[lane];
        std::unique_lock<std::mutex> lock(mutex_);
        while (!done_.wait_for(lock, kBetweenProgress, [&own] { return !own.under_way; })) {
            lock.unlock();
            transport_.progress(transport_.self);
            lock.lock();
        }
        written = std::exchange(own.written, 0);
        return std::exchange(own.status, Status());
    }

    bool Done(std::size_t lane) noexcept override {
        const std::lock_guard<std::mutex> lock(mutex_);
        return !lanes_[lane].under_way;
    }

    void Expect(const Extents &extents) noexcept override {
        if (!ThreadRuns()) {
            return;
        }
        {
            const std::lock_guard<std::mutex> lock(mutex_);
            if (shared_) {
                return;
            }
            ForEachSieved(holes_, extents, [this](const Chunk &chunk) {
                if (expected_.size() < kMostExpected) {
                    expected_.push_back(chunk);
                }
            });
        }
        work_.notify_one();
    }

    const char *name() const override { return "thread"; }

    bool ReadsGaps() const override { return own_sieve_.enabled(); }

    // The I/O thread sleeps, and sees it with what is queued next.
    void AllowSieve(bool allowed) override {
        const std::lock_guard<std::mutex> lock(mutex_);
        own_sieve_.Allow(allowed);
        sieve_.Allow(allowed);
        shared_ = false;
    }

  private:
    struct Lane {
        Extents extents; // the lane keeps its memory
        bool under_way = false;
        ByteCount written = 0;
        Status status;
    };

    // Starts it at its first use. Where no thread can be had, writes block.
    bool ThreadRuns() noexcept {
        if (!thread_.joinable() && !refused_) {
            const BlockedSignals blocked;
            try {
                thread_ = std::thread([this] { Serve(); });
            } catch (...) { // no thread is to be had, or no memory for it
                refused_ = true;
            }
        }
        return !refused_;
    }

    void Serve() {
        std::unique_lock<std::mutex> lock(mutex_);
        for (;;) {
            work_.wait(lock, [this] { return closing_ || !queue_.empty() || !expected_.empty(); });
            Announce(lock);
            if (queue_.empty()) {
                if (closing_) {
                    return;
                }
                continue;
            }
            Lane &lane = lanes_[queue_.front()];
            queue_.erase(queue_.begin());
            lock.unlock();
            ByteCount written = 0;
            const Status status = sieve_.Write(lane.extents, written);
            lock.lock();
            lane.written = written;
            lane.status = status;
            lane.under_way = false;
            shared_ = shared_ || sieve_.shared();
            done_.notify_all();
        }
    }

    // Has the storage fetch what is to be read, before anything is written: that takes its time.
    void Announce(std::unique_lock<std::mutex> &lock) {
        announced_.swap(expected_);
        lock.unlock();
        for (const Chunk &chunk : announced_) {
            storage_.posix_will_read(storage_.self, chunk.begin, chunk.span());
        }
        announced_.clear();
        lock.lock();
    }

    const overlap_storage &storage_;
    const overlap_transport &transport_;
    const HolesRule holes_;
    Sieve own_sieve_; // of the thread of the MPI calls
    Sieve sieve_;     // of the I/O thread
    std::mutex mutex_;
    std::condition_variable work_;   // something is queued, or the file is closed
    std::condition_variable done_;   // a write has completed
    std::deque<Lane> lanes_;         // a deque, as it grows beside the I/O thread
    std::vector<std::size_t> queue_; // each lane at most once
    std::vector<Chunk> expected_;    // to be read soon
    std::vector<Chunk> announced_;   // the I/O thread's; the two keep their memory
    bool closing_ = false;
    bool shared_ = false;  // somebody else may be writing to the file, so what is expected will not be read
    bool refused_ = false; // no thread could be made
    std::thread thread_;
};

} // namespace

std::unique_ptr<Writer> MakeThreadWriter(const WriterPorts &ports) { return std::make_unique<ThreadWriter>(ports); }

} // namespace overlap
