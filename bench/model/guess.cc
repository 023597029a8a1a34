// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "guess.h"

#include <algorithm>
#include <cstdint>
#include <iterator>

namespace overlap {
namespace {

constexpr Rate Guess(double value) noexcept { return Rate{value, false}; }

// A server of the last ten years: memcpy of what is in no cache, and of what is in one for a piece that is scattered
// (docs/results, "Lists of pieces").
constexpr double kCopyByte = 1 / 5e9;
constexpr double kPiece = 1e-8;

// Shared memory or a copy by the kernel (cma, xpmem): one copy, with a word that is seen in another core's cache.
constexpr double kWithinLatency = 1e-6;
constexpr double kWithinMessage = 5e-7;

// Ethernet of 10 Gbit/s and TCP, the slowest network that people still buy: whoever has a faster one mostly says so.
constexpr double kBetweenByte = 1 / 1.2e9;
constexpr double kBetweenLatency = 3e-5;

// Of the latency of a message what either end computes: with TCP the better part is the kernel's, which is a processor's
// time as well, with InfiniBand a fraction of a microsecond.
constexpr double kOverheadOfLatency = 0.25;

// A put without hardware for it is a message and its answer. osc rdma sends each piece by itself.
constexpr double kPut = 1e-6;
constexpr double kPutOfLatency = 0.5;

// A barrier goes through all ranks of a node and then, there and back, as far as a tree of nodes is high.
constexpr double kFenceOfNode = 1e-5;
constexpr double kLock = 2e-6;

// How much of the messages goes on while a thread writes. Inside a node nothing does: the receiver copies. Between nodes the
// kernel's buffers or the NIC take in what was asked for before.
constexpr double kProgressBetween = 0.8;

// To start a write that goes on by itself: a thread of the C library's for aio_write, one that is woken, the pages of a
// sub-buffer of some MiB pinned for a direct write.
constexpr double kStartFbtl = 2e-5;
constexpr double kStartThread = 1e-5;
constexpr double kStartLibaio = 5e-5;

struct FileSystem {
    bool behind_nic; // bytes leave the aggregator's node
    double latency;  // of a buffered write
    double latency_direct;
    double extent;      // of a call of pwrite
    double byte;        // of one aggregator, buffered
    double byte_direct; // of one aggregator
    double byte_together;
};

// Pages of memory are made and copied to, by one process at a time.
constexpr FileSystem kMemory{false, 2e-6, 2e-6, 5e-7, 1 / 2.5e9, 1 / 2.5e9, 1 / 2.5e9};

// An NVMe drive behind a page cache that takes in a call's bytes: again one process at a time, with a journal.
constexpr FileSystem kLocal{false, 5e-6, 1e-4, 1.5e-6, 1 / 1.5e9, 1 / 1.5e9, 1 / 1.5e9};

// One server with a NIC of 10 Gbit/s, which all aggregators share and which answers from its memory.
constexpr FileSystem kServer{true, 5e-4, 5e-4, 2e-6, 1 / 1.0e9, 1 / 1.0e9, 1 / 1.0e9};

// Many servers: a client gets a GB/s or so of them, some dozens of clients ten times that. A write asks for locks of its
// range first.
constexpr FileSystem kParallel{true, 1e-3, 1e-3, 1e-5, 1 / 1.2e9, 1 / 1.2e9, 1 / 12e9};

struct Named {
    const char *name;
    const FileSystem &kind;
};

constexpr Named kFileSystems[] = {
    {"tmpfs", kMemory},  {"ramfs", kMemory},    {"ext2", kLocal},    {"ext3", kLocal},
    {"ext4", kLocal},    {"xfs", kLocal},       {"btrfs", kLocal},   {"bcachefs", kLocal},
    {"f2fs", kLocal},    {"overlay", kLocal},   {"zfs", kLocal},     {"lustre", kParallel},
    {"gpfs", kParallel}, {"beegfs", kParallel}, {"ceph", kParallel}, {"pvfs2", kParallel},
};

const FileSystem &KindOf(std::string_view name) noexcept {
    const auto *const found = std::find_if(std::begin(kFileSystems), std::end(kFileSystems),
                                           [&name](const Named &one) { return name == one.name; });
    return found == std::end(kFileSystems) ? kServer : found->kind;
}

// The same on every processor, as no logarithm is.
int LevelsOfATree(int nodes) noexcept {
    int levels = 0;
    for (std::int64_t reached = 1; reached < nodes; reached *= 2) {
        ++levels;
    }
    return levels;
}

void SetMessages(int nodes, double byte, double latency, Rates &rates) {
    const bool alone = nodes <= 1;
    rates.between = {Guess(latency), Guess(byte)};
    rates.within = {Guess(kWithinLatency), Guess(kCopyByte)};
    rates.message = Guess(alone ? kWithinMessage : std::max(kWithinMessage, latency * kOverheadOfLatency));
    rates.put = Guess(alone ? kPut : std::max(kPut, latency * kPutOfLatency));
    rates.fence = Guess(kFenceOfNode + (alone ? 0 : 2 * latency * LevelsOfATree(nodes)));
    rates.lock = Guess(alone ? kLock : std::max(kLock, 2 * latency));
    rates.progress = Guess(alone ? 0 : kProgressBetween);
}

void SetWrites(const FileSystem &kind, int nodes, double nic_byte, Rates &rates) {
    const double least = kind.behind_nic ? nic_byte : 0;
    const auto writer = [&kind, least](double start, double latency, double byte) {
        return WriterRates{Guess(start), Guess(latency), Guess(kind.extent), Guess(std::max(byte, least))};
    };
    rates.Of(OVERLAP_WRITER_FBTL) = writer(kStartFbtl, kind.latency, kind.byte);
    rates.Of(OVERLAP_WRITER_THREAD) = writer(kStartThread, kind.latency, kind.byte);
    rates.Of(OVERLAP_WRITER_LIBAIO) = writer(kStartLibaio, kind.latency_direct, kind.byte_direct);
    rates.byte_together = Guess(std::max(kind.byte_together, least / std::max(nodes, 1)));
}

} // namespace

Rates GuessedRates(int nodes, std::string_view file_system, double nic_bytes_per_second, double latency_seconds) noexcept {
    const bool nic_known = nic_bytes_per_second > 0;
    Rates rates;
    rates.copy = Guess(kCopyByte);
    rates.piece = Guess(kPiece);
    SetMessages(nodes, nic_known ? 1 / nic_bytes_per_second : kBetweenByte,
                latency_seconds > 0 ? latency_seconds : kBetweenLatency, rates);
    SetWrites(KindOf(file_system), nodes, nic_known ? 1 / nic_bytes_per_second : 0, rates);
    return rates;
}

} // namespace overlap
