// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// What the runner makes of the steps of a schedule: calls of a shuffle and of a writer.
#include "call/runner.h"
#include "schedule_checker.h"
#include "steps.h"

#include <gtest/gtest.h>

#include <functional>

namespace overlap::test {
namespace {

// A host whose clock a test sets by hand.
struct HandClock {
    HandClock() {
        host.self = this;
        host.seconds = [](void *self) { return static_cast<HandClock *>(self)->now; };
    }
    HandClock(const HandClock &) = delete;

    overlap_host host{};
    double now = 100; // seconds
};

// The calls of a shuffle and a writer, "Start0 Wait0 write0 ...".
struct Calls {
    void Note(const char *name, std::int64_t number) { text += name + std::to_string(number) + " "; }
    std::string text;
};

class NotedShuffle final : public Shuffle {
  public:
    explicit NotedShuffle(Calls &calls) : calls_(calls) {}

    Status Start(Cycle cycle, Slot) noexcept override {
        calls_.Note("Start", cycle);
        return Status();
    }
    Status Wait(Cycle cycle, Slot) noexcept override {
        calls_.Note("Wait", cycle);
        on_wait();
        return Status();
    }
    Status Test(Cycle cycle, Slot, bool &done) noexcept override { return on_test(cycle, done); }

    std::function<Status(Cycle, bool &)> on_test = [](Cycle, bool &done) {
        done = true;
        return Status();
    };
    std::function<void()> on_wait = [] {};

  private:
    Calls &calls_;
};

// Names a write by the offset of its one byte, which is its cycle.
class NotedWriter final : public IoEngine {
  public:
    explicit NotedWriter(Calls &calls) : calls_(calls) {}

    void Prepare(std::size_t requests, std::size_t /*extents*/) override { writing_.assign(requests, -1); }
    const char *name() const override { return "noted"; }
    Status Transfer(overlap_direction, const Extents &extents, ByteCount &written) noexcept override {
        calls_.Note("write", extents.at(0).offset);
        written = 1;
        return Status();
    }
    void Start(std::size_t request, overlap_direction, const Extents &extents) noexcept override {
        writing_.at(request) = extents.at(0).offset;
        calls_.Note("iwrite", writing_.at(request));
    }
    Status Wait(std::size_t request, ByteCount &written) noexcept override {
        calls_.Note("wait", writing_.at(request));
        on_wait(writing_.at(request));
        written = 1;
        return Status();
    }
    bool Done(std::size_t) noexcept override { return on_done(); }

    std::function<bool()> on_done = [] { return true; };
    std::function<void(Cycle)> on_wait = [](Cycle) {};

  private:
    Calls &calls_;
    std::vector<FileOffset> writing_;
};

// An aggregator of one domain with one byte for each cycle.
Plan PlanOfCycles(Cycle cycles) {
    Plan plan;
    plan.cycles = cycles;
    OwnedDomain &domain = plan.owned.emplace_back();
    domain.coverage.data.Append(Run{0, cycles, 0, 1});
    domain.cuts = CutGapless(Domain{0, cycles}, 1, 1);
    domain.clients.push_back(Client{0, domain.coverage.data});
    plan.most_extents = 1;
    return plan;
}

struct Aggregator {
    Aggregator(Cycle cycles, int slots)
        : plan(PlanOfCycles(cycles)), shuffle(calls), writer(calls), writes(OVERLAP_WRITE, plan, buffers, writer, slots),
          watch(clock.host) {
        buffers.Reserve(slots, 1, 1);
        writer.Prepare(static_cast<std::size_t>(slots), 1);
    }

    Status Run(Schedule &schedule) {
        Runner runner(schedule, shuffle, writes, plan, watch);
        timing = runner.Run(0);
        return writes.status();
    }
    Status Run(overlap_algorithm algorithm, int slots) { return Run(*MakeSchedule(algorithm, plan.cycles, slots)); }

    Calls calls;
    const Plan plan;
    SubBuffers buffers;
    NotedShuffle shuffle;
    NotedWriter writer;
    CycleIo writes;
    HandClock clock;
    Watch watch;
    Timing timing;
};

constexpr std::int64_t kSecond = 1000000000;

// A write that is waited for at once is a blocking one.
TEST(Runner, CallsTheShuffleAndTheWriterAsTheScheduleSays) {
    struct Case {
        overlap_algorithm algorithm;
        Cycle cycles;
        const char *calls;
    };
    for (const Case &one : {
             Case{OVERLAP_ALGORITHM_COMM, 2, "Start0 Start1 Wait0 write0 Wait1 write1 "},
             Case{OVERLAP_ALGORITHM_WRITE, 2, "Start0 Wait0 iwrite0 Start1 Wait1 iwrite1 wait0 wait1 "},
             Case{OVERLAP_ALGORITHM_DATAFLOW, 3,
                  "Start0 Wait0 iwrite0 Start1 Wait1 iwrite1 wait0 Start2 Wait2 iwrite2 wait1 wait2 "},
         }) {
        Aggregator aggregator(one.cycles, 2);

        EXPECT_TRUE(aggregator.Run(one.algorithm, 2).ok());

        EXPECT_EQ(aggregator.calls.text, one.calls);
    }
}

TEST(Runner, CountsTheTimeOfWhatGoesOnSideBySideOnce) {
    Aggregator aggregator(2, 2);
    aggregator.shuffle.on_wait = [&] { aggregator.clock.now += 4; };
    aggregator.writer.on_wait = [&](Cycle cycle) { aggregator.clock.now += cycle == 0 ? 1 : 5; };
    Played steps({{StepKind::kShuffleInit, 0, 0, false},
                  {StepKind::kShuffleInit, 1, 1, false},
                  {StepKind::kShuffleWait, 0, 0, false},
                  {StepKind::kFileInit, 0, 0, false},
                  {StepKind::kShuffleWait, 1, 1, false},
                  {StepKind::kFileInit, 1, 1, false},
                  {StepKind::kFileWait, 0, 0, false},
                  {StepKind::kFileWait, 1, 1, false}});

    EXPECT_TRUE(aggregator.Run(steps).ok());

    EXPECT_EQ(aggregator.timing.call, 14 * kSecond);
    EXPECT_EQ(aggregator.timing.shuffle, 8 * kSecond);
    EXPECT_EQ(aggregator.timing.file, 10 * kSecond);
}

TEST(Runner, GivesEveryScheduleTheAnswersThatItsRulesNeed) {
    for (const overlap_algorithm algorithm : kSchedules) {
        for (unsigned seed = 0; seed < 10; ++seed) {
            const int slots = SlotsOf(algorithm, 4);
            Aggregator aggregator(40, slots);
            ByChance chance(seed);
            aggregator.shuffle.on_test = [&](Cycle cycle, bool &done) {
                done = chance.ShuffleDone(cycle, 0);
                return Status();
            };
            aggregator.writer.on_done = [&] { return chance.FileDone(0, 0); };
            const auto schedule = MakeSchedule(algorithm, 40, slots);
            CheckedSchedule checked(*schedule, 40, slots, ShuffleWaits::kInAnyOrder);

            EXPECT_TRUE(aggregator.Run(checked).ok());

            EXPECT_EQ(checked.Wrong(), "") << overlap_algorithm_names[algorithm];
            ByteCount done = 0;
            for (const Range &range : aggregator.writes.Done(0)) {
                done += range.last - range.first;
            }
            EXPECT_EQ(done, 40);
        }
    }
}

} // namespace
} // namespace overlap::test
