// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// The ports of the engine over threads of one process: 1 to 64 "ranks" in one test program, without MPI.
//
// Whatever MPI and a file system leave open is decided by seeded chance, the nasty choices included: a message is taken from
// the sender's memory, and put into the receiver's, as early or as late as the rules allow; a send completes at once or when
// it is received; an asynchronous write looks at its memory when it starts or when it is waited for; bytes that are put are
// taken from the origin, and arrive at the target, at any time up to the end of their epoch; an opening fence waits for
// nobody or for all. What MPI forbids with windows ends the program: see fake_windows.h.
// Whatever can fail fails where a test says so: see failure.h. A run in which the engine does what it must not, or waits
// for ever, ends the program, or the run alone where the options say so.
// So does a gap that is written without a lock on what was read, and a lock that is held while its thread waits for others.
#ifndef TEST_UNIT_FAKE_CLUSTER_H
#define TEST_UNIT_FAKE_CLUSTER_H

#include "entry.h"
#include "failing_memory.h"
#include "failure.h"
#include "fake_file.h"
#include "node_maps.h"
#include "traffic.h"

#include <array>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <random>
#include <string>
#include <thread>
#include <vector>

namespace overlap::test {

class RealFile;

struct ClusterOptions {
    int ranks = 1;
    int ranks_per_node = 64;
    /// Ranks are dealt to nodes in turn.
    bool nodes_in_turn = false;
    /// The node of each rank, nodes in the order of their lowest ranks; empty: as the two above say.
    std::vector<int> node_of_rank;
    /// Of each node, 0 where not known.
    int nics = 0;
    unsigned seed = 1;
    std::int64_t block_size = 1;
    std::int64_t stripe_size = 0;
    int stripe_count = 0;
    std::int64_t hinted_stripe_size = 0;
    int hinted_stripe_count = 0;
    std::int64_t collective_buffer = 1 << 20;
    bool collective_buffer_chosen = true;
    int aggregators = 0;
    bool posix = true;
    /// In MPI atomic mode is this rank; -1: none.
    int atomic_on = -1;
    std::string file_system = "unknown";
    std::vector<int> ompio_aggregators = {0};
    /// Of each rank, empty where not known; fewer entries than ranks: not known of the others. Nodes are called n0, n1, ...
    std::vector<std::string> localities;
    /// The files that read_text finds, by path.
    std::map<std::string, std::string> texts;
    /// What open_plugin finds at any path, and why it finds nothing where it is null.
    const overlap_plugin *plugin = nullptr;

    /// The write of this number, counted over the ranks in the order in which they happen, fails after half of its bytes;
    /// -1: none.
    int failing_write = -1;
    int error = OVERLAP_ERR_NO_SPACE;
    /// No byte at or behind this offset can be written; -1: no limit.
    std::int64_t disk_end = -1;
    /// Making a window fails on this rank; -1: on none, -2: on all.
    int no_window_on = -1;
    /// The first windows that cannot be made now, on all ranks.
    int windows_not_now = 0;

    /// Whether the file can be read back and locked; what posix_locks answers.
    bool sieves = true;
    bool locks_writes = false;
    /// What each rank is told of the size of the file, and whether the file system tells it as it is; empty: the truth.
    std::vector<std::int64_t> told_sizes;
    bool tells_size = true;
    /// Lists are written with several requests under way.
    bool remote = false;
    /// Nodes see each other's writes at once.
    bool coherent = true;
    /// Whether the file tells where it has holes; else all of it may be data.
    bool knows_holes = false;
    /// The read of this number fails, counted as the writes; -1: none.
    int failing_read = -1;
    /// From the lock of this number on, none is to be had; -1: all are.
    int locks_end = -1;
    /// Somebody else writes into these places again and again: whenever nobody has them locked; or without a look at locks,
    /// in a way that the last rank knows of, which says why: a value of overlap_gaps.
    std::vector<std::int64_t> foreign;
    overlap_gaps known_writer = OVERLAP_GAPS_WRITTEN_BACK;
    /// Somebody else holds a lock of all of the file, and does not give it back.
    bool locked_for_ever = false;
    /// The POSIX functions are those of this file, which lives as long as the cluster; null: of the fake one.
    RealFile *disk = nullptr;

