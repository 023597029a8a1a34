// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// libfuse has a field for parallel writes from 3.15 on only, so these two answers are put together as the kernel reads them.
#include "open_reply.h"

#include <cstring>
#include <linux/fuse.h>
#include <sys/stat.h>

#ifndef FOPEN_PARALLEL_DIRECT_WRITES
#    define FOPEN_PARALLEL_DIRECT_WRITES (1 << 6) // from Linux 6.2 on
#endif

namespace storage {
namespace {

fuse_open_out OpenedAs(int descriptor) {
    fuse_open_out opened{};
    opened.fh = static_cast<std::uint64_t>(descriptor);
    opened.open_flags = FOPEN_DIRECT_IO | FOPEN_PARALLEL_DIRECT_WRITES;
    return opened;
}

fuse_attr AttributesOf(const struct stat &from, std::uint64_t number) {
    fuse_attr to{};
    to.ino = number;
    to.size = static_cast<std::uint64_t>(from.st_size);
    to.blocks = static_cast<std::uint64_t>(from.st_blocks);
    to.atime = static_cast<std::uint64_t>(from.st_atim.tv_sec);
    to.mtime = static_cast<std::uint64_t>(from.st_mtim.tv_sec);
    to.ctime = static_cast<std::uint64_t>(from.st_ctim.tv_sec);
    to.atimensec = static_cast<std::uint32_t>(from.st_atim.tv_nsec);
    to.mtimensec = static_cast<std::uint32_t>(from.st_mtim.tv_nsec);
    to.ctimensec = static_cast<std::uint32_t>(from.st_ctim.tv_nsec);
    to.mode = from.st_mode;
    to.nlink = static_cast<std::uint32_t>(from.st_nlink);
    to.uid = from.st_uid;
    to.gid = from.st_gid;
    to.blksize = static_cast<std::uint32_t>(from.st_blksize);
    return to;
}

} // namespace

bool ReplyOpened(fuse_req_t request, int descriptor) {
    const fuse_open_out opened = OpenedAs(descriptor);
    return fuse_reply_buf(request, reinterpret_cast<const char *>(&opened), sizeof(opened)) == 0;
}

bool ReplyCreated(fuse_req_t request, const fuse_entry_param &entry, int descriptor) {
    fuse_entry_out known{};
    known.nodeid = entry.ino;
    known.entry_valid = static_cast<std::uint64_t>(entry.entry_timeout);
    known.attr_valid = static_cast<std::uint64_t>(entry.attr_timeout);
    known.attr = AttributesOf(entry.attr, entry.ino);
    const fuse_open_out opened = OpenedAs(descriptor);
    char answer[sizeof(known) + sizeof(opened)];
    std::memcpy(answer, &known, sizeof(known));
    std::memcpy(answer + sizeof(known), &opened, sizeof(opened));
    return fuse_reply_buf(request, answer, sizeof(answer)) == 0;
}

} // namespace storage
