// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// Listing a folder. What it holds is taken when the listing begins.
#include "server.h"

#include <cerrno>
#include <dirent.h>
#include <fcntl.h>
#include <string>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

namespace storage {
namespace {

struct Item {
    std::string name;
    struct stat attributes;
};
using Listing = std::vector<Item>;

Listing &ListingOf(const fuse_file_info *file) { return *reinterpret_cast<Listing *>(file->fh); }

// Returns an errno, or 0.
int Read(const Inode &inode, Listing &listing) {
    listing.clear();
    const int descriptor = open(inode.path().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *folder = descriptor < 0 ? nullptr : fdopendir(descriptor);
    if (folder == nullptr) {
        return errno;
    }
    while (const dirent *entry = readdir(folder)) {
        Item item{entry->d_name, {}};
        item.attributes.st_ino = entry->d_ino;
        item.attributes.st_mode = DTTOIF(static_cast<mode_t>(entry->d_type));
        listing.push_back(item);
    }
    closedir(folder);
    return 0;
}

void OpenFolder(fuse_req_t request, fuse_ino_t /*number*/, fuse_file_info *file) {
    auto listing = std::make_unique<Listing>();
    file->fh = reinterpret_cast<std::uint64_t>(listing.get());
    if (fuse_reply_open(request, file) == 0) {
        static_cast<void>(listing.release());
    }
}

void ReadFolder(fuse_req_t request, fuse_ino_t number, std::size_t size, off_t offset, fuse_file_info *file) {
    Listing &listing = ListingOf(file);
    const int error = offset == 0 ? Read(*InodeOf(request, number), listing) : 0;
    if (error != 0) {
        fuse_reply_err(request, error);
        return;
    }
    std::vector<char> buffer(size);
    std::size_t used = 0;
    for (auto i = static_cast<std::size_t>(offset); i < listing.size(); ++i) {
        const std::size_t length = fuse_add_direntry(request, buffer.data() + used, size - used, listing[i].name.c_str(),
                                                     &listing[i].attributes, static_cast<off_t>(i + 1));
        if (length > size - used) {
            break;
        }
        used += length;
    }
    fuse_reply_buf(request, buffer.data(), used);
}

void ReleaseFolder(fuse_req_t request, fuse_ino_t /*number*/, fuse_file_info *file) {
    delete &ListingOf(file);
    fuse_reply_err(request, 0);
}

void SyncFolder(fuse_req_t request, fuse_ino_t /*number*/, int /*data_only*/, fuse_file_info * /*file*/) {
    fuse_reply_err(request, 0);
}

} // namespace

void AddFolders(fuse_lowlevel_ops &operations) {
    operations.opendir = OpenFolder;
    operations.readdir = ReadFolder;
    operations.releasedir = ReleaseFolder;
    operations.fsyncdir = SyncFolder;
}

} // namespace storage