    /// Why no timeline can be written; null: it can.
    const char *trace_error = nullptr;

    /// The file has lost so many bytes when it is read, after it was asked for its size.
    std::int64_t shrinks_by = 0;

    /// Calls are nonblocking, while nobody says otherwise.
    bool nonblocking = false;

    /// Between two looks at a clock any time may pass, from a microsecond to a second; else a millisecond.
    bool unsteady_clock = false;

    /// A run in which nothing happens for so long is given up.
    std::chrono::seconds patience{30};
    /// A run that is given up ends by itself, and its ranks stay where they are until the program ends: what they use must
    /// live as long. Else it ends the program.
    bool survives = false;
};

/// Added to an address it gives one of a device, which no load or store reaches.
constexpr std::intptr_t kDevice = std::intptr_t{1} << 56;

/// The engine has done what it must not: gives up the run of the calling rank.
[[noreturn]] void Abort(const std::string &why);

/// The bytes of pieces in order.
std::vector<char> GatherPieces(const std::vector<overlap_piece> &pieces);

/// As many bytes to pieces in order.
void ScatterPieces(const std::vector<char> &bytes, const std::vector<overlap_piece> &pieces);

struct LoggedWrite {
    int rank;
    std::int64_t offset;
    std::size_t length;
    bool beside;      // by another thread than the rank's
    std::size_t list; // pieces that were handed over with it, under one lock in atomic mode
};

class FakeRank;
class FakeWindows;

class FakeCluster {
  public:
    explicit FakeCluster(ClusterOptions options);
    ~FakeCluster();

    /// Calls `body` on a thread for each rank and waits for all. Returns why the run was given up, with a word about what
    /// each rank waits for; empty where all have ended. After that nothing may be asked of the cluster.
    std::string Run(const std::function<void(FakeRank &)> &body);

    /// The failures of the runs that follow.
    void Arm(std::vector<Failure> failures);
    /// How many of a kind a rank has met while it counted last.
    std::int64_t Counted(int rank, Failure::Kind kind) const;
    /// Bytes that it allocated.
    std::int64_t BytesAllocated(int rank) const { return Of(rank).takings.bytes; }
    /// Bytes that it copied outside of the ports (failing_memory.h).
    std::int64_t BytesCopied(int rank) const { return Of(rank).takings.copied; }
    /// How often the armed failures came to pass.
    std::int64_t Failed() const;

    /// Messages, requests and writes that nobody took or waited for; empty where all is well.
    std::string Leftovers() const;

    /// The file: bytes that were never written are '.'.
    char ByteAt(std::int64_t offset) const;
    std::int64_t BytesWritten() const { return file_.written(); }
    const std::vector<LoggedWrite> &log() const { return log_; }
    void ClearLog() { log_.clear(); }
    /// Lists of extents that were read.
    const std::vector<LoggedWrite> &reads() const { return reads_; }
    /// What the file holds before the first run.
    void Preset(const std::map<std::int64_t, char> &file);
    /// What somebody else wrote last into the foreign places.
    const std::map<std::int64_t, char> &foreign() const { return foreign_; }
    /// How often a lock was asked for.
    int locks_asked() const { return locks_asked_; }
    /// How often a rank flushed.
    int flushes() const { return flushes_; }
    /// How often a rank asked for the size that the storage has.
    int fresh_sizes() const { return fresh_sizes_; }
    /// How often one asked where there are holes.
    int asked_for_holes() const { return asked_for_holes_; }
    /// Bytes that were read under locks.
    std::int64_t read() const { return read_; }
    const std::vector<std::string> &explanations() const { return explanations_; }
    /// The events of timelines by path, as they were handed over.
    const std::map<std::string, std::string> &traces() const { return traces_; }
    /// How often some were handed over.
    int traces_appended() const { return traces_appended_; }

    /// Seconds that ranks were told a call would take, in any order.
    const std::vector<double> &expectations() const { return expectations_; }

