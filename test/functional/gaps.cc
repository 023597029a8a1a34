// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// Small gaps of a collective write are read and written back where no process of the call can write into them meanwhile, so
// that many small pieces take few calls to write; each chunk under a lock of its own. Elsewhere lists are written, and no
// byte is lost.
//   gaps DIRECTORY                   where the ranks are on one node; follows fs_ufs_lock_algorithm
//
//   gaps DIRECTORY threads SECONDS   under MPI_THREAD_MULTIPLE
//
//   gaps DIRECTORY sieve             only what others write meanwhile, with that hint: shows that the test can fail
#include "tiles.h"

#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <optional>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace {

constexpr int kRounds = 12;
// Collective calls while others write into the gaps.
constexpr int kCallsMeanwhile = 12;
// A call waits a second for locks; the rest is for a busy machine.
constexpr double kMostSeconds = 4;

struct World {
    int rank = 0;
    int ranks = 1;
    std::string path;
    const char *holes = nullptr; // hint of the collective handle
    std::string locks;           // fs_ufs_lock_algorithm: "1" none, "2" of the whole file, "3" of ranges, for each write
    bool without_locks() const { return locks == "1"; }
    bool locks_each_write() const { return locks == "2" || locks == "3"; }
};

MPI_File OpenFile(const World &world, MPI_Comm comm, int mode, const char *key = nullptr, const char *value = nullptr) {
    MPI_Info info;
    MPI_Info_create(&info);
    if (key != nullptr && value != nullptr) {
        MPI_Info_set(info, key, value);
    }
    MPI_File file;
    if (MPI_File_open(comm, world.path.c_str(), mode, info, &file) != MPI_SUCCESS) {
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    MPI_Info_free(&info);
    return file;
}

MPI_File OpenPieces(const World &world, MPI_Comm comm, const Tiles &tiles, int mode, const char *key = nullptr,
                    const char *value = nullptr) {
    MPI_File file = OpenFile(world, comm, mode, key, value);
    int rank = 0;
    MPI_Comm_rank(comm, &rank);
    Tiles::SetView(file, tiles.PiecesOf(rank));
    return file;
}

// On rank 0: the pieces are those of `round`; the gaps are as before, or those that the ranks from `others` on wrote.
std::string Compare(const World &world, const Tiles &tiles, int round, int others = 0, int sharers = 0) {
    MPI_Barrier(MPI_COMM_WORLD);
    if (world.rank != 0) {
        return {};
    }
    Expected expected(tiles.bytes());
    for (int writer = 0; writer < tiles.writers(); ++writer) {
        const Segments pieces = tiles.PiecesOf(writer);
        expected.Write(pieces, Stream(writer, Bytes(pieces), round));
    }
    for (int of = 0; of < sharers; ++of) {
        const Segments gaps = tiles.GapsOf(of, sharers);
        expected.Write(gaps, Stream(100 + others + of, Bytes(gaps), round));
    }
    return expected.Compare(world.path);
}

void Prepare(const World &world, const Tiles &tiles) {
    Prefill(MPI_COMM_WORLD, world.path, tiles.bytes());
    WatchLocks(world.path);
    MPI_Barrier(MPI_COMM_WORLD);
}

std::string First(const std::string &a, const std::string &b) { return a.empty() ? b : a; }

enum class Second { kNone, kSameProcesses, kSelf };

Cost WriteBesides(const World &world, Second second, int mode) {
    const Tiles tiles(world.ranks);
    Prepare(world, tiles);
    MPI_File other = MPI_FILE_NULL;
    if (second != Second::kNone) {
        other = OpenFile(world, second == Second::kSelf ? MPI_COMM_SELF : MPI_COMM_WORLD, MPI_MODE_RDWR);
    }
    MPI_File file = OpenPieces(world, MPI_COMM_WORLD, tiles, mode);
    Cost cost = WritePieces(MPI_COMM_WORLD, file, world.rank, 0);
    MPI_File_close(&file);
    if (other != MPI_FILE_NULL) {
        MPI_File_close(&other);
    }
    cost.wrong = First(cost.wrong, Compare(world, tiles, 0));
    return cost;
}

std::string Few(const World &world, const Cost &cost) {
    const std::string writes = world.without_locks() ? MadeLists(cost) : MadeFewWrites(cost);
    return First(cost.wrong, writes);
}

std::string SmallPiecesTakeFewWrites(const World &world, Second second) {
    return Few(world, WriteBesides(world, second, MPI_MODE_RDWR));
}

// OMPIO opens the descriptor for reading as well, unless io_ompio_overwrite_amode is 0.
std::string WriteOnlyTakesFewWrites(const World &world) {
    return Few(world, WriteBesides(world, Second::kNone, MPI_MODE_WRONLY));
}

std::string NoGapsNoLock(const World &world) {
    const Tiles tiles(world.ranks);
    Prepare(world, tiles);
    MPI_File file = OpenFile(world, MPI_COMM_WORLD, MPI_MODE_RDWR);
    std::vector<char> stream = Stream(world.rank, 100000);
    MPI_File_set_view(file, world.rank * 100000LL, MPI_BYTE, MPI_BYTE, "native", MPI_INFO_NULL);
    MPI_Status status;
    int error = MPI_File_write_at_all(file, 0, stream.data(), 100000, MPI_BYTE, &status);
    std::string wrong = Wrote(error, status, 100000);
    error = MPI_File_read_at_all(file, 0, stream.data(), 100000, MPI_BYTE, &status);
    wrong = First(wrong, Wrote(error, status, 100000));
    MPI_File_close(&file);
    const LockCalls locks = CountedLocks();
    return First(wrong, locks.calls() == 0 ? "" : std::to_string(locks.calls()) + " lock calls");
}

// The cycles are short, so there are several chunks. Without locks the same program takes none.
std::string OneLockForEachChunk(const World &world) {
    const Tiles tiles(world.ranks);
    Prepare(world, tiles);
    MPI_File file = OpenPieces(world, MPI_COMM_WORLD, tiles, MPI_MODE_RDWR, "cb_buffer_size", "65536");
    const LockCalls at_open = CountedLocks();
    const Cost cost = WritePieces(MPI_COMM_WORLD, file, world.rank, 0);
    const LockCalls locks = CountedLocks();
    std::string wrong = cost.wrong;
    if (at_open.calls() != 0) {
        wrong = First(wrong, std::to_string(at_open.calls()) + " lock calls before the write");
    }
    if (locks.granted != locks.unlocks) {
        wrong = First(wrong, std::to_string(locks.granted) + " locks, " + std::to_string(locks.unlocks) + " unlocks");
    }
    // A piece at the edge of a chunk, with no gap behind it in its cycle, is written without a lock.
    if (locks.granted > 0 && (locks.granted > cost.writes || 2 * locks.granted < cost.writes)) {
        wrong = First(wrong, std::to_string(locks.granted) + " locks for " + std::to_string(cost.writes) + " chunks");
    }
    if (world.locks != "2" && locks.largest > tiles.bytes()) {
        wrong = First(wrong, "a lock of " + std::to_string(locks.largest) + " bytes");
    }
    MPI_Barrier(MPI_COMM_WORLD);
    wrong = First(wrong, IsLocked(world.path) ? "a lock is left after the call" : "");
    MPI_File_close(&file);
    long of_all = locks.calls();
    MPI_Allreduce(MPI_IN_PLACE, &of_all, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    if (world.without_locks() != (of_all == 0)) {
        wrong = First(wrong, std::to_string(of_all) + " lock calls in all");
    }
    return First(wrong, Compare(world, tiles, 0));
}

// A lock of the whole file by this process, or by a child of it, for as long as the object lives.
class HeldLock {
  public:
    enum Holder { kProcess, kOpenFile, kChild };

    HeldLock(const std::string &path, Holder holder, short type) {
        if (holder == kChild) {
            StartChild(path, type);
        } else {
            file_ = open(path.c_str(), O_RDWR);
            held_ = LockAll(file_, type, holder == kOpenFile);
        }
    }
    ~HeldLock() {
        if (child_ > 0) {
            close(release_);
            waitpid(child_, nullptr, 0);
        } else {
            close(file_);
        }
    }
    HeldLock(const HeldLock &) = delete;
    HeldLock &operator=(const HeldLock &) = delete;
    bool held() const { return held_; }

  private:
    // The child only makes system calls: it is a fork of a process with threads.
    void StartChild(const std::string &path, short type) {
        int ready[2], release[2];
        char byte = 0;
        if (pipe(ready) != 0 || pipe(release) != 0) {
            return;
        }
        child_ = fork();
        if (child_ == 0) {
            close(release[1]);
            byte = LockAll(open(path.c_str(), O_RDWR), type, false) ? 1 : 0;
            const bool told = write(ready[1], &byte, 1) == 1;
            _exit(told && read(release[0], &byte, 1) == 0 ? 0 : 1);
        }
        close(ready[1]);
        close(release[0]);
        held_ = read(ready[0], &byte, 1) == 1 && byte == 1;
        close(ready[0]);
        release_ = release[1];
    }

    int file_ = -1, release_ = -1;
    pid_t child_ = -1;
    bool held_ = false;
};

// A lock of the process goes where it closes a descriptor of the file, so it is taken behind the open.
std::string WritesInSpiteOf(const World &world, HeldLock::Holder holder, short type) {
    const Tiles tiles(world.ranks);
    Prepare(world, tiles);
    MPI_File file = OpenPieces(world, MPI_COMM_WORLD, tiles, MPI_MODE_RDWR);
    Cost cost;
    std::string wrong;
    {
        std::optional<HeldLock> lock;
        if (world.rank == 0) {
            lock.emplace(world.path, holder, type);
            wrong = lock->held() ? "" : "the test got no lock";
        }
        cost = WritePieces(MPI_COMM_WORLD, file, world.rank, 0);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    const double began = MPI_Wtime();
    MPI_File_close(&file);
    const double seconds = cost.seconds + MPI_Wtime() - began;
    wrong = First(wrong, First(cost.wrong, MadeLists(cost)));
    wrong = First(wrong, seconds < kMostSeconds ? "" : "it took " + std::to_string(seconds) + " s");
    return First(wrong, Compare(world, tiles, 0));
}

// The lock is there before the file is opened, and until it is closed.
std::string OpensInSpiteOf(const World &world, HeldLock::Holder holder, short type) {
    const Tiles tiles(world.ranks);
    Prepare(world, tiles);
    std::string wrong;
    {
        std::optional<HeldLock> lock;
        if (world.rank == 0) {
            lock.emplace(world.path, holder, type);
            wrong = lock->held() ? "" : "the test got no lock";
        }
        MPI_Barrier(MPI_COMM_WORLD);
        const double began = MPI_Wtime();
        MPI_File file = OpenPieces(world, MPI_COMM_WORLD, tiles, MPI_MODE_RDWR);
        wrong = First(wrong, WritePieces(MPI_COMM_WORLD, file, world.rank, 0).wrong);
        MPI_File_close(&file);
        const double seconds = MPI_Wtime() - began;
        wrong = First(wrong, seconds < kMostSeconds ? "" : "it took " + std::to_string(seconds) + " s");
    }
    return First(wrong, Compare(world, tiles, 0));
}

void CheckHeldLocks(Results &results, const World &world) {
    struct Kind {
        const char *name;
        HeldLock::Holder holder;
        short type;
    };
    for (const Kind &kind : {Kind{"an exclusive lock of a rank's process", HeldLock::kProcess, F_WRLCK},
                             Kind{"a shared lock of a rank's process", HeldLock::kProcess, F_RDLCK},
                             Kind{"an exclusive lock of a rank's descriptor", HeldLock::kOpenFile, F_WRLCK},
                             Kind{"a shared lock of a rank's descriptor", HeldLock::kOpenFile, F_RDLCK},
                             Kind{"another process's exclusive lock", HeldLock::kChild, F_WRLCK},
                             Kind{"another process's shared lock", HeldLock::kChild, F_RDLCK}}) {
        results.Check(std::string("a write with gaps ends in spite of ") + kind.name,
                      WritesInSpiteOf(world, kind.holder, kind.type));
        results.Check(std::string("open, write and close end in spite of ") + kind.name,
                      OpensInSpiteOf(world, kind.holder, kind.type));
    }
}

// Repeats `of_round`, which leaves what is wrong with the file.
template <typename Round> std::string Rounds(int rounds, Round of_round) {
    std::string wrong;
    int bad = 0;
    for (int round = 0; round < rounds; ++round) {
        const std::string answer = of_round(round);
        bad += answer.empty() ? 0 : 1;
        wrong = First(wrong, answer);
    }
    return wrong.empty() ? wrong : std::to_string(bad) + " of " + std::to_string(rounds) + " rounds: " + wrong;
}

// Writes the gaps of the view one by one, without a lock.
std::string WriteGaps(MPI_File file, const Segments &gaps, const std::vector<char> &stream) {
    std::string wrong;
    for (std::size_t i = 0; i < gaps.size(); ++i) {
        MPI_Status status;
        const auto at = static_cast<MPI_Offset>(i) * Tiles::kGap;
        const int error = MPI_File_write_at(file, at, stream.data() + at, Tiles::kGap, MPI_BYTE, &status);
        wrong = First(wrong, Wrote(error, status, Tiles::kGap));
    }
    return wrong;
}

// The ranks of the lower half have a handle of their own, and write by it collectively; the other half writes into the gaps
// by a handle of all ranks, which the component knows in the lower half. Which handle is opened first takes turns.
std::string SubgroupRound(const World &world, MPI_Comm group, int half, int round) {
    const Tiles tiles(half);
    const bool writes_pieces = world.rank < half;
    const int others = world.ranks - half;
    Prepare(world, tiles);
    const auto open_of_group = [&] {
        return OpenPieces(world, group, tiles, MPI_MODE_RDWR, "fcoll_overlap_holes", world.holes);
    };
    MPI_File of_group = writes_pieces && round % 2 == 0 ? open_of_group() : MPI_FILE_NULL;
    MPI_File of_world = OpenFile(world, MPI_COMM_WORLD, MPI_MODE_RDWR);
    const Segments gaps = tiles.GapsOf(writes_pieces ? 0 : world.rank - half, others);
    Tiles::SetView(of_world, gaps);
    of_group = writes_pieces && round % 2 != 0 ? open_of_group() : of_group;
    MPI_Barrier(MPI_COMM_WORLD);
    Cost cost;
    if (writes_pieces) {
        cost = WritePieces(group, of_group, world.rank, round, kCallsMeanwhile);
        MPI_File_close(&of_group);
    } else {
        cost.wrong = WriteGaps(of_world, gaps, Stream(100 + world.rank, Bytes(gaps), round));
    }
    MPI_File_close(&of_world);
    const std::string lost = Compare(world, tiles, round, half, others);
    return First(First(cost.wrong, lost), MadeLists(cost));
}

std::string OthersOfAWiderHandleLoseNothing(const World &world) {
    const int half = (world.ranks + 1) / 2;
    MPI_Comm group;
    MPI_Comm_split(MPI_COMM_WORLD, world.rank < half ? 0 : MPI_UNDEFINED, world.rank, &group);
    const std::string wrong = Rounds(kRounds, [&](int round) { return SubgroupRound(world, group, half, round); });
    if (group != MPI_COMM_NULL) {
        MPI_Comm_free(&group);
    }
    return wrong;
}

// Each rank's handle on MPI_COMM_SELF alone would not matter; what is pending by it does. The first call of a file, which
// sets much up, is made before: what is started just before the second one is pending when it begins.
// All ranks write the gaps by another handle, with a nonblocking collective call that is pending meanwhile.
std::string PendingCollectiveRound(const World &world, int round) {
    const Tiles tiles(world.ranks);
    Prepare(world, tiles);
    MPI_File file = OpenPieces(world, MPI_COMM_WORLD, tiles, MPI_MODE_RDWR, "fcoll_overlap_holes", world.holes);
    MPI_File other = OpenFile(world, MPI_COMM_WORLD, MPI_MODE_RDWR);
    const Segments gaps = tiles.GapsOf(world.rank, world.ranks);
    Tiles::SetView(other, gaps);
    const std::vector<char> stream = Stream(100 + world.rank, Bytes(gaps), round);
    MPI_Request request = MPI_REQUEST_NULL;
    const auto start = [&] {
        MPI_File_iwrite_at_all(other, 0, stream.data(), static_cast<int>(stream.size()), MPI_BYTE, &request);
    };
    const std::string first = WritePieces(MPI_COMM_WORLD, file, world.rank, round).wrong;
    std::string wrong = First(first, WritePieces(MPI_COMM_WORLD, file, world.rank, round, kCallsMeanwhile, start).wrong);
    MPI_Status status;
    const int error = MPI_Wait(&request, &status);
    wrong = First(wrong, Wrote(error, status, Bytes(gaps)));
    MPI_File_close(&other);
    MPI_File_close(&file);
    return First(wrong, Compare(world, tiles, round, 0, world.ranks));
}

std::string PendingRound(const World &world, int round) {
    const Tiles tiles(world.ranks);
    Prepare(world, tiles);
    MPI_File file = OpenPieces(world, MPI_COMM_WORLD, tiles, MPI_MODE_RDWR, "fcoll_overlap_holes", world.holes);
    MPI_File self = OpenFile(world, MPI_COMM_SELF, MPI_MODE_RDWR);
    const Segments gaps = tiles.GapsOf(0, 1);
    Tiles::SetView(self, gaps);
    const bool writes_gaps = world.rank == world.ranks - 1;
    const std::vector<char> stream = Stream(100, Bytes(gaps), round);
    MPI_Request request = MPI_REQUEST_NULL;
    const auto start = [&] {
        if (writes_gaps) {
            MPI_File_iwrite_at(self, 0, stream.data(), static_cast<int>(stream.size()), MPI_BYTE, &request);
        }
    };
    const std::string first = WritePieces(MPI_COMM_WORLD, file, world.rank, round).wrong;
    Cost cost = WritePieces(MPI_COMM_WORLD, file, world.rank, round, kCallsMeanwhile, start);
    cost.wrong = First(first, cost.wrong);
    if (writes_gaps) {
        MPI_Status status;
        const int error = MPI_Wait(&request, &status);
        cost.wrong = First(cost.wrong, Wrote(error, status, Bytes(gaps)));
        cost.writes = 0; // those of the pending one are among them
    }
    MPI_File_close(&self);
    MPI_File_close(&file);
    const std::string lost = Compare(world, tiles, round, 0, 1);
    const std::string lists = MadeLists(cost, world.ranks == 1 ? 0 : Tiles::kTiles / 4);
    return First(First(cost.wrong, lost), lists);
}

// A rank that has nothing to do for the others may leave the call early.
std::string BeforeAndAfterRound(const World &world, int round) {
    const Tiles tiles(world.ranks);
    Prepare(world, tiles);
    MPI_File file = OpenPieces(world, MPI_COMM_WORLD, tiles, MPI_MODE_RDWR, "fcoll_overlap_holes", world.holes);
    const Segments gaps = tiles.GapsOf(world.rank, world.ranks);
    const std::vector<char> stream = Stream(100 + world.rank, Bytes(gaps), round);
    const std::vector<char> pieces = Stream(world.rank, Bytes(tiles.PiecesOf(world.rank)), round);
    const int descriptor = open(world.path.c_str(), O_RDWR);
    bool ok = descriptor >= 0;
    const auto write_half = [&](std::size_t half) {
        for (std::size_t i = half; i < gaps.size(); i += 2) {
            ok = ok && pwrite(descriptor, stream.data() + i * Tiles::kGap, Tiles::kGap, gaps[i].offset) == Tiles::kGap;
        }
    };
    MPI_Status status;
    MPI_Barrier(MPI_COMM_WORLD);
    write_half(0);
    const int error = MPI_File_write_at_all(file, 0, pieces.data(), static_cast<int>(pieces.size()), MPI_BYTE, &status);
    write_half(1);
    const std::string wrong = First(Wrote(error, status, static_cast<long long>(pieces.size())), ok ? "" : "pwrite");
    close(descriptor);
    MPI_File_close(&file);
    return First(wrong, Compare(world, tiles, round, 0, world.ranks));
}

void CheckOthers(Results &results, const World &world) {
    if (world.ranks > 1) {
        results.Check("ranks outside of the call that have a handle with its processes lose nothing",
                      OthersOfAWiderHandleLoseNothing(world));
    }
    results.Check("a nonblocking write that is pending by a handle of one process loses nothing",
                  Rounds(kRounds, [&](int round) { return PendingRound(world, round); }));
    results.Check("a nonblocking collective write that is pending by another handle loses nothing",
                  Rounds(kRounds, [&](int round) { return PendingCollectiveRound(world, round); }));
    results.Check("what a rank writes into gaps just before and just after the call is kept",
                  Rounds(kRounds, [&](int round) { return BeforeAndAfterRound(world, round); }));
}

void CheckCounts(Results &results, const World &world) {
    if (WriteCalls() < 0) {
        results.Check("the kernel counts calls to write (/proc/self/io)", "it does not");
        return;
    }
    results.Check("small pieces take few calls to write", SmallPiecesTakeFewWrites(world, Second::kNone));
    results.Check("small pieces take few calls beside a second handle of the same processes",
                  SmallPiecesTakeFewWrites(world, Second::kSameProcesses));
    results.Check("small pieces take few calls beside a handle on MPI_COMM_SELF",
                  SmallPiecesTakeFewWrites(world, Second::kSelf));
    results.Check("so do those of a file for writing only", WriteOnlyTakesFewWrites(world));
    if (!world.locks_each_write()) {
        results.Check("who writes and reads without gaps takes no lock", NoGapsNoLock(world));
    }
    results.Check("each chunk with gaps is locked once, and nothing after it", OneLockForEachChunk(world));
}

// A round under MPI_THREAD_MULTIPLE: calls for so many rows of pieces each; a thread writes so many rows at once.
constexpr int kCalls = 4, kRows = Tiles::kTiles / kCalls, kRowsAtOnce = 25;

bool WritesCollectively(const World &world, int call) { return (world.rank + call) % 2 == 0; }

std::string WriteByThread(const World &world, MPI_File file, const std::vector<char> &stream) {
    std::string wrong;
    for (int row = 0; row < Tiles::kTiles; row += kRowsAtOnce) {
        if (!WritesCollectively(world, row / kRows)) {
            const auto at = static_cast<MPI_Offset>(row) * Tiles::kPiece;
            constexpr int kBytes = kRowsAtOnce * Tiles::kPiece;
            MPI_Status status;
            const int error = MPI_File_write_at(file, at, stream.data() + at, kBytes, MPI_BYTE, &status);
            wrong = First(wrong, Wrote(error, status, kBytes));
        }
    }
    return wrong;
}

// In each call every second rank writes nothing, so its pieces are gaps; its thread writes them meanwhile.
std::string ThreadsRound(const World &world, Second second, int round) {
    const Tiles tiles(world.ranks);
    Prepare(world, tiles);
    MPI_File file = OpenPieces(world, MPI_COMM_WORLD, tiles, MPI_MODE_RDWR, "fcoll_overlap_holes", world.holes);
    MPI_File other = MPI_FILE_NULL;
    if (second != Second::kNone) {
        other = OpenFile(world, second == Second::kSelf ? MPI_COMM_SELF : MPI_COMM_WORLD, MPI_MODE_RDWR);
        Tiles::SetView(other, tiles.PiecesOf(world.rank));
    }
    const std::vector<char> stream = Stream(world.rank, Bytes(tiles.PiecesOf(world.rank)), round);
    MPI_Barrier(MPI_COMM_WORLD);
    std::string of_thread, wrong;
    std::thread thread([&] { of_thread = WriteByThread(world, other != MPI_FILE_NULL ? other : file, stream); });
    for (int call = 0; call < kCalls; ++call) {
        const int bytes = WritesCollectively(world, call) ? kRows * Tiles::kPiece : 0;
        const auto at = static_cast<MPI_Offset>(call) * kRows * Tiles::kPiece;
        MPI_Status status;
        const int error = MPI_File_write_at_all(file, at, stream.data() + at, bytes, MPI_BYTE, &status);
        wrong = First(wrong, Wrote(error, status, bytes));
    }
    thread.join();
    if (other != MPI_FILE_NULL) {
        MPI_File_close(&other);
    }
    MPI_File_close(&file);
    return First(First(wrong, of_thread), Compare(world, tiles, round));
}

// Whether `seconds` have gone by, as rank 0 has it.
bool IsOver(double began, double seconds) {
    int over = MPI_Wtime() - began >= seconds ? 1 : 0;
    MPI_Bcast(&over, 1, MPI_INT, 0, MPI_COMM_WORLD);
    return over != 0;
}

void CheckThreads(Results &results, const World &world, double seconds) {
    results.Check("several threads may call MPI: small pieces take few calls to write",
                  SmallPiecesTakeFewWrites(world, Second::kNone));
    const Cost cost = WriteBesides(world, Second::kSameProcesses, MPI_MODE_RDWR);
    results.Check("several threads may call MPI: lists beside a second handle", First(cost.wrong, MadeLists(cost)));
    std::string wrong[3];
    int rounds = 0;
    for (const double began = MPI_Wtime(); !IsOver(began, seconds); ++rounds) {
        for (const Second second : {Second::kNone, Second::kSameProcesses, Second::kSelf}) {
            std::string &so_far = wrong[static_cast<int>(second)];
            so_far = First(so_far, ThreadsRound(world, second, rounds));
        }
    }
    if (world.rank == 0) {
        std::printf("%d rounds\n", rounds);
    }
    const std::string times = " (" + std::to_string(rounds) + " rounds)";
    results.Check("what a thread writes into gaps by the same handle is kept" + times, wrong[0]);
    results.Check("what a thread writes into gaps by a second handle is kept" + times, wrong[1]);
    results.Check("what a thread writes into gaps by a handle on MPI_COMM_SELF is kept" + times, wrong[2]);
}

} // namespace

int main(int argc, char **argv) {
    const std::string mode = argc > 2 ? argv[2] : "";
    const bool threads = mode == "threads";
    int provided = 0;
    MPI_Init_thread(&argc, &argv, threads ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE, &provided);
    World world;
    MPI_Comm_rank(MPI_COMM_WORLD, &world.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &world.ranks);
    world.path = PathOf(argv[1], "gaps");
    world.locks = ParameterGiven("fs_ufs_lock_algorithm");
    Results results;
    if (threads) {
        results.Check("several threads may call MPI", provided == MPI_THREAD_MULTIPLE ? "" : "this Open MPI lets one only");
        CheckThreads(results, world, argc > 3 ? std::atof(argv[3]) : 3);
    } else if (mode == "sieve") {
        world.holes = "sieve";
        CheckOthers(results, world);
    } else {
        CheckCounts(results, world);
        CheckOthers(results, world);
        // Where OMPIO locks each write, it waits for who has the lock, with any component.
        if (!world.locks_each_write() && !world.without_locks()) {
            CheckHeldLocks(results, world);
        }
    }
    const int failed = results.Finish();
    MPI_Finalize();
    return failed;
}
