// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// What a test makes fail.
#ifndef TEST_UNIT_FAILURE_H
#define TEST_UNIT_FAILURE_H

#include "ports.h"

#include <cstdint>
#include <sstream>
#include <string>

namespace overlap::test {

struct Failure {
    /// Counted for each rank by itself, while its counting is on (FakeRank::Count).
    enum Kind {
        kMemory = 0,   ///< an allocation of any thread of the rank
        kThread,       ///< the start of a thread
        kSend,         ///< a send cannot be made: an empty message goes in its place
        kReceive,      ///< a receive cannot be made: what comes is dropped
        kReceiveAny,   ///< the message is taken and lost
        kWait,         ///< a wait: what of its messages has not arrived yet is lost, or late, by chance
        kTest,         ///< the same of a test
        kAllreduce,    ///< it has not begun on this rank
        kBroadcast,    ///< the same
        kWindow,       ///< the others have the window, this rank has not
        kWindowMemory, ///< this rank has no memory for the window, which all ranks know before they begin
        kFence,        ///< what this rank has put and puts in the epoch may be lost
        kLock,         ///< there is no epoch
        kUnlock,       ///< what was put may be lost
        kPut,          ///< a share of the bytes is put
        kWrite,        ///< a share of the bytes is written, as with all writes
        kWriteStart,   ///< nothing is under way
        kWriteEnd,     ///< of an asynchronous write
        kPosixWrite,   ///< from any thread of the rank
        kPosixWriteLocked,
        kPosixLock,
        kPosixRead,
        kRead,          ///< a share of the bytes is read, as with all reads
        kReadStart,     ///< nothing is under way
        kReadEnd,       ///< of an asynchronous read
        kPosixReadList, ///< from any thread of the rank
        kSize,          ///< of the file
        kReadText,
        kOpenPlugin,
        kDeviceCopy,     ///< half of the bytes are there
        kNodeMemory,     ///< none can be made
        kJoinNodeMemory, ///< this rank has it not
        kKinds
    };

    /// How many of the bytes are put, written or read all the same.
    enum Share { kNone = 0, kHalf, kAll };

    Kind kind = kMemory;
    int rank = 0;
    std::int64_t number = 0; ///< counted from 0
    bool lasting = false;    ///< all after it as well
    Share share = kHalf;
    int error = OVERLAP_ERR_OTHER;
};

inline std::string NameOf(Failure::Kind kind) {
    std::istringstream names(
        "memory thread send receive receive_any wait test allreduce broadcast window window_memory fence "
        "lock unlock put write write_start write_end posix_write posix_write_locked posix_lock posix_read "
        "read read_start read_end posix_read_list size read_text open_plugin device_copy "
        "node_memory join_node_memory");
    std::string name;
    for (int i = 0; i <= kind; ++i) {
        names >> name;
    }
    return name;
}

} // namespace overlap::test

#endif
