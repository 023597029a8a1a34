// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "system_calls.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <climits>
#include <cstdarg>
#include <cstdlib>
#include <fstream>

namespace {

std::atomic<dev_t> device{0};
std::atomic<ino_t> inode{0};
std::atomic<long> granted{0}, refused{0}, unlocks{0};
std::atomic<long long> largest{0};

bool SetsLock(int command) {
    switch (command) {
    case F_SETLK:
    case F_SETLKW:
#ifdef F_OFD_SETLK
    case F_OFD_SETLK:
    case F_OFD_SETLKW:
#endif
        return true;
    default:
        return false;
    }
}

bool IsWatched(int file) {
    struct stat status {};
    return fstat(file, &status) == 0 && status.st_dev == device && status.st_ino == inode;
}

void Count(const struct flock &lock, bool success) {
    if (lock.l_type == F_UNLCK) {
        ++unlocks;
        return;
    }
    ++(success ? granted : refused);
    const long long length = lock.l_len == 0 ? LLONG_MAX : static_cast<long long>(lock.l_len);
    for (long long before = largest; before < length && !largest.compare_exchange_weak(before, length);) {
    }
}

int Forward(int file, int command, void *argument) {
    const auto answer = static_cast<int>(syscall(SYS_fcntl, file, command, argument));
    if (SetsLock(command) && IsWatched(file)) {
        const int error = errno;
        Count(*static_cast<const struct flock *>(argument), answer == 0);
        errno = error;
    }
    return answer;
}

struct flock WholeFile(short type) {
    struct flock lock {};
    lock.l_type = type;
    lock.l_whence = SEEK_SET;
    return lock;
}

} // namespace

extern "C" int fcntl(int file, int command, ...) {
    va_list arguments;
    va_start(arguments, command);
    void *const argument = va_arg(arguments, void *);
    va_end(arguments);
    return Forward(file, command, argument);
}

extern "C" int fcntl64(int file, int command, ...) {
    va_list arguments;
    va_start(arguments, command);
    void *const argument = va_arg(arguments, void *);
    va_end(arguments);
    return Forward(file, command, argument);
}

void WatchLocks(const std::string &path) {
    struct stat status {};
    if (stat(path.c_str(), &status) != 0) {
        std::abort();
    }
    device = status.st_dev;
    inode = status.st_ino;
    granted = refused = unlocks = 0;
    largest = 0;
}

LockCalls CountedLocks() { return LockCalls{granted, refused, unlocks, largest}; }

long WriteCalls() {
    std::ifstream counters("/proc/self/io");
    std::string name;
    for (long value = 0; counters >> name >> value;) {
        if (name == "syscw:") {
            return value;
        }
    }
    return -1;
}

bool LockAll(int file, short type, bool for_open_file) {
    struct flock lock = WholeFile(type);
    int command = F_SETLK;
#ifdef F_OFD_SETLK
    command = for_open_file ? F_OFD_SETLK : F_SETLK;
#endif
    return syscall(SYS_fcntl, file, command, &lock) == 0;
}

// A lock of an open file conflicts with this process's own locks, too.
bool IsLocked(const std::string &path) {
    bool locked = false;
#ifdef F_OFD_GETLK
    const int file = open(path.c_str(), O_RDWR);
    struct flock lock = WholeFile(F_WRLCK);
    locked = syscall(SYS_fcntl, file, F_OFD_GETLK, &lock) != 0 || lock.l_type != F_UNLCK;
    close(file);
#endif
    return locked;
}

std::string ParameterGiven(const char *name) {
    const char *const value = std::getenv((std::string("OMPI_MCA_") + name).c_str());
    return value == nullptr ? "" : value;
}
