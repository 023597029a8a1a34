// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "elapsed.h"

#include <algorithm>
#include <initializer_list>

namespace overlap {
namespace {

// The stages in seconds, for the bytes of the cycle that is shuffled and those of the one before it, which is written.
struct Seconds {
    Seconds(const Stages &stages, double shuffled, double written) noexcept
        : take(stages.take.At(shuffled)), thread(stages.prepare.At(shuffled) + take), travel(stages.travel.At(shuffled)),
          travel_mean(stages.travel_mean.At(shuffled)), start(stages.start.At(written)), write(stages.write.At(written)),
          write_alone(stages.write_alone.At(written)), write_stream(stages.write_stream.At(written)),
          write_together(stages.write_together.At(written)) {}

    double Shuffle() const noexcept { return thread + travel; }

    double take;
    double thread;
    double travel;
    double travel_mean;
    double start;
    double write;
    double write_alone;
    double write_stream;
    double write_together;
};

Elapsed Longest(std::initializer_list<Elapsed> bounds) noexcept {
    return *std::max_element(bounds.begin(), bounds.end(),
                             [](const Elapsed &a, const Elapsed &b) { return a.seconds < b.seconds; });
}

// How far the writes of several aggregators are from keeping out of each other's way, 0 to 1. Chosen by the regret over a
// simulated cluster (test/unit/model_simulation_test.cc up to 53ca81e).
constexpr double kMeeting = 0.15;

class Rounds {
  public:
    Rounds(const Stages &stages, const Candidate &candidate, Cycle cycles, double progress) noexcept
        : stages_(stages), slots_(candidate.slots), recurs_(cycles > candidate.slots), progress_(progress),
          algorithm_(candidate.slots == 1                                                   ? OVERLAP_ALGORITHM_NONE
                     : candidate.algorithm == OVERLAP_ALGORITHM_DATAFLOW && stages.in_order ? OVERLAP_ALGORITHM_WRITE_COMM_2
                                                                                            : candidate.algorithm) {}

    // From the end of a cycle's shuffle to that of the next one, where a cycle of `written` bytes comes before one of
    // `shuffled`.
    Elapsed Next(double shuffled, double written) const noexcept {
        const Seconds of(stages_, shuffled, written);
        switch (algorithm_) {
        case OVERLAP_ALGORITHM_NONE:
            break;
        case OVERLAP_ALGORITHM_COMM:
            return Comm(of);
        case OVERLAP_ALGORITHM_WRITE:
            return Write(of);
        case OVERLAP_ALGORITHM_WRITE_COMM:
            return WriteComm(of);
        case OVERLAP_ALGORITHM_WRITE_COMM_2:
        case OVERLAP_ALGORITHM_DATAFLOW:
        case OVERLAP_ALGORITHM_AUTO: // is never a candidate
            return Both(of);
        }
        return Elapsed{of.Shuffle() + of.write, Bound::kTurns};
    }

    // What the first round takes beside `round`: write-comm and dataflow start no second shuffle before the first has ended.
    double Ramp(double round, double bytes) const noexcept {
        const bool waits =
            (algorithm_ == OVERLAP_ALGORITHM_WRITE_COMM && slots_ > 2) || algorithm_ == OVERLAP_ALGORITHM_DATAFLOW;
        return waits ? std::max(0.0, Seconds(stages_, bytes, bytes).Shuffle() - round) : 0;
    }

  private:
    double Chain(double seconds, int slots) const noexcept { return recurs_ ? seconds / slots : 0; }

    Elapsed Comm(const Seconds &of) const noexcept {
        const double apart = std::max(of.write_alone, of.write_together - of.thread);
        const double write = stages_.in_step ? of.write : apart + kMeeting * std::max(0.0, of.write - apart);
        const double held_up = (1 - progress_) * of.write_alone;
        return Longest({{of.travel_mean + held_up, Bound::kNetwork},
                        {of.thread + write, write > of.thread ? Bound::kStorage : Bound::kThread},
                        {Chain(of.Shuffle() + of.write_alone + held_up, slots_), Bound::kSlots}});
    }

    Elapsed Write(const Seconds &of) const noexcept {
        const double shuffle = of.Shuffle() + of.start;
        return Longest({{shuffle, Bound::kNetwork},
                        {WritesOf(of, slots_), Bound::kStorage},
                        {stages_.side_by_side ? Chain(shuffle + WriteOf(of), slots_) : 0, Bound::kSlots}});
    }

