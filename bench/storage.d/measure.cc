// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "measure.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "rate_model.h"

namespace storage {
namespace {

struct Client {
    Instant begin;
    Instant end;
};

// The offset of request `index` of a client: requests of all clients are of different bytes, and those of one client of one
// target. A stripe is filled before the next one of the same target begins.
std::int64_t OffsetOf(const MeasureOptions &options, int client, int index) {
    const std::int64_t per_stripe = std::max<std::int64_t>(1, options.stripe_size / options.request_size);
    const int target = client % options.stripes;
    const int sharers = (options.clients - target + options.stripes - 1) / options.stripes;
    const std::int64_t slot = static_cast<std::int64_t>(index) * sharers + client / options.stripes;
    const std::int64_t stripe = slot / per_stripe * options.stripes + target;
    return stripe * options.stripe_size + slot % per_stripe * options.request_size;
}

// Returns the exit code of a client.
int Transfer(const MeasureOptions &options, int client, Instant begin, Client &result) {
    const int descriptor = open(options.file.c_str(), O_RDWR);
    const auto size = static_cast<std::size_t>(options.request_size);
    // From the begin of a page on: the kernel sends at most 256 pages at a time, which otherwise hold less than 1 MiB.
    void *buffer = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    std::memset(buffer, 'x', size);
    const bool reads = client >= options.clients - options.readers;
    // The server is measured, not the queue for the processor.
    const sched_param lowest{1};
    sched_setscheduler(0, SCHED_RR, &lowest);
    SleepUntil(begin);
    result.begin = Now();
    for (int i = 0; i < options.requests; ++i) {
        const off_t offset = OffsetOf(options, client, i);
        const ssize_t bytes = reads ? pread(descriptor, buffer, size, offset) : pwrite(descriptor, buffer, size, offset);
        if (bytes != options.request_size) {
            std::fprintf(stderr, "storage: a request at offset %lld of %s: %s\n", static_cast<long long>(offset),
                         options.file.c_str(), bytes < 0 ? std::strerror(errno) : "short");
            return 1;
        }
    }
    result.end = Now();
    return 0;
}

void Print(const char *role, double bytes, const Client &client, int requests) {
    const auto nanoseconds = static_cast<double>(client.end - client.begin);
    std::printf("%s %.3f %.4f\n", role, bytes / nanoseconds * 1e3, nanoseconds / 1e6 / requests);
}

} // namespace

int Measure(const MeasureOptions &options) {
    std::int64_t size = 0;
    for (int client = 0; client < options.clients; ++client) {
        size = std::max(size, OffsetOf(options, client, options.requests - 1) + options.request_size);
    }
    const int descriptor = open(options.file.c_str(), O_RDWR | O_CREAT, 0644);
    // The kernel would do writes that make the file longer one after the other.
    if (descriptor < 0 || ftruncate(descriptor, size) != 0) {
        std::fprintf(stderr, "storage: %s: %s\n", options.file.c_str(), std::strerror(errno));
        return 1;
    }
    const auto count = static_cast<std::size_t>(options.clients);
    auto *clients = static_cast<Client *>(
        mmap(nullptr, count * sizeof(Client), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
    const Instant begin = Now() + 50000000 + 1000000 * options.clients;
    for (int i = 0; i < options.clients; ++i) {
        if (fork() == 0) {
            _exit(Transfer(options, i, begin, clients[i]));
        }
    }
    int status = 0;
    bool failed = false;
    while (wait(&status) > 0) {
        failed = failed || status != 0;
    }
    if (failed) {
        return 1;
    }
    Client all = clients[0];
    for (std::size_t i = 0; i < count; ++i) {
        all.begin = std::min(all.begin, clients[i].begin);
        all.end = std::max(all.end, clients[i].end);
    }
    const double bytes = static_cast<double>(options.request_size) * options.requests;
    Print("all", bytes * options.clients, all, options.requests);
    for (int i = 0; i < options.clients; ++i) {
        Print(i >= options.clients - options.readers ? "reader" : "writer", bytes, clients[i], options.requests);
    }
    return 0;
}

} // namespace storage
