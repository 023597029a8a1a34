// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "replaced_calls.h"

#include <algorithm>
#include <cerrno>
#include <ctime>
#include <linux/aio_abi.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <vector>

namespace overlap::test {

AioFaults aio_faults;
std::atomic<int> contexts_made{0}, contexts_destroyed{0};

} // namespace overlap::test

namespace {

using overlap::test::aio_faults;

long under_way = 0;            // while results come backwards
std::vector<io_event> results; // that have come and were not handed out

int Answer(long result) { return result < 0 ? -errno : static_cast<int>(result); }

std::int64_t OffsetOf(const io_event &event) { return reinterpret_cast<const iocb *>(event.obj)->aio_offset; }

// The result of the highest offset, where any request is under way.
int Last(void *context, io_event *event) {
    for (; under_way > 0; --under_way) {
        io_event next{};
        if (syscall(SYS_io_getevents, context, 1, 1, &next, nullptr) == 1) {
            results.push_back(next);
        }
    }
    if (results.empty()) {
        return 0;
    }
    std::sort(results.begin(), results.end(),
              [](const io_event &one, const io_event &other) { return OffsetOf(one) < OffsetOf(other); });
    *event = results.back();
    results.pop_back();
    return 1;
}

} // namespace

extern "C" {

int io_setup(int events, void **context);
int io_destroy(void *context);
int io_submit(void *context, long count, iocb **blocks);
int io_getevents(void *context, long least, long most, io_event *events, timespec *timeout);

int io_setup(int events, void **context) {
    ++overlap::test::contexts_made;
    return Answer(syscall(SYS_io_setup, events, context));
}

int io_destroy(void *context) {
    ++overlap::test::contexts_destroyed;
    return Answer(syscall(SYS_io_destroy, context));
}

int io_submit(void *context, long count, iocb **blocks) {
    if (aio_faults.submits_to_refuse > 0) {
        --aio_faults.submits_to_refuse;
        return -EAGAIN;
    }
    count = std::min(count, aio_faults.taken_at_once);
    for (long i = 0; i < count; ++i) {
        blocks[i]->aio_nbytes = std::min<std::uint64_t>(blocks[i]->aio_nbytes, aio_faults.longest);
    }
    const int taken = Answer(syscall(SYS_io_submit, context, count, blocks));
    if (aio_faults.backwards && taken > 0) {
        under_way += taken;
    }
    return taken;
}

int io_getevents(void *context, long least, long most, io_event *events, timespec *timeout) {
    const int count = aio_faults.backwards ? Last(context, events)
                                           : Answer(syscall(SYS_io_getevents, context, least, most, events, timeout));
    for (int i = 0; i < count && aio_faults.answer; ++i) {
        events[i].res = aio_faults.answer(OffsetOf(events[i]), events[i].res);
    }
    return count;
}
}
