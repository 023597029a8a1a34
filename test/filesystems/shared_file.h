// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// A file of a distributed file system that ranks of several nodes write, with what it has to hold. Wrong bytes are told
// apart: those that a client shows only (stale), and those that the servers have (lost).
#ifndef TEST_FILESYSTEMS_SHARED_FILE_H
#define TEST_FILESYSTEMS_SHARED_FILE_H

#include "../functional/harness.h"

#include <functional>
#include <string>
#include <vector>

/// What all cases of a job share.
struct Job {
    int rank = 0;
    int ranks = 1;
    std::string folder;  // of this rank's own client
    std::string checker; // the same folder by a client that nobody else uses
    bool nonblocking = false;
};

/// The segments of a rank.
using Of = std::function<Segments(int rank)>;

class SharedFile {
  public:
    /// Collective: removes what the name has.
    SharedFile(const Job &job, const std::string &name);

    /// Collective: rank 0 makes the file by POSIX, `bytes` of an old round.
    void MakeOld(long long bytes);
    /// Collective: every client has the whole file in its cache.
    void ReadAllByPosix();

    MPI_File Open(int mode = MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_Comm comm = MPI_COMM_WORLD);
    void Close(MPI_File &file);
    /// Sync, barrier, sync: what one rank wrote others may read, or write again, afterwards (MPI 4.1, 14.6.1).
    void SyncBarrierSync(MPI_File file);

    /// Collective: each rank writes its segments, which is what the file has to hold then. `round` chooses the bytes.
    void WriteAll(MPI_File file, const Of &of, int round);
    /// The same on the handle of a group: ranks in it are those of the group. The others learn by Expect.
    void WriteOwnGroup(MPI_File file, const Segments &segments, int writer, int round);
    /// `rank` alone writes, independently; every rank calls it.
    void WriteAt(MPI_File file, int rank, const Segments &segments, int round);
    void Expect(const Segments &segments, int writer, int round);
    void ExpectSize(long long size);
    void ExpectAppended(const std::string &text);

    /// Collective: each rank reads its segments.
    void ReadAll(MPI_File file, const Segments &segments, const char *what);
    /// Each rank independently.
    void ReadAt(MPI_File file, const Segments &segments, const char *what);
    /// The bytes that the segments have to hold.
    std::vector<char> Right(const Segments &segments) const;
    void CheckRead(const std::vector<char> &got, const Segments &segments, const char *what);

    /// An error class that is not MPI_SUCCESS makes the case fail.
    void Check(int error, const char *what);
    void CheckCount(int error, MPI_Status &status, long long bytes, const char *what);
    void CheckEqual(long long value, long long right, const char *what);

    /// Collective, after the last close: the file through each client, and through the checker's.
    void CheckContent();

    Segments Whole() const { return {{0, size()}}; }
    long long size() const { return static_cast<long long>(bytes_.size()); }
    const std::string &path() const { return path_; }

    /// What is wrong on this rank, empty where nothing is.
    const std::string &stale() const { return stale_; }
    const std::string &lost() const { return lost_; }
    /// Bytes that no rank wrote are not zero. MPI leaves them undefined; the component promises not to write them.
    const std::string &filled() const { return filled_; }

  private:
    struct Difference {
        std::string written;
        std::string unwritten;
    };
    Difference CompareFile(const std::string &path) const;
    void IsStale(const std::string &what);

    const Job &job_;
    std::string name_;
    std::string path_;
    std::vector<char> bytes_;   // as the file has to be
    std::vector<bool> written_; // by a rank
    std::string stale_;
    std::string lost_;
    std::string filled_;
};

/// Blocks of `block` bytes, `gap` bytes behind each; the ranks take turns.
Segments Blocks(int rank, int ranks, long long block, long long count, long long start = 0, long long gap = 0);
/// The gaps behind the blocks of a rank.
Segments Gaps(int rank, int ranks, long long block, long long count, long long gap);
/// Those segments that begin before, or from, an offset.
Segments Before(const Segments &segments, long long offset);
Segments From(const Segments &segments, long long offset);

void SetView(MPI_File file, const Segments &segments);
void SetPlainView(MPI_File file);

#endif
