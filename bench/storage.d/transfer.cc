// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// What takes time: the bytes of files.
#include "open_reply.h"
#include "server.h"

#include <cerrno>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

namespace storage {
namespace {

// The kernel gives the offset of each write, and memory of any alignment.
int BackingFlags(int flags) { return (flags & ~(O_APPEND | O_DIRECT | O_NOFOLLOW)) | O_CLOEXEC; }

bool RefusesDirect(fuse_req_t request, const fuse_file_info *file) {
    return (file->flags & O_DIRECT) != 0 && !ServerOf(request).options.direct;
}

void Open(fuse_req_t request, fuse_ino_t number, fuse_file_info *file) {
    if (RefusesDirect(request, file)) {
        fuse_reply_err(request, EINVAL);
        return;
    }
    const auto inode = InodeOf(request, number);
    const int descriptor = open(inode->path().c_str(), BackingFlags(file->flags) & ~(O_CREAT | O_EXCL));
    if (descriptor < 0) {
        fuse_reply_err(request, errno);
        return;
    }
    if ((file->flags & O_TRUNC) != 0) {
        ServerOf(request).faults.Cut(inode->stored, 0);
    }
    if (!ReplyOpened(request, descriptor)) {
        close(descriptor);
    }
}

// Returns a descriptor, or -1 and errno. A new file belongs to the client.
int CreateOrOpen(fuse_req_t request, const Inode &parent, const char *name, mode_t mode, int flags) {
    const fuse_ctx *client = fuse_req_ctx(request);
    const int created = openat(parent.descriptor(), name, BackingFlags(flags) | O_CREAT | O_EXCL, mode);
    if (created < 0) {
        const bool there = errno == EEXIST && (flags & O_EXCL) == 0;
        return there ? openat(parent.descriptor(), name, BackingFlags(flags) & ~O_CREAT) : -1;
    }
    if (fchown(created, client->uid, client->gid) != 0) {
        const int error = errno;
        close(created);
        errno = error;
        return -1;
    }
    return created;
}

void Create(fuse_req_t request, fuse_ino_t parent, const char *name, mode_t mode, fuse_file_info *file) {
    if (RefusesDirect(request, file)) {
        fuse_reply_err(request, EINVAL);
        return;
    }
    const auto folder = InodeOf(request, parent);
    Server &server = ServerOf(request);
    const int descriptor = CreateOrOpen(request, *folder, name, mode, file->flags);
    fuse_entry_param entry{};
    const int error = descriptor < 0 ? errno : LookUp(server, *folder, name, entry);
    if (error != 0) {
        if (descriptor >= 0) {
            close(descriptor);
        }
        fuse_reply_err(request, error);
    } else if (!ReplyCreated(request, entry, descriptor)) {
        close(descriptor);
        server.inodes.Forget(entry.ino, 1);
    }
}

int DescriptorOf(const fuse_file_info *file) { return static_cast<int>(file->fh); }

void Read(fuse_req_t request, fuse_ino_t /*number*/, std::size_t size, off_t offset, fuse_file_info *file) {
    const Instant arrival = Now();
    Server &server = ServerOf(request);
    std::vector<char> buffer(size);
    const ssize_t bytes = pread(DescriptorOf(file), buffer.data(), size, offset);
    if (bytes < 0) {
        fuse_reply_err(request, errno);
        return;
    }
    SleepUntil(server.model.Take(offset, bytes, arrival));
    fuse_reply_buf(request, buffer.data(), static_cast<std::size_t>(bytes));
}

// Returns an errno, or 0.
int Store(int descriptor, const char *bytes, std::int64_t count, off_t offset) {
    while (count > 0) {
        const ssize_t written = pwrite(descriptor, bytes, static_cast<std::size_t>(count), offset);
        if (written < 0 && errno != EINTR) {
            return errno;
        }
        if (written > 0) {
            bytes += written;
            offset += written;
            count -= written;
        }
    }
    return 0;
}

void Write(fuse_req_t request, fuse_ino_t number, const char *bytes, std::size_t size, off_t offset, fuse_file_info *file) {
    Instant arrival = Now();
    Server &server = ServerOf(request);
    const auto inode = InodeOf(request, number);
    const Faults::Admission admission = server.faults.Admit(inode->stored, offset, static_cast<std::int64_t>(size));
    if (admission.held) {
        arrival = Now();
    }
    const int error = admission.error != 0 ? admission.error : Store(DescriptorOf(file), bytes, admission.bytes, offset);
    if (error != 0) {
        fuse_reply_err(request, error);
        return;
    }
    SleepUntil(server.model.Take(offset, admission.bytes, arrival));
    fuse_reply_write(request, static_cast<std::size_t>(admission.bytes));
}

// Room for bytes to come, which makes a file longer without a write; like names and attributes it takes no time.
void Allocate(fuse_req_t request, fuse_ino_t number, int mode, off_t offset, off_t length, fuse_file_info *file) {
    if (mode != 0) {
        fuse_reply_err(request, EOPNOTSUPP);
        return;
    }
    if (!ServerOf(request).faults.Reserve(InodeOf(request, number)->stored, offset, length)) {
        fuse_reply_err(request, ENOSPC);
        return;
    }
    fuse_reply_err(request, fallocate(DescriptorOf(file), mode, offset, length) == 0 ? 0 : errno);
}

// Where a file has data, and where holes, as file systems say that are to be read back: without an answer all of a file up
// to its end is data.
void Seek(fuse_req_t request, fuse_ino_t /*number*/, off_t offset, int whence, fuse_file_info *file) {
    const off_t found = lseek(DescriptorOf(file), offset, whence);
    if (found < 0) {
        fuse_reply_err(request, errno);
    } else {
        fuse_reply_lseek(request, found);
    }
}

// A write is answered when its bytes are stored, so there is nothing left to do.
void Flush(fuse_req_t request, fuse_ino_t /*number*/, fuse_file_info * /*file*/) { fuse_reply_err(request, 0); }

void Sync(fuse_req_t request, fuse_ino_t /*number*/, int /*data_only*/, fuse_file_info * /*file*/) {
    fuse_reply_err(request, 0);
}

void Release(fuse_req_t request, fuse_ino_t /*number*/, fuse_file_info *file) {
    close(DescriptorOf(file));
    fuse_reply_err(request, 0);
}

} // namespace

void AddTransfer(fuse_lowlevel_ops &operations) {
    operations.open = Open;
    operations.create = Create;
    operations.read = Read;
    operations.write = Write;
    operations.fallocate = Allocate;
    operations.lseek = Seek;
    operations.flush = Flush;
    operations.fsync = Sync;
    operations.release = Release;
}

} // namespace storage
