// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "real_file.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <fcntl.h>
#include <fstream>
#include <limits>
#include <iterator>
#include <linux/magic.h>
#include <mutex>
#include <sys/vfs.h>
#include <unistd.h>

namespace overlap::test {
namespace {

RealFile &Self(void *self) { return *static_cast<RealFile *>(self); }

int ErrorOf(int number) { return number == ENOSPC ? OVERLAP_ERR_NO_SPACE : OVERLAP_ERR_IO; }

} // namespace

RealFile::RealFile(const std::string &folder)
    : path_(folder + "/overlap-writer.XXXXXX"), descriptor_(mkstemp(path_.data())) {
    FillIn();
}

RealFile::RealFile(RealFile &other) : path_(other.path_), owned_(false), descriptor_(open(path_.c_str(), O_RDWR)) {
    FillIn();
}

void RealFile::FillIn() {
    storage.self = this;
    storage.facts = [](void *, overlap_file_facts *facts) {
        *facts = overlap_file_facts{};
        facts->posix = 1;
    };
    storage.transfer = Transfer;
    storage.posix_transfer = Transfer;
    storage.posix_lock = Lock;
    storage.posix_holds_data = [](void *, std::int64_t, std::int64_t *until) {
        *until = std::numeric_limits<std::int64_t>::max();
        return 1;
    };
    storage.posix_transfer_locked = Transfer;
    storage.posix_unlock = Unlock;
    storage.gaps = [](void *) { return OVERLAP_GAPS_WRITTEN_BACK; };
    storage.posix_descriptors = Descriptors;
    storage.posix_locks = [](void *self) { return Self(self).locks ? 1 : 0; };
    storage.posix_error = [](void *self, const overlap_extent *, int number) {
        const std::lock_guard<std::mutex> lock(Self(self).told_);
        Self(self).numbers.push_back(number);
        return ErrorOf(number);
    };
    host.self = this;
    host.explains = [](void *) { return 1; };
    host.seconds = [](void *) { return 0.0; };
    host.expects = [](void *, double) {};
    host.explain = [](void *self, const char *line) {
        const std::lock_guard<std::mutex> lock(Self(self).told_);
        Self(self).lines.emplace_back(line);
    };
    host.warn = [](void *self, overlap_warning warning, const char *) {
        const std::lock_guard<std::mutex> lock(Self(self).told_);
        Self(self).warnings.push_back(warning);
    };
    transport.self = this;
    transport.size = 1;
    transport.waits = [](void *) { return 1; };
    transport.progress = [](void *self) {
        ++Self(self).progressed;
        if (Self(self).on_progress) {
            Self(self).on_progress();
        }
    };
}

RealFile::~RealFile() {
    close(descriptor_);
    if (owned_) {
        unlink(path_.c_str());
    }
}

std::string RealFile::Content() const {
    std::ifstream file(path_, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

// From the I/O thread and from the caller's.
int RealFile::Write(void *self, const overlap_extent *extents, std::size_t count, std::size_t *written) {
    static std::mutex mutex;
    RealFile &file = Self(self);
    *written = 0;
    for (std::size_t i = 0; i < count; ++i) {
        for (std::size_t done = 0; done < extents[i].length;) {
            const ssize_t bytes = pwrite(file.descriptor_, extents[i].address + done, extents[i].length - done,
                                         extents[i].offset + static_cast<off_t>(done));
            if (bytes <= 0) {
                return ErrorOf(errno);
            }
            done += static_cast<std::size_t>(bytes);
            *written += static_cast<std::size_t>(bytes);
            const std::lock_guard<std::mutex> lock(mutex);
            file.ordinary_bytes += static_cast<std::size_t>(bytes);
        }
    }
    return OVERLAP_SUCCESS;
}

int RealFile::Transfer(void *self, overlap_direction direction, const overlap_extent *extents, std::size_t count,
                       std::size_t *done) {
    if (direction == OVERLAP_WRITE) {
        return Write(self, extents, count, done);
    }
    *done = 0;
    for (std::size_t i = 0; i < count; ++i) {
        const ssize_t bytes = pread(Self(self).descriptor_, extents[i].address, extents[i].length, extents[i].offset);
        if (bytes < 0) {
            return ErrorOf(errno);
        }
        *done += static_cast<std::size_t>(bytes);
        if (static_cast<std::size_t>(bytes) < extents[i].length) {
            break;
        }
    }
    return OVERLAP_SUCCESS;
}

int RealFile::Lock(void *self, std::int64_t offset, std::int64_t length, int *held) {
    RealFile &file = Self(self);
    struct flock lock {};
    lock.l_type = F_WRLCK;
    lock.l_whence = SEEK_SET;
    lock.l_start = offset;
    lock.l_len = length;
    *held = fcntl(file.descriptor_, F_OFD_SETLK, &lock) == 0 ? 1 : 0;
    file.locks_taken += *held;
    file.locks_held += *held;
    file.longest_lock = std::max<std::int64_t>(file.longest_lock, *held != 0 ? length : 0);
    return *held != 0 || errno == EAGAIN ? OVERLAP_SUCCESS : OVERLAP_ERR_IO;
}

void RealFile::Unlock(void *self, std::int64_t offset, std::int64_t length) {
    struct flock lock {};
    lock.l_type = F_UNLCK;
    lock.l_whence = SEEK_SET;
    lock.l_start = offset;
    lock.l_len = length;
    --Self(self).locks_held;
    fcntl(Self(self).descriptor_, F_OFD_SETLK, &lock);
}

int RealFile::Descriptors(void *self, overlap_descriptors *descriptors) {
    const RealFile &file = Self(self);
    struct statfs system {};
    *descriptors = overlap_descriptors{file.descriptor_, -1, 4096, 4096};
    if (fstatfs(file.descriptor_, &system) == 0 && system.f_type != TMPFS_MAGIC) {
        descriptors->direct = open(file.path_.c_str(), O_RDWR | O_DIRECT);
    }
    return OVERLAP_SUCCESS;
}

} // namespace overlap::test
