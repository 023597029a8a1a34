// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#ifndef BENCH_STORAGE_OPEN_REPLY_H
#define BENCH_STORAGE_OPEN_REPLY_H

#include "server.h"

namespace storage {

/// Answers OPEN: each write(2) and read(2) goes to the server, past the page cache, and writes to one file do so at the same
/// time. The kernel (fuse_dio_wr_exclusive_lock) makes exceptions: writes that append or that end behind the end of the file
/// exclude each other. Returns false where nobody waits for the file any more.
bool ReplyOpened(fuse_req_t request, int descriptor);
/// The same for CREATE.
bool ReplyCreated(fuse_req_t request, const fuse_entry_param &entry, int descriptor);

} // namespace storage

#endif
