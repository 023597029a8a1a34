// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "cycles.h"

#include "../team/agreement.h"

#include <utility>

namespace overlap {
namespace {

// Ranks agree on whole nanoseconds.
constexpr double kWordsInASecond = 1e9;

std::int64_t WordOf(double seconds) noexcept { return static_cast<std::int64_t>(seconds * kWordsInASecond); }
double SecondsOf(std::int64_t word) noexcept { return static_cast<double>(word) / kWordsInASecond; }

// Beside a longer write other work may be done.
constexpr ByteCount kShortWrite = ByteCount{1} << 20;

} // namespace

// Behind a single shuffle. To hand the write to a thread costs more than to wait in it.
bool TakesTurns(overlap_direction direction, const Plan &plan, bool waits) noexcept {
    return direction == OVERLAP_WRITE && plan.cycles <= 1 && plan.most_owned <= 1 && plan.fullest_cycle <= kShortWrite &&
           waits;
}

Cycles::Cycles(overlap_direction direction, const Team &team, Watch &watch, std::shared_ptr<const Plan> plan,
               const Choice &choice, StridedList memory, bool on_device, Enclosed enclosed, FileResources &resources)
    : team_(team), watch_(watch), plan_(std::move(plan)), memory_(std::move(memory)), enclosed_(std::move(enclosed)),
      shuffle_(resources.MakeShuffle(direction, *plan_, choice, memory_, on_device, enclosed_)),
      io_(direction, *plan_, resources.buffers(), resources.io(), choice.slots), meter_(watch),
      schedule_(MakeSchedule(TakesTurns(direction, *plan_, resources.Waits()) ? OVERLAP_ALGORITHM_NONE : choice.algorithm,
                             plan_->cycles, choice.slots, WaitsOf(*shuffle_), direction)),
      runner_(*schedule_, *shuffle_, io_, meter_), count_(team, *plan_, io_) {}

void Cycles::Begin(std::int64_t distance) noexcept {
    io_.MoveBy(distance);
    meter_.Begin(plan_.get(), distance);
}

bool Cycles::Step() noexcept { return runner_.Advance() != Next::kEnd; }

Status Cycles::Finish(bool &all, Timing &timing) noexcept {
    const Timing own = meter_.Total();
    meter_.Finish();
    watch_.Count(OVERLAP_COUNT_BYTES_OF_FILE, io_.transferred());
    watch_.TurnTo(Activity::kFinish);
    std::int64_t call = WordOf(own.call), shuffle = WordOf(own.shuffle), write = WordOf(own.write);
    bool ended = io_.ended();
    Agreement agreement;
    agreement.Max(call);
    agreement.Max(shuffle);
    agreement.Max(write);
    agreement.Any(ended);
    const Status status = agreement.Run(team_, io_.status());
    timing = Timing{SecondsOf(call), SecondsOf(shuffle), SecondsOf(write)};
    all = status.ok() && !ended;
    return status;
}

} // namespace overlap
