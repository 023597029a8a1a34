#include "replaced_calls.h"

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <dlfcn.h>
#include <mutex>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>
#include <utility>
#include <vector>

namespace overlap::test {

ReplacedCalls replaced_calls;

} // namespace overlap::test

struct io_uring;

namespace {

using overlap::test::replaced_calls;

std::mutex mutex;
std::vector<std::pair<const io_uring *, iovec>> registered; // with the mutex
std::atomic<bool> any_registered{false};

void Forget(const io_uring *ring) {
    const std::lock_guard<std::mutex> lock(mutex);
    registered.erase(
        std::remove_if(registered.begin(), registered.end(), [ring](const auto &entry) { return entry.first == ring; }),
        registered.end());
    any_registered = !registered.empty();
}

template <typename Function> Function *Real(const char *name) {
    return reinterpret_cast<Function *>(dlsym(RTLD_NEXT, name));
}

int Answer(long result) { return result < 0 ? -errno : static_cast<int>(result); }

} // namespace

extern "C" {

int io_setup(int events, void **context);
int io_destroy(void *context);
int io_uring_submit(struct io_uring *ring);
int io_uring_register_buffers(struct io_uring *ring, const struct iovec *buffers, unsigned count);
int io_uring_unregister_buffers(struct io_uring *ring);
void io_uring_queue_exit(struct io_uring *ring);

int io_setup(int events, void **context) {
    ++replaced_calls.contexts_made;
    return Answer(syscall(SYS_io_setup, events, context));
}

int io_destroy(void *context) {
    ++replaced_calls.contexts_destroyed;
    return Answer(syscall(SYS_io_destroy, context));
}

int io_uring_submit(struct io_uring *ring) {
    if (replaced_calls.submits_to_refuse > 0) {
        --replaced_calls.submits_to_refuse;
        return -EAGAIN;
    }
    return Real<int(struct io_uring *)>("io_uring_submit")(ring);
}

int io_uring_register_buffers(struct io_uring *ring, const struct iovec *buffers, unsigned count) {
    ++replaced_calls.registrations;
    if (replaced_calls.refuse_registration) {
        return -ENOMEM;
    }
    const int result =
        Real<int(struct io_uring *, const struct iovec *, unsigned)>("io_uring_register_buffers")(ring, buffers, count);
    const std::lock_guard<std::mutex> lock(mutex);
    for (unsigned i = 0; result == 0 && i < count; ++i) {
        registered.emplace_back(ring, buffers[i]);
        any_registered = true;
    }
    return result;
}

int io_uring_unregister_buffers(struct io_uring *ring) {
    Forget(ring);
    return Real<int(struct io_uring *)>("io_uring_unregister_buffers")(ring);
}

void io_uring_queue_exit(struct io_uring *ring) {
    Forget(ring);
    Real<void(struct io_uring *)>("io_uring_queue_exit")(ring);
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
int munmap(void *memory, std::size_t length) {
    if (any_registered) {
        const std::lock_guard<std::mutex> lock(mutex);
        const auto *const first = static_cast<const char *>(memory);
        for (const auto &[ring, range] : registered) {
            const auto *const start = static_cast<const char *>(range.iov_base);
            if (start < first + length && first < start + range.iov_len) {
                ++replaced_calls.unmapped_while_registered;
            }
        }
    }
    return static_cast<int>(syscall(SYS_munmap, memory, length));
}
#endif
}
