// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "posix_file.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace bench {
namespace {

std::string Because(const char *what, Bytes offset) {
    return std::string(what) + " at offset " + std::to_string(offset) + ": " + std::strerror(errno);
}

// pread or pwrite until all of it is done.
template <typename Call, typename Address>
std::string Transfer(const char *what, Call call, int descriptor, Bytes offset, Address address, Bytes count) {
    while (count > 0) {
        const ssize_t done = call(descriptor, address, static_cast<std::size_t>(count), static_cast<off_t>(offset));
        if (done < 0 && errno == EINTR) {
            continue;
        }
        if (done < 0) {
            return Because(what, offset);
        }
        if (done == 0) {
            return std::string(what) + " at offset " + std::to_string(offset) + ": the end of the file";
        }
        offset += done;
        address += done;
        count -= done;
    }
    return {};
}

} // namespace

PosixFile::~PosixFile() {
    if (descriptor_ >= 0) {
        close(descriptor_);
    }
}

std::string PosixFile::Open(const std::string &path, bool for_writing) {
    descriptor_ = open(path.c_str(), for_writing ? O_RDWR | O_CREAT : O_RDONLY, 0666);
    return descriptor_ >= 0 ? std::string() : path + ": " + std::strerror(errno);
}

std::string PosixFile::Read(Bytes offset, char *to, Bytes count) const {
    return Transfer("read", pread, descriptor_, offset, to, count);
}

std::string PosixFile::Write(Bytes offset, const char *from, Bytes count) const {
    return Transfer("write", pwrite, descriptor_, offset, from, count);
}

std::string PosixFile::Sync() const { return fsync(descriptor_) == 0 ? std::string() : Because("fsync", 0); }

std::string PosixFile::Close() {
    const int descriptor = std::exchange(descriptor_, -1);
    return descriptor < 0 || close(descriptor) == 0 ? std::string() : Because("close", 0);
}

Bytes PosixFile::size() const {
    struct stat status {};
    return fstat(descriptor_, &status) == 0 ? static_cast<Bytes>(status.st_size) : -1;
}

} // namespace bench
