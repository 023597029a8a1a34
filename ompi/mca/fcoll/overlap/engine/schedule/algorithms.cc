// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// The algorithms of Feki & Gabriel, section III-A, side by side. Before each stands its text in the paper's words, for two
// sub-buffers p1 and p2 that are swapped after each cycle and with its slips put right; cycles count from 0 to N-1.
//
// A read takes the same rounds, in which read stands for shuffle and shuffle for write: what fills a sub-buffer and what
// empties it. An algorithm is named for what is asynchronous in it, so Communication Overlap of a read is Algorithm 2
// (the shuffle during a blocking read of the next cycle), and the overlap of the file Algorithm 1.
#include "schedule.h"

#include <array>
#include <iterator>
#include <stdexcept>

namespace overlap {
namespace {

// The steps of an algorithm, round after round. Those that name a cycle outside 0 .. cycles-1 are left out, so that an
// algorithm can be written down as the paper does.
class Rounds final : public Schedule {
  public:
    // Adds the steps of round `i`. The rounds are i = -slots .. cycles-1+slots: what an algorithm does before its loop is a
    // part of rounds before the first cycle, what it does after it of those behind the last.
    using AddRound = void (*)(Rounds &round, Cycle i) noexcept;

    Rounds(AddRound add, Cycle cycles, int slots, overlap_direction direction) noexcept
        : add_(add), cycles_(cycles), slots_(slots), direction_(direction), next_(-slots) {}

    Rounds &ShuffleInit(Cycle cycle) noexcept { return Add(StepKind::kShuffleInit, cycle); }
    Rounds &ShuffleWait(Cycle cycle) noexcept { return Add(StepKind::kShuffleWait, cycle); }
    Rounds &Shuffle(Cycle cycle) noexcept { return ShuffleInit(cycle).ShuffleWait(cycle); }
    Rounds &WriteInit(Cycle cycle) noexcept { return Add(StepKind::kFileInit, cycle); }
    Rounds &WriteWait(Cycle cycle) noexcept { return Add(StepKind::kFileWait, cycle); }
    Rounds &Write(Cycle cycle) noexcept { return WriteInit(cycle).WriteWait(cycle); }
    int slots() const noexcept { return slots_; }

    Next Take(Completion & /*completion*/, Step &step) noexcept override {
        if (!HasStep()) {
            return Next::kEnd;
        }
        step = steps_[taken_++];
        const bool starts = step.kind == StepKind::kFileInit;
        step.blocking = starts ? WaitedForNext(step.cycle) : blocking_;
        blocking_ = starts && step.blocking;
        return Next::kStep;
    }

  private:
    Rounds &Add(StepKind kind, Cycle cycle) noexcept {
        if (cycle >= 0 && cycle < cycles_) {
            steps_[added_++] = Step{Turned(kind, direction_), cycle, static_cast<Slot>(cycle % slots_)};
        }
        return *this;
    }

    bool WaitedForNext(Cycle transfer) noexcept {
        return HasStep() && steps_[taken_].kind == StepKind::kFileWait && steps_[taken_].cycle == transfer;
    }

    bool HasStep() noexcept {
        while (taken_ == added_ && next_ < cycles_ + slots_) {
            taken_ = added_ = 0;
            add_(*this, next_++);
        }
        return taken_ != added_;
    }

    const AddRound add_;
    const Cycle cycles_;
    const int slots_;
    const overlap_direction direction_;
    Cycle next_; // round
    std::size_t added_ = 0;
    std::size_t taken_ = 0;
    std::array<Step, std::size_t{4} * OVERLAP_SLOTS_MAX> steps_; // write-comm-2 has four for each sub-buffer
    bool blocking_ = false;                                      // the last step started a transfer that is waited for next
};

// Two-phase I/O without overlap, the baseline of section III:
//
//     for i = 0 to N-1:      shuffle(i)  write(i)
void None(Rounds &round, Cycle i) noexcept { round.Shuffle(i).Write(i); }

// Algorithm 1, Communication Overlap. As printed the loop starts one shuffle too many.
//
//     shuffle_init(0)
//     for i = 0 to N-2:      shuffle_init(i+1)  shuffle_wait(i)  write(i)
//     shuffle_wait(N-1)  write(N-1)
//
// With S sub-buffers up to S - 1 shuffles are under way while a cycle is written.
void Comm(Rounds &round, Cycle i) noexcept {
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
void Write(Rounds &round, Cycle i) noexcept {
    const Cycle behind = round.slots() - 1;
    round.Shuffle(i).WriteInit(i).WriteWait(i - behind);
}

// Of Algorithm 3: round 0 starts its own shuffle alone, round 1 all that may be under way, later ones one more each.
void StartShuffles(Rounds &round, Cycle i) noexcept {
    const Cycle ahead = round.slots() - round.slots() / 2 - 1;
    const Cycle last = i > 0 ? i + ahead : i;
    for (Cycle cycle = i > 1 ? last : i; cycle <= last; ++cycle) {
        round.ShuffleInit(cycle);
    }
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
void WriteComm(Rounds &round, Cycle i) noexcept {
    round.WriteInit(i - 1);
    StartShuffles(round, i);
    round.ShuffleWait(i).WriteWait(i - round.slots() / 2);
}

// Of a read the two start in the other order and end in it, as the file access progresses by itself and a shuffle while it
// is waited for:
//
//     read(0)
//     for i = 1 to N-1:      read_init(i)  shuffle_init(i-1)  shuffle_wait(i-1)  read_wait(i)
//     shuffle(N-1)
void ReadComm(Rounds &round, Cycle i) noexcept {
    StartShuffles(round, i);
    round.WriteInit(i - 1).WriteWait(i - round.slots() / 2).ShuffleWait(i);
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
void WriteComm2(Rounds &round, Cycle i) noexcept {
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

struct Algorithm {
    const char *description;
    Rounds::AddRound writes; // null: dataflow, of which no round is known
    Rounds::AddRound reads;  // as of a write, its steps turned
};

// In the order of the overlap_algorithm enumerators.
constexpr Algorithm kAlgorithms[] = {
    {"shuffle and write one after the other", None, None},
    {"shuffle of the next cycle during a blocking write", Comm, Write},
    {"asynchronous write during a blocking shuffle of the next cycle", Write, Comm},
    {"write of a cycle and shuffle of the next start and end together", WriteComm, ReadComm},
    {"as write-comm, each operation followed up as soon as it completes", WriteComm2, WriteComm2},
    {"each sub-buffer continues when its own shuffle or write completes", nullptr, nullptr},
};

static_assert(std::size(kAlgorithms) == OVERLAP_ALGORITHM_AUTO, "auto is behind all that it chooses from");

} // namespace

const char *DescriptionOf(overlap_algorithm algorithm) { return kAlgorithms[algorithm].description; }

std::unique_ptr<Schedule> MakeSchedule(overlap_algorithm algorithm, Cycle cycles, int slots, overlap_direction direction) {
    const auto add = direction == OVERLAP_READ ? kAlgorithms[algorithm].reads : kAlgorithms[algorithm].writes;
    if (slots < 1 || slots > OVERLAP_SLOTS_MAX || cycles < 0 || cycles > Cycle{1} << 62) {
        throw std::invalid_argument("cycles or sub-buffers that no schedule can have");
    }
    if (add == nullptr) {
        return MakeDataflow(cycles, slots, direction);
    }
    // One sub-buffer leaves nothing to overlap.
    return std::make_unique<Rounds>(slots == 1 ? None : add, cycles, slots, direction);
}

} // namespace overlap
