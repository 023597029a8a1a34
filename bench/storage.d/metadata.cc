// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// What costs nothing: names and attributes.
#include "server.h"

#include <cerrno>
#include <cstdio>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

namespace storage {

int LookUp(Server &server, const Inode &parent, const char *name, fuse_entry_param &entry) {
    const int descriptor = openat(parent.descriptor(), name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
    if (descriptor < 0) {
        return errno;
    }
    entry = {};
    if (fstat(descriptor, &entry.attr) != 0) {
        const int error = errno;
        close(descriptor);
        return error;
    }
    const Inodes::Looked looked = server.inodes.Look(descriptor, entry.attr);
    if (looked.fresh) {
        server.faults.Found(looked.inode->stored, S_ISREG(entry.attr.st_mode) ? entry.attr.st_size : 0);
    }
    entry.ino = looked.number;
    entry.attr_timeout = kValid;
    entry.entry_timeout = kValid;
    return 0;
}

namespace {

void Lookup(fuse_req_t request, fuse_ino_t parent, const char *name) {
    fuse_entry_param entry{};
    const int error = LookUp(ServerOf(request), *InodeOf(request, parent), name, entry);
    if (error != 0) {
        fuse_reply_err(request, error);
    } else {
        fuse_reply_entry(request, &entry);
    }
}

void Forget(fuse_req_t request, fuse_ino_t number, std::uint64_t lookups) {
    ServerOf(request).inodes.Forget(number, lookups);
    fuse_reply_none(request);
}

void ForgetMulti(fuse_req_t request, std::size_t count, fuse_forget_data *forgets) {
    for (std::size_t i = 0; i < count; ++i) {
        ServerOf(request).inodes.Forget(forgets[i].ino, forgets[i].nlookup);
    }
    fuse_reply_none(request);
}

void GetAttributes(fuse_req_t request, fuse_ino_t number, fuse_file_info * /*file*/) {
    struct stat attributes {};
    if (fstat(InodeOf(request, number)->descriptor(), &attributes) != 0) {
        fuse_reply_err(request, errno);
    } else {
        fuse_reply_attr(request, &attributes, kValid);
    }
}

timespec TimeOf(int change, int set, int now, const timespec &value) {
    if ((change & now) != 0) {
        return {0, UTIME_NOW};
    }
    return (change & set) != 0 ? value : timespec{0, UTIME_OMIT};
}

// Each change that is asked for, until one fails.
bool Change(Server &server, Inode &inode, const struct stat &wanted, int change) {
    const std::string path = inode.path();
    if ((change & FUSE_SET_ATTR_MODE) != 0 && chmod(path.c_str(), wanted.st_mode) != 0) {
        return false;
    }
    if ((change & (FUSE_SET_ATTR_UID | FUSE_SET_ATTR_GID)) != 0) {
        const uid_t user = (change & FUSE_SET_ATTR_UID) != 0 ? wanted.st_uid : static_cast<uid_t>(-1);
        const gid_t group = (change & FUSE_SET_ATTR_GID) != 0 ? wanted.st_gid : static_cast<gid_t>(-1);
        if (chown(path.c_str(), user, group) != 0) {
            return false;
        }
    }
    if ((change & FUSE_SET_ATTR_SIZE) != 0) {
        if (truncate(path.c_str(), wanted.st_size) != 0) {
            return false;
        }
        server.faults.Cut(inode.stored, wanted.st_size);
    }
    const timespec times[2] = {
        TimeOf(change, FUSE_SET_ATTR_ATIME, FUSE_SET_ATTR_ATIME_NOW, wanted.st_atim),
        TimeOf(change, FUSE_SET_ATTR_MTIME, FUSE_SET_ATTR_MTIME_NOW, wanted.st_mtim),
    };
    return utimensat(AT_FDCWD, path.c_str(), times, 0) == 0;
}

void SetAttributes(fuse_req_t request, fuse_ino_t number, struct stat *wanted, int change, fuse_file_info *file) {
    if (!Change(ServerOf(request), *InodeOf(request, number), *wanted, change)) {
        fuse_reply_err(request, errno);
    } else {
        GetAttributes(request, number, file);
    }
}

// The file of a name that is about to go, as its room comes back.
class Vanishing {
  public:
    Vanishing(Server &server, const Inode &parent, const char *name) : server_(server) {
        struct stat attributes {};
        if (fstatat(parent.descriptor(), name, &attributes, AT_SYMLINK_NOFOLLOW) == 0) {
            inode_ = server.inodes.Find(attributes);
        }
    }
    void Gone() {
        struct stat attributes {};
        if (inode_ != nullptr && fstat(inode_->descriptor(), &attributes) == 0 && attributes.st_nlink == 0) {
            server_.faults.Cut(inode_->stored, 0);
        }
    }

  private:
    Server &server_;
    std::shared_ptr<Inode> inode_;
};

void Unlink(fuse_req_t request, fuse_ino_t parent, const char *name) {
    const auto folder = InodeOf(request, parent);
    Vanishing old(ServerOf(request), *folder, name);
    const bool done = unlinkat(folder->descriptor(), name, 0) == 0;
    const int error = errno;
    if (done) {
        old.Gone();
    }
    fuse_reply_err(request, done ? 0 : error);
}

void RemoveFolder(fuse_req_t request, fuse_ino_t parent, const char *name) {
    fuse_reply_err(request, unlinkat(InodeOf(request, parent)->descriptor(), name, AT_REMOVEDIR) == 0 ? 0 : errno);
}

void Rename(fuse_req_t request, fuse_ino_t parent, const char *name, fuse_ino_t new_parent, const char *new_name,
            unsigned int flags) {
    const auto from = InodeOf(request, parent);
    const auto to = InodeOf(request, new_parent);
    Vanishing old(ServerOf(request), *to, new_name);
    const bool done = renameat2(from->descriptor(), name, to->descriptor(), new_name, flags) == 0;
    const int error = errno;
    if (done) {
        old.Gone();
    }
    fuse_reply_err(request, done ? 0 : error);
}

void MakeFolder(fuse_req_t request, fuse_ino_t parent, const char *name, mode_t mode) {
    const auto folder = InodeOf(request, parent);
    const fuse_ctx *client = fuse_req_ctx(request);
    if (mkdirat(folder->descriptor(), name, mode) != 0 ||
        fchownat(folder->descriptor(), name, client->uid, client->gid, AT_SYMLINK_NOFOLLOW) != 0) {
        fuse_reply_err(request, errno);
    } else {
        Lookup(request, parent, name);
    }
}

void FileSystemStatus(fuse_req_t request, fuse_ino_t number) {
    struct statvfs answer {};
    if (fstatvfs(InodeOf(request, number)->descriptor(), &answer) != 0) {
        fuse_reply_err(request, errno);
    } else {
        fuse_reply_statfs(request, &answer);
    }
}

} // namespace

void AddMetadata(fuse_lowlevel_ops &operations) {
    operations.lookup = Lookup;
    operations.forget = Forget;
    operations.forget_multi = ForgetMulti;
    operations.getattr = GetAttributes;
    operations.setattr = SetAttributes;
    operations.unlink = Unlink;
    operations.rmdir = RemoveFolder;
    operations.rename = Rename;
    operations.mkdir = MakeFolder;
    operations.statfs = FileSystemStatus;
}

} // namespace storage
