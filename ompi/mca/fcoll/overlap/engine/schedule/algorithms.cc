// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// The algorithms of Feki & Gabriel, section III-A, side by side. Before each stands its text in the paper's words, for two
// sub-buffers p1 and p2 that are swapped after each cycle and with its slips put right; cycles count from 0 to N-1.
//
// A read takes the same rounds, in which read stands for shuffle and shuffle for write: what fills a sub-buffer and what
// empties it. An algorithm is named for what is asynchronous in it, so Communication Overlap of a read is Algorithm 2
// (the shuffle during a blocking read of the next cycle), and the overlap of the file Algorithm 1.
#include "algorithms.h"

#include <iterator>
#include <stdexcept>

namespace overlap {
namespace {

// Two-phase I/O without overlap, the baseline of section III:
//
//     for i = 0 to N-1:      shuffle(i)  write(i)
void None(Round &round, Cycle i) noexcept { round.Shuffle(i).Write(i); }

// Algorithm 1, Communication Overlap. As printed the loop starts one shuffle too many.
//
//     shuffle_init(0)
//     for i = 0 to N-2:      shuffle_init(i+1)  shuffle_wait(i)  write(i)
//     shuffle_wait(N-1)  write(N-1)
//
// With S sub-buffers up to S - 1 shuffles are under way while a cycle is written.
void Comm(Round &round, Cycle i) noexcept {
    const Cycle ahead = round.slots() - 1;
    round.ShuffleInit(i + ahead).ShuffleWait(i).Write(i);
}

// Algorithm 2, Writes Overlap. As printed the loop shuffles one cycle too many.
//
//     shuffle(0)  write_init(0)
//     for i = 1 to N-1:      shuffle(i)  write_init(i)  write_wait(i-1)
//     write_wait(N-1)
//
// With S sub-buffers up to S - 1 writes are under way during a shuffle.
void Write(Round &round, Cycle i) noexcept {
    const Cycle behind = round.slots() - 1;
    round.Shuffle(i).WriteInit(i).WriteWait(i - behind);
}

// Algorithm 3, Write-Communication Overlap. As printed the last buffer is never written.
//
//     shuffle(0)
//     for i = 1 to N-1:      write_init(i-1)  shuffle_init(i)  wait_all(shuffle i, write i-1)
//     write(N-1)
//
// With S sub-buffers, S > 1, the shuffle and the write that end together are the oldest that are under way, of S/2 writes
// and as many shuffles, one more where S is odd: a network is idle at the end of a shuffle that is alone, a storage that
// answers late at the end of a write. The first shuffle is alone all the same, as nothing is written before it ends.
void WriteComm(Round &round, Cycle i) noexcept {
    const Cycle behind = round.slots() / 2;
    const Cycle ahead = round.slots() - behind - 1;
    const Cycle last = i > 0 ? i + ahead : i;
    round.WriteInit(i - 1);
    for (Cycle cycle = i > 1 ? last : i; cycle <= last; ++cycle) {
        round.ShuffleInit(cycle);
    }
    round.ShuffleWait(i).WriteWait(i - behind);
}

// Of a read the two start in the other order and end in it, as the file access progresses by itself and a shuffle while it
// is waited for:
//
//     read(0)
//     for i = 1 to N-1:      read_init(i)  shuffle_init(i-1)  shuffle_wait(i-1)  read_wait(i)
//     shuffle(N-1)
void ReadComm(Round &round, Cycle i) noexcept {
    const Cycle behind = round.slots() / 2;
    const Cycle ahead = round.slots() - behind - 1;
    const Cycle last = i > 0 ? i + ahead : i;
    for (Cycle cycle = i > 1 ? last : i; cycle <= last; ++cycle) {
        round.ShuffleInit(cycle);
    }
    round.WriteInit(i - 1).WriteWait(i - behind).ShuffleWait(i);
}

// Algorithm 4, Write-Communication-2 Overlap. As printed write_init(p1) comes two times for the first cycle, and line 11
// names p1 instead of p2. Every operation is followed by the one that it makes possible:
//
//     shuffle_init(0)  shuffle_init(1)
//     for a = 0 to N-1 step 2, b = a+1:
//         shuffle_wait(a)  write_init(a)          shuffle_wait(b)  write_init(b)
//         write_wait(a)    shuffle_init(a+2)      write_wait(b)    shuffle_init(b+2)
//
// With S sub-buffers a round takes S cycles: as each shuffle ends its write starts, as each of these ends a shuffle of the
// next round does.
void WriteComm2(Round &round, Cycle i) noexcept {
    const Cycle slots = round.slots();
    if (i % slots != 0) {
        return;
    }
    for (Cycle cycle = i; cycle < i + slots; ++cycle) {
        round.ShuffleWait(cycle).WriteInit(cycle);
    }
    for (Cycle cycle = i; cycle < i + slots; ++cycle) {
        round.WriteWait(cycle).ShuffleInit(cycle + slots);
    }
}

// In the order of the overlap_algorithm enumerators.
constexpr AlgorithmRow kAlgorithms[] = {
    {{"shuffle and write one after the other", false, false}, None, None},
    {{"shuffle of the next cycle during a blocking write", true, false}, Comm, Write},
    {{"asynchronous write during a blocking shuffle of the next cycle", true, false}, Write, Comm},
    {{"write of a cycle and shuffle of the next start and end together", true, false}, WriteComm, ReadComm},
    {{"as write-comm, each operation followed up as soon as it completes", true, false}, WriteComm2, WriteComm2},
    {{"each sub-buffer continues when its own shuffle or write completes", true, true}, WriteComm2, WriteComm2},
};

static_assert(std::size(kAlgorithms) == OVERLAP_ALGORITHM_AUTO, "auto is behind all that it chooses from");

} // namespace

const AlgorithmRow &RowOf(overlap_algorithm algorithm) {
    const auto index = static_cast<std::size_t>(algorithm);
    if (index >= std::size(kAlgorithms)) {
        throw std::invalid_argument("an unknown algorithm");
    }
    return kAlgorithms[index];
}

} // namespace overlap