    // Half of the sub-buffers is shuffled, half is written; the oldest of each end together.
    Elapsed WriteComm(const Seconds &of) const noexcept {
        if (slots_ == 2) {
            return Longest({{of.start + of.Shuffle(), Bound::kNetwork}, {of.start + of.write, Bound::kStorage}});
        }
        const int writes = slots_ / 2;
        return Longest({{of.travel_mean, Bound::kNetwork},
                        {of.start + WritesOf(of, writes), Bound::kStorage},
                        {of.start + of.thread, Bound::kThread},
                        {Chain(of.start + of.Shuffle(), slots_ - writes), Bound::kSlots},
                        {stages_.side_by_side ? Chain(of.start + WriteOf(of), writes) : 0, Bound::kSlots}});
    }

    Elapsed Both(const Seconds &of) const noexcept {
        const double thread = of.start + of.thread;
        const bool ordered = algorithm_ == OVERLAP_ALGORITHM_WRITE_COMM_2;
        return Longest({{of.travel_mean, Bound::kNetwork},
                        {WritesOf(of, slots_) + Idle(of), Bound::kStorage},
                        {thread, Bound::kThread},
                        {Chain(thread + (ordered ? InOrder(of) : of.travel + WriteOf(of)), slots_), Bound::kSlots}});
    }

    // For which the storage has nothing to do. Write-comm-2 waits for all writes once a round; where shuffles start in step
    // a rank that waits for the others to come hands over no write meanwhile.
    double Idle(const Seconds &of) const noexcept {
        if (algorithm_ == OVERLAP_ALGORITHM_DATAFLOW) {
            return stages_.in_step ? of.start + of.Shuffle() : 0;
        }
        return Chain(of.start + (stages_.in_step ? of.Shuffle() : of.thread), slots_);
    }

    // Of a round of write-comm-2: no write is waited for before all shuffles were, no shuffle of the next round before all
    // writes. The last of them ends a few gaps behind the first.
    double InOrder(const Seconds &of) const noexcept {
        const double write = WriteOf(of);
        const double gap = std::max(of.travel_mean, of.take + of.start);
        const int gaps = slots_ - 1;
        return std::max({of.travel + write, of.travel + gaps * gap, write + gaps * std::max(gap, WritesOf(of, slots_))});
    }

    // A write whose aggregator is at work when others are; in step they all begin at once.
    double WriteOf(const Seconds &of) const noexcept { return stages_.in_step ? of.write : of.write_alone; }

    // The same with one of an aggregator under way: those of several meet now and then, as where all begin at once.
    double OneWriteOf(const Seconds &of) const noexcept {
        const double apart = std::max(of.write_together, WriteOf(of));
        return apart + kMeeting * std::max(0.0, of.write - apart);
    }

    // From the end of a write to that of the next, up to so many of an aggregator under way.
    double WritesOf(const Seconds &of, int under_way) const noexcept {
        if (stages_.side_by_side) {
            return std::max({of.write_together, of.write_stream, WriteOf(of) / under_way});
        }
        return OneWriteOf(of);
    }

    const Stages &stages_;
    const int slots_;
    const bool recurs_; // sub-buffers are filled more than once
    const double progress_;
    const overlap_algorithm algorithm_;
};

} // namespace

Elapsed ElapsedOf(const CycleLoad &load, const Stages &stages, const Candidate &candidate, double progress) noexcept {
    if (load.cycles == 0) {
        return {};
    }
    const Rounds rounds(stages, candidate, load.cycles, progress);
    const double last = load.BytesOf(load.cycles - 1);
    const double first_shuffle = InTurn({stages.prepare, stages.travel_first, stages.take}).At(load.bytes);
    const double last_write = Seconds(stages, last, last).write;
    if (load.cycles == 1) {
        return Elapsed{first_shuffle + last_write, Bound::kTurns};
    }
    const Elapsed full = rounds.Next(load.bytes, load.bytes);
    // Where writes are under way side by side the last one, as it may be short, need not be the last to end.
    const double full_write = Seconds(stages, load.bytes, load.bytes).write;
    const double drain = std::max(full_write, rounds.Next(last, load.bytes).seconds + last_write);
    const double fill = first_shuffle + rounds.Ramp(full.seconds, load.bytes);
    return Elapsed{Pipeline(full.seconds, fill + drain, static_cast<double>(load.cycles - 1)), full.bound};
}

} // namespace overlap