    const std::vector<overlap_warning> &warnings() const { return warnings_; } // but for the next
    int SmallSubBuffers() const { return small_sub_buffers_; }
    /// Why, of each warning; empty where no reason was given.
    const std::vector<std::string> &reasons() const { return reasons_; }
    /// Messages that were sent with tags in [first, last], and collective operations, counted once for all ranks.
    int MessagesSent(int first = 0, int last = 1 << 20) const { return traffic_.AllSent(first, last); }
    int Collectives() const { return static_cast<int>(traffic_.collectives().size()); }
    const Traffic &traffic() const { return traffic_; }
    /// The most bytes of standard sends that waited at this rank for their receives.
    std::size_t MostUnexpectedBytes(int rank) const { return Of(rank).most_unexpected; }
    int PluginsOpen() const { return plugins_open_; }

    int DeviceCopies() const { return device_copies_; }
    /// Bytes of host memory, from the first to the last that a rank's copies from and to its device have touched.
    std::size_t MostStaged() const { return most_staged_; }
    NodeMap node_map() const { return NodeMap(nodes_, options_.ranks); }
    /// How many windows were made, and how many of them were not freed.
    int WindowsMade() const;
    int WindowsLeft() const;

    /// Lists of extents that were written, which is what failing_write counts.
    int WritesSeen() const { return writes_seen_; }
    /// Writes that a rank has begun after one of its writes had failed.
    int WritesAfterAFailure() const { return writes_after_a_failure_; }

  private:
    friend class FakeRank;
    friend class FakeWindows;

    // One side of a message; the other side is found by the channel.
    struct Message {
        int rank = 0;
        int tag = 0;
        bool sends = false;
        std::vector<overlap_piece> pieces;
        std::vector<char> bytes; // of a send that was taken early
        bool synchronous = false;
        bool taken = false;
        bool complete = false;
        bool broken = false;         // of a send: it goes in the place of one that could not be made
        bool drops = false;          // of a receive: it takes what comes and forgets it
        std::size_t unmet = 0;       // bytes of a send that wait at the destination
        int error = OVERLAP_SUCCESS; // of a receive
        std::shared_ptr<Message> partner;
    };

    struct Channel {
        std::deque<std::shared_ptr<Message>> sends;
        std::deque<std::shared_ptr<Message>> receives;
    };

    bool Coin() { return random_() % 2 == 0; } // with the mutex
    struct OfRank {
        std::string host;
        Takings takings;
        std::array<std::int64_t, Failure::kKinds> counts{};
        std::string waits_for;
        const std::function<bool()> *until = nullptr;
        std::condition_variable changed;
        std::size_t unexpected = 0, most_unexpected = 0; // bytes
        std::size_t broadcasts_heard = 0;
    };
    OfRank &Of(int rank) { return of_rank_[static_cast<std::size_t>(rank)]; }
    const OfRank &Of(int rank) const { return of_rank_[static_cast<std::size_t>(rank)]; }

    // The armed failure that this thing is; null where it does not fail. Counts it. With the mutex.
    const Failure *Fails(int rank, Failure::Kind kind);
    void Count(int rank, bool counts);
    static bool OnThreadOfARank();
    // Something has happened: that nobody waits for; that this rank may wait for; that all may. With the mutex.
    void Happened();
    void Changed(int rank);
    void Changed();
    // Wakes those who may wait for what this thread has changed. Whoever is woken takes the mutex at once, so this comes
    // where it is free, or about to be.
    void Wake();
    static thread_local std::unique_lock<std::mutex> *held; // of this thread, in a port
    void LetOthersGoOn();
    // This rank looks again and again whether something has happened, and lets others do it meanwhile.
    void Polls();
    void GiveUpIfNobodyCanGoOn();
    std::string WhatTheyWaitFor() const;
    [[noreturn]] void GiveUp(const std::string &why);
    friend void Abort(const std::string &why);
    bool Impatient(int times = 1) const;

    void WaitFor(int rank, const char *what, const std::function<bool()> &until);
    void Match(Channel &channel);
    void Deliver(Message &message);
    overlap_request *Start(int rank, bool sends, int peer, int tag, std::shared_ptr<Message> message);
    void LoseSome(overlap_request **requests, std::size_t count);
    int Complete(overlap_request *&request);
    struct Lock {
        int rank;
        std::thread::id thread;
        std::int64_t begin;
        std::int64_t end;
    };

