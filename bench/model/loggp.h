// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// The LogGP model of the shuffle of Jha & Gabriel, "Performance Models for Communication in Collective I/O Operations":
// how many messages of which length, and how long they take to be sent and received.
#ifndef OVERLAP_BENCH_MODEL_LOGGP_H
#define OVERLAP_BENCH_MODEL_LOGGP_H

#include "base/settings.h"
#include "base/types.h"

namespace overlap {

/// All in seconds.
struct LogGP {
    double latency = 0;      // L, of a message
    double overhead = 0;     // o, of the processor at either end
    double gap = 0;          // g, from one message of a process to the next
    double gap_per_byte = 0; // G
};

/// L + 2o + (n - 1) g + n (m - 1) G: seconds in which a process sends or receives n messages of m bytes. Nothing where
/// messages < 1.
double MessagesTime(const LogGP &rates, double messages, double bytes) noexcept;

enum class Decomposition {
    kOneDimension, // each rank writes one contiguous block of the file
    kTwoDimensions // each rank writes a tile of a matrix
};

/// What a collective write is to that model: all ranks write the same number of bytes.
struct Decomposed {
    Decomposition decomposition = Decomposition::kOneDimension;
    overlap_partition partition = OVERLAP_PARTITION_EVEN;
    std::int64_t ranks = 1;          // P
    std::int64_t aggregators = 1;    // P_a
    std::int64_t columns = 1;        // P_x, of the grid of ranks; of tiles alone
    std::int64_t rows = 1;           // P_y
    ByteCount bytes_per_rank = 1;    // d_p
    ByteCount collective_buffer = 1; // b_c
};

struct ShuffleMessages {
    std::int64_t targets = 0;        // n_as, aggregators that a rank sends to in a cycle
    std::int64_t sources = 0;        // n_ar, ranks that an aggregator receives from in a cycle
    std::int64_t send_cycles = 0;    // n_s, in which a rank sends
    std::int64_t receive_cycles = 0; // n_r, in which an aggregator receives
    double bytes = 0;                // m_s, of a message
};

/// Of the table of the paper. Its d_x and d_y, the rows and the bytes of a row of a tile, cancel: with c' d_y P_y = b_c its
/// condition d_x >= c' P_a says d_p P_y >= b_c P_a. Needs: all numbers at least 1. Throws std::range_error where products
/// of them do not fit.
ShuffleMessages MessagesOf(const Decomposed &write);

/// T_send and T_recv, whose sum is the time of the shuffle: aggregators are ranks as well, so neither hides the other.
double SendTime(const ShuffleMessages &messages, const LogGP &rates) noexcept;
double ReceiveTime(const ShuffleMessages &messages, const LogGP &rates) noexcept;

} // namespace overlap

#endif
