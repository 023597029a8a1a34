// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// How fast the machine is, as far as a collective write asks.
#ifndef OVERLAP_BENCH_MODEL_RATES_H
#define OVERLAP_BENCH_MODEL_RATES_H

#include "base/settings.h"

#include <array>
#include <cstddef>

namespace overlap {

struct Rate {
    double value = 0;      // seconds, but where another unit is named
    bool measured = false; // else it was guessed
};

/// Of messages between two places.
struct LinkRates {
    Rate latency;
    Rate byte; // of each byte
};

/// Of a kind of writer, one aggregator writing alone.
struct WriterRates {
    Rate start;   // of a write that goes on by itself, in the thread that starts it
    Rate latency; // of a write
    Rate extent;  // of each extent of a write
    Rate byte;    // of each byte
};

struct Rates {
    LinkRates between; // nodes; a byte takes that of a NIC, in or out
    LinkRates within;  // a node
    Rate message;      // the processor's part in a message, at either end
    Rate copy;         // of a byte in memory
    Rate piece;        // of a contiguous piece, beside the copy of its bytes
    Rate put;          // of a piece that is put
    Rate fence;        // of all ranks, which have come to it
    Rate lock;         // of a window of one rank; the same again for its end
    std::array<WriterRates, OVERLAP_WRITER_AUTO> writers;
    Rate byte_together;      // written, where all aggregators write at once: the storage's
    Rate progress{1, false}; // the share of a blocking write's time in which messages go on, 0 to 1

    const WriterRates &Of(overlap_writer writer) const noexcept { return writers[static_cast<std::size_t>(writer)]; }
    WriterRates &Of(overlap_writer writer) noexcept { return writers[static_cast<std::size_t>(writer)]; }
};

} // namespace overlap

#endif