    bool ForeignerWrites(std::int64_t place) const;
    void WriteForeign();
    bool Holds(int rank, std::int64_t begin, std::int64_t end) const;
    int WriteNow(int rank, Failure::Kind kind, const overlap_extent *extents, std::size_t count, std::size_t *written);
    int ReadNow(int rank, Failure::Kind kind, const overlap_extent *extents, std::size_t count, std::size_t *read);
    int TransferNow(int rank, overlap_direction direction, Failure::Kind of_write, Failure::Kind of_read,
                    const overlap_extent *extents, std::size_t count, std::size_t *done);
    std::int64_t EndOfFile() const;

    ClusterOptions options_;
    std::optional<ListedNodes> listed_;
    overlap_nodes nodes_{};
    mutable std::mutex mutex_;
    std::mt19937 random_;
    std::map<std::pair<std::pair<int, int>, int>, Channel> channels_; // (source, destination), tag
    std::deque<OfRank> of_rank_;
    int running_ = 0; // ranks that have not ended
    std::atomic<std::int64_t> last_change_{0};
    std::mutex end_mutex_; // a run that is given up keeps the other one
    std::condition_variable ended_;
    int ranks_ended_ = 0;
    std::string gave_up_;

    std::vector<Failure> failures_;
    std::int64_t failed_ = 0;

    int open_requests_ = 0;
    int open_writes_ = 0;
    int writes_seen_ = 0;
    int failed_rank_ = -1;
    int writes_after_a_failure_ = 0;

    std::unique_ptr<FakeWindows> windows_;

    // Of a node: by name until the rank that made it leaves, in the hands of ranks as long as they have not left it.
    std::map<std::string, std::shared_ptr<std::vector<char>>> node_memory_;
    int node_memory_made_ = 0;
    int node_memory_left_ = 0; // in the hands of ranks

    // Takes part in a collective operation that ends when all ranks have arrived: the first one makes what is there, the
    // others add to it.
    void Meet(int rank, const std::function<void(bool first)> &take_part);

    std::vector<std::vector<char>> broadcasts_; // in the order of rank 0
    Traffic traffic_;
    int plugins_open_ = 0;
    int device_copies_ = 0;
    std::size_t most_staged_ = 0;

    std::vector<std::int64_t> reduced_;
    std::vector<std::int64_t> result_;
    int arrived_ = 0;
    int round_ = 0;

    FakeFile file_;
    std::map<std::int64_t, char> foreign_;
    std::vector<Lock> locks_;
    int locks_seen_ = 0;
    int reads_seen_ = 0;
    int locks_asked_ = 0;
    int flushes_ = 0;
    int fresh_sizes_ = 0;
    int asked_for_holes_ = 0;
    std::int64_t read_ = 0;
    std::vector<LoggedWrite> log_;
    std::vector<LoggedWrite> reads_;
    std::vector<std::string> explanations_;
    std::map<std::string, std::string> traces_;
    int traces_appended_ = 0;
    std::vector<double> expectations_;
    std::vector<overlap_warning> warnings_;
    int small_sub_buffers_ = 0; // warnings of them
    std::vector<std::string> reasons_;
};

/// The ports of one rank.
class FakeRank {
  public:
    FakeRank(FakeCluster &cluster, int rank);

    int rank() const { return transport.rank; }

    /// From now on, from 0, what this rank does counts, and may fail; or no more.
    void Count(bool counts) { cluster_.Count(rank(), counts); }

    /// Whether this rank's calls from now on are nonblocking.
    void SetNonblocking(bool nonblocking) { nonblocking_ = nonblocking; }

    overlap_transport transport{};
    overlap_storage storage{};
    overlap_host host{};

