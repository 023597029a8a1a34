#include "real_file.h"

#include <cerrno>
#include <cstdlib>
#include <fcntl.h>
#include <fstream>
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
    storage.self = this;
    storage.posix_write = Write;
    storage.posix_descriptors = Descriptors;
    storage.posix_locks = [](void *self) { return Self(self).locks ? 1 : 0; };
    storage.posix_error = [](void *self, const overlap_extent *, int number) {
        Self(self).numbers.push_back(number);
        return ErrorOf(number);
    };
    storage.explain = [](void *self, const char *line) { Self(self).lines.emplace_back(line); };
    storage.warn = [](void *self, overlap_warning warning, const char *) { Self(self).warnings.push_back(warning); };
    transport.self = this;
    transport.size = 1;
    transport.progress = [](void *self) { ++Self(self).progressed; };
}

RealFile::~RealFile() {
    close(descriptor_);
    unlink(path_.c_str());
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

int RealFile::Descriptors(void *self, overlap_descriptors *descriptors) {
    const RealFile &file = Self(self);
    struct statfs system {};
    *descriptors =
        overlap_descriptors{file.descriptor_, -1, file.wrong_alignment ? 1 : 4096, file.wrong_alignment ? 1U : 4096U};
    if (fstatfs(file.descriptor_, &system) == 0 && system.f_type != TMPFS_MAGIC) {
        descriptors->direct = open(file.path_.c_str(), (file.broken_direct ? O_RDONLY : O_WRONLY) | O_DIRECT);
    }
    return OVERLAP_SUCCESS;
}

} // namespace overlap::test
