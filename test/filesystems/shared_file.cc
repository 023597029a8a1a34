// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "shared_file.h"

#include <fcntl.h>
#include <unistd.h>

namespace {

constexpr int kOldRound = 99;

std::vector<char> Content(const Segments &segments, int writer, int round) {
    std::vector<char> bytes;
    for (const Segment &segment : segments) {
        for (long long i = 0; i < segment.length; ++i) {
            bytes.push_back(ByteOf(writer, segment.offset + i, round));
        }
    }
    return bytes;
}

/// Up to `most` bytes, through a new descriptor.
std::vector<char> ReadByPosix(const std::string &path, std::size_t most) {
    std::vector<char> bytes(most);
    const int file = open(path.c_str(), O_RDONLY);
    std::size_t done = 0;
    while (done < most) {
        const ssize_t some = pread(file, bytes.data() + done, most - done, static_cast<off_t>(done));
        if (some <= 0) {
            break;
        }
        done += static_cast<std::size_t>(some);
    }
    close(file);
    bytes.resize(done);
    return bytes;
}

} // namespace

SharedFile::SharedFile(const Job &job, const std::string &name) : job_(job) {
    // A name that no client has seen.
    int number = static_cast<int>(getpid());
    MPI_Bcast(&number, 1, MPI_INT, 0, MPI_COMM_WORLD);
    name_ = name + "." + std::to_string(number);
    path_ = job.folder + "/" + name_;
    if (job_.rank == 0) {
        unlink(path_.c_str());
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

void SharedFile::MakeOld(long long bytes) {
    Expect({{0, bytes}}, 0, kOldRound);
    if (job_.rank == 0) {
        const int file = open(path_.c_str(), O_CREAT | O_RDWR, 0644);
        if (pwrite(file, bytes_.data(), bytes_.size(), 0) != static_cast<ssize_t>(bytes_.size()) || fsync(file) != 0) {
            IsStale("the old file cannot be written");
        }
        close(file);
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

void SharedFile::ReadAllByPosix() {
    ReadByPosix(path_, bytes_.size());
    MPI_Barrier(MPI_COMM_WORLD);
}

MPI_File SharedFile::Open(int mode, MPI_Comm comm) {
    MPI_File file;
    if (MPI_File_open(comm, path_.c_str(), mode, MPI_INFO_NULL, &file) != MPI_SUCCESS) {
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    MPI_File_set_errhandler(file, MPI_ERRORS_RETURN);
    return file;
}

void SharedFile::Close(MPI_File &file) { Check(MPI_File_close(&file), "close"); }

void SharedFile::SyncBarrierSync(MPI_File file) {
    Check(MPI_File_sync(file), "sync");
    MPI_Barrier(MPI_COMM_WORLD);
    Check(MPI_File_sync(file), "sync");
}

void SharedFile::Expect(const Segments &segments, int writer, int round) {
    for (const Segment &segment : segments) {
        if (size() < segment.offset + segment.length) {
            ExpectSize(segment.offset + segment.length);
        }
        for (long long i = segment.offset; i < segment.offset + segment.length; ++i) {
            bytes_[static_cast<std::size_t>(i)] = ByteOf(writer, i, round);
            written_[static_cast<std::size_t>(i)] = true;
        }
    }
}

void SharedFile::ExpectSize(long long size) {
    bytes_.resize(static_cast<std::size_t>(size), '\0');
    written_.resize(static_cast<std::size_t>(size), false);
}

void SharedFile::ExpectAppended(const std::string &text) {
    bytes_.insert(bytes_.end(), text.begin(), text.end());
    written_.resize(bytes_.size(), true);
}

void SharedFile::WriteAll(MPI_File file, const Of &of, int round) {
    for (int rank = 0; rank < job_.ranks; ++rank) {
        Expect(of(rank), rank, round);
    }
    WriteOwnGroup(file, of(job_.rank), job_.rank, round);
}

void SharedFile::WriteOwnGroup(MPI_File file, const Segments &segments, int writer, int round) {
    const std::vector<char> bytes = Content(segments, writer, round);
    const int count = static_cast<int>(bytes.size());
    MPI_Status status;
    SetView(file, segments);
    if (job_.nonblocking) {
        MPI_Request request;
        const int error = MPI_File_iwrite_all(file, bytes.data(), count, MPI_BYTE, &request);
        CheckCount(error == MPI_SUCCESS ? MPI_Wait(&request, &status) : error, status, count, "iwrite_all");
    } else {
        CheckCount(MPI_File_write_all(file, bytes.data(), count, MPI_BYTE, &status), status, count, "write_all");
    }
}

void SharedFile::WriteAt(MPI_File file, int rank, const Segments &segments, int round) {
    Expect(segments, rank, round);
    if (job_.rank != rank) {
        return;
    }
    for (const Segment &segment : segments) {
        const std::vector<char> bytes = Content({segment}, rank, round);
        MPI_Status status;
        const int error =
            MPI_File_write_at(file, segment.offset, bytes.data(), static_cast<int>(bytes.size()), MPI_BYTE, &status);
        CheckCount(error, status, segment.length, "write_at");
    }
}

void SharedFile::ReadAll(MPI_File file, const Segments &segments, const char *what) {
    std::vector<char> bytes(static_cast<std::size_t>(Bytes(segments)));
    const int count = static_cast<int>(bytes.size());
    MPI_Status status;
    SetView(file, segments);
    if (job_.nonblocking) {
        MPI_Request request;
        const int error = MPI_File_iread_all(file, bytes.data(), count, MPI_BYTE, &request);
        CheckCount(error == MPI_SUCCESS ? MPI_Wait(&request, &status) : error, status, count, what);
    } else {
        CheckCount(MPI_File_read_all(file, bytes.data(), count, MPI_BYTE, &status), status, count, what);
    }
    CheckRead(bytes, segments, what);
}

void SharedFile::ReadAt(MPI_File file, const Segments &segments, const char *what) {
    std::vector<char> all;
    SetPlainView(file);
    for (const Segment &segment : segments) {
        std::vector<char> bytes(static_cast<std::size_t>(segment.length));
        MPI_Status status;
        Check(MPI_File_read_at(file, segment.offset, bytes.data(), static_cast<int>(bytes.size()), MPI_BYTE, &status), what);
        all.insert(all.end(), bytes.begin(), bytes.end());
    }
    CheckRead(all, segments, what);
}

std::vector<char> SharedFile::Right(const Segments &segments) const {
    std::vector<char> right;
    for (const Segment &each : segments) {
        right.insert(right.end(), bytes_.begin() + each.offset, bytes_.begin() + each.offset + each.length);
    }
    return right;
}

void SharedFile::CheckRead(const std::vector<char> &got, const Segments &segments, const char *what) {
    std::size_t position = 0;
    for (const Segment &segment : segments) {
        for (long long i = segment.offset; i < segment.offset + segment.length; ++i, ++position) {
            if (got[position] != bytes_[static_cast<std::size_t>(i)]) {
                IsStale(std::string(what) + ": byte " + std::to_string(i));
                return;
            }
        }
    }
}

void SharedFile::Check(int error, const char *what) {
    if (error != MPI_SUCCESS) {
        char text[MPI_MAX_ERROR_STRING];
        int length = 0;
        MPI_Error_string(error, text, &length);
        IsStale(std::string(what) + " returns " + text);
    }
}

void SharedFile::CheckCount(int error, MPI_Status &status, long long bytes, const char *what) {
    Check(error, what);
    int count = -1;
    if (error == MPI_SUCCESS && MPI_Get_count(&status, MPI_BYTE, &count) == MPI_SUCCESS) {
        CheckEqual(count, bytes, what);
    }
}

void SharedFile::CheckEqual(long long value, long long right, const char *what) {
    if (value != right) {
        IsStale(std::string(what) + ": " + std::to_string(value) + " for " + std::to_string(right));
    }
}

void SharedFile::IsStale(const std::string &what) {
    if (stale_.empty()) {
        stale_ = what + " (rank " + std::to_string(job_.rank) + ")";
    }
}

SharedFile::Difference SharedFile::CompareFile(const std::string &path) const {
    Difference found;
    const std::vector<char> got = ReadByPosix(path, bytes_.size() + 4096);
    for (std::size_t i = 0; i < bytes_.size() && i < got.size(); ++i) {
        std::string &where = written_[i] ? found.written : found.unwritten;
        if (got[i] != bytes_[i] && where.empty()) {
            where = "byte " + std::to_string(i) + (got[i] == '\0' ? " is zero" : "");
        }
    }
    if (got.size() != bytes_.size() && found.written.empty()) {
        found.written = "size " + std::to_string(got.size()) + " for " + std::to_string(bytes_.size());
    }
    return found;
}

void SharedFile::CheckContent() {
    MPI_Barrier(MPI_COMM_WORLD);
    const std::string wrong = CompareFile(path_).written;
    if (!wrong.empty()) {
        IsStale("read again after the close: " + wrong);
    }
    if (job_.rank == 0) {
        const Difference on_servers = CompareFile(job_.checker + "/" + name_);
        lost_ = on_servers.written;
        filled_ = on_servers.unwritten;
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (job_.rank == 0) {
        unlink(path_.c_str());
    }
}

Segments Blocks(int rank, int ranks, long long block, long long count, long long start, long long gap) {
    Segments blocks;
    for (long long i = 0; i < count; ++i) {
        blocks.push_back({start + (i * ranks + rank) * (block + gap), block});
    }
    return blocks;
}

Segments Gaps(int rank, int ranks, long long block, long long count, long long gap) {
    Segments gaps = Blocks(rank, ranks, block, count, 0, gap);
    for (Segment &each : gaps) {
        each = {each.offset + block, gap};
    }
    return gaps;
}

Segments Before(const Segments &segments, long long offset) {
    Segments some;
    for (const Segment &each : segments) {
        if (each.offset < offset) {
            some.push_back(each);
        }
    }
    return some;
}

Segments From(const Segments &segments, long long offset) {
    Segments some;
    for (const Segment &each : segments) {
        if (each.offset >= offset) {
            some.push_back(each);
        }
    }
    return some;
}

void SetView(MPI_File file, const Segments &segments) {
    std::vector<int> lengths;
    std::vector<MPI_Aint> offsets;
    for (const Segment &each : segments) {
        lengths.push_back(static_cast<int>(each.length));
        offsets.push_back(static_cast<MPI_Aint>(each.offset));
    }
    MPI_Datatype type;
    MPI_Type_create_hindexed(static_cast<int>(segments.size()), lengths.data(), offsets.data(), MPI_BYTE, &type);
    MPI_Type_commit(&type);
    MPI_File_set_view(file, 0, MPI_BYTE, type, "native", MPI_INFO_NULL);
    MPI_Type_free(&type);
}

void SetPlainView(MPI_File file) { MPI_File_set_view(file, 0, MPI_BYTE, MPI_BYTE, "native", MPI_INFO_NULL); }