  private:
    friend class FakeCluster;
    friend class FakeWindows;
    int Send(int peer, int tag, overlap_send_mode mode, const overlap_piece *pieces, std::size_t count,
             overlap_request **request);
    int Receive(int peer, int tag, const overlap_piece *pieces, std::size_t count, overlap_request **request);
    int ReceiveAny(int tag, void *buffer, std::size_t capacity, int *source, std::size_t *received);
    int Wait(overlap_request **requests, std::size_t count);
    int Test(overlap_request **requests, std::size_t count, int *done);
    int Allreduce(std::int64_t *values, std::size_t count, overlap_reduction reduction);
    int Broadcast(void *data, std::size_t bytes);
    void Progress();
    int Waits();
    int NodeMemoryMake(std::size_t bytes, char *name, overlap_node_memory **memory, char **address);
    int NodeMemoryJoin(const char *name, std::size_t bytes, overlap_node_memory **memory, char **address);
    void NodeMemoryLeave(overlap_node_memory **memory);
    int PosixHoldsData(std::int64_t offset, std::int64_t *until);
    int PosixLocks();
    int PosixDescriptors(overlap_descriptors *descriptors);
    int PosixError(const overlap_extent *extent, int number);
    int PosixTransfer(overlap_direction direction, const overlap_extent *extents, std::size_t count, std::size_t *done);
    int PosixLock(std::int64_t offset, std::int64_t length, int *held);
    int PosixTransferLocked(overlap_direction direction, const overlap_extent *extents, std::size_t count,
                            std::size_t *done);
    int ReadLocked(const overlap_extent &extent);
    int WriteLocked(const overlap_extent *extents, std::size_t count, std::size_t *written);
    overlap_gaps Gaps();
    void PosixUnlock(std::int64_t offset, std::int64_t length);
    void Warn(overlap_warning warning, const char *why);
    int DeviceCopy(void *to, const void *from, std::size_t bytes);
    const char *AppendTrace(const char *path, const char *events, std::size_t length);
    int ReadText(const char *path, char **text, std::size_t *length);
    const overlap_plugin *OpenPlugin(const char *path, void **handle, char *why, std::size_t why_size);
    void ClosePlugin(void *handle);
    void Facts(overlap_file_facts *facts);
    int Size(int fresh, std::int64_t *bytes);
    int Flush();
    int Transfer(overlap_direction direction, const overlap_extent *extents, std::size_t count, std::size_t *done);
    int TransferStart(overlap_direction direction, const overlap_extent *extents, std::size_t count,
                      overlap_transfer **request, std::size_t *done);
    int TransferWait(overlap_transfer **request, std::size_t *done);
    int TransferTest(overlap_transfer **request, int *complete, std::size_t *done);
    void Explain(const char *line);
    static double Seconds(void *self);
    void Expects(double seconds);

    template <auto Function, typename Result, typename... Arguments> Result InWindows(Arguments... arguments) {
        return (cluster_.windows_.get()->*Function)(*this, arguments...);
    }
    template <auto Function> struct Port;
    struct AtEnd {
        FakeCluster &cluster;
        ~AtEnd() { cluster.Wake(); }
    };

    void FillInTransport();
    void FillInStorage();
    void FillInHost();

    FakeCluster &cluster_;
    bool nonblocking_;
    std::minstd_rand ticks_;
    double now_ = 0;                                                                        // of its clock
    std::intptr_t staged_from_ = std::numeric_limits<std::intptr_t>::max(), staged_to_ = 0; // of the host, by device copies
};

/// A function of a port: what it takes from the system does not count, and it has the mutex.
template <typename Result, typename... Arguments, Result (FakeRank::*Function)(Arguments...)>
struct FakeRank::Port<Function> {
    static Result Call(void *self, Arguments... arguments) {
        const Exempt exempt;
        FakeRank &rank = *static_cast<FakeRank *>(self);
        const AtEnd at_end{rank.cluster_};
        std::unique_lock<std::mutex> lock(rank.cluster_.mutex_);
        FakeCluster::held = &lock;
        return (rank.*Function)(arguments...);
    }
};

/// One of the windows.
template <typename Result, typename... Arguments, Result (FakeWindows::*Function)(FakeRank &, Arguments...)>
struct FakeRank::Port<Function> {
    static Result Call(void *self, Arguments... arguments) {
        return Port<&FakeRank::InWindows<Function, Result, Arguments...>>::Call(self, arguments...);
    }
};

} // namespace overlap::test

#endif
