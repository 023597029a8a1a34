// The five schedules against Feki & Gabriel, and the checker against broken programs.
#include "schedule/checker.h"
#include "schedule/program.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace overlap {
namespace {

constexpr overlap_algorithm kAlgorithms[] = {OVERLAP_ALGORITHM_NONE,         OVERLAP_ALGORITHM_COMM,
                                             OVERLAP_ALGORITHM_WRITE,        OVERLAP_ALGORITHM_WRITE_COMM,
                                             OVERLAP_ALGORITHM_WRITE_COMM_2, OVERLAP_ALGORITHM_DATAFLOW};

std::string FiveCycles(overlap_algorithm algorithm) { return ToString(MakeProgram(algorithm, 5, SlotsOf(algorithm, 2))); }

TEST(Schedule, None_IsShuffleThenWrite) {
    EXPECT_EQ(FiveCycles(OVERLAP_ALGORITHM_NONE),
              "SI0 SW0 WI0 WW0 SI1 SW1 WI1 WW1 SI2 SW2 WI2 WW2 SI3 SW3 WI3 WW3 SI4 SW4 WI4 WW4");
}

TEST(Schedule, Comm_IsAlgorithm1) {
    EXPECT_EQ(FiveCycles(OVERLAP_ALGORITHM_COMM),
              "SI0 SI1 SW0 WI0 WW0 SI2 SW1 WI1 WW1 SI3 SW2 WI2 WW2 SI4 SW3 WI3 WW3 SW4 WI4 WW4");
}

TEST(Schedule, Write_IsAlgorithm2) {
    EXPECT_EQ(FiveCycles(OVERLAP_ALGORITHM_WRITE),
              "SI0 SW0 WI0 SI1 SW1 WI1 WW0 SI2 SW2 WI2 WW1 SI3 SW3 WI3 WW2 SI4 SW4 WI4 WW3 WW4");
}

TEST(Schedule, WriteComm_IsAlgorithm3) {
    EXPECT_EQ(FiveCycles(OVERLAP_ALGORITHM_WRITE_COMM),
              "SI0 SW0 WI0 SI1 SW1 WW0 WI1 SI2 SW2 WW1 WI2 SI3 SW3 WW2 WI3 SI4 SW4 WW3 WI4 WW4");
}

TEST(Schedule, WriteComm2_IsAlgorithm4) {
    EXPECT_EQ(FiveCycles(OVERLAP_ALGORITHM_WRITE_COMM_2),
              "SI0 SI1 SW0 WI0 SW1 WI1 WW0 SI2 WW1 SI3 SW2 WI2 SW3 WI3 WW2 SI4 WW3 SW4 WI4 WW4");
}

TEST(Schedule, EveryAlgorithmKeepsTheRulesForEveryNumberOfCyclesAndSlots) {
    for (const overlap_algorithm algorithm : kAlgorithms) {
        for (Cycle cycles = 0; cycles <= 40; ++cycles) {
            for (int slots = OVERLAP_SLOTS_MIN; slots <= OVERLAP_SLOTS_MAX; ++slots) {
                const int used = SlotsOf(algorithm, slots);
                const Program program = MakeProgram(algorithm, cycles, used);
                EXPECT_EQ(CheckProgram(program, cycles, used), "") << overlap_algorithm_names[algorithm] << ", " << cycles
                                                                   << " cycles, " << used << " slots: " << ToString(program);
            }
        }
    }
}

// The most shuffles and writes that a program has under way at a time.
struct UnderWay {
    int shuffles = 0;
    int writes = 0;
};

UnderWay MostUnderWay(overlap_algorithm algorithm, int slots) {
    UnderWay now, most;
    for (const Step &step : MakeProgram(algorithm, 50, SlotsOf(algorithm, slots))) {
        now.shuffles += step.kind == StepKind::kShuffleInit ? 1 : step.kind == StepKind::kShuffleWait ? -1 : 0;
        now.writes += step.kind == StepKind::kWriteInit ? 1 : step.kind == StepKind::kWriteWait ? -1 : 0;
        most.shuffles = std::max(most.shuffles, now.shuffles);
        most.writes = std::max(most.writes, now.writes);
    }
    return most;
}

TEST(Schedule, WithMoreSlotsMoreIsUnderWay) {
    for (int slots = OVERLAP_SLOTS_MIN; slots <= OVERLAP_SLOTS_MAX; ++slots) {
        EXPECT_EQ(MostUnderWay(OVERLAP_ALGORITHM_COMM, slots).shuffles, slots);
        EXPECT_EQ(MostUnderWay(OVERLAP_ALGORITHM_COMM, slots).writes, 1);
        EXPECT_EQ(MostUnderWay(OVERLAP_ALGORITHM_WRITE, slots).shuffles, 1);
        EXPECT_EQ(MostUnderWay(OVERLAP_ALGORITHM_WRITE, slots).writes, slots);
        EXPECT_EQ(MostUnderWay(OVERLAP_ALGORITHM_WRITE_COMM, slots).shuffles, 1);
        EXPECT_EQ(MostUnderWay(OVERLAP_ALGORITHM_WRITE_COMM, slots).writes, slots - 1);
        EXPECT_EQ(MostUnderWay(OVERLAP_ALGORITHM_WRITE_COMM_2, slots).shuffles, slots);
        EXPECT_EQ(MostUnderWay(OVERLAP_ALGORITHM_WRITE_COMM_2, slots).writes, slots);
    }
}

TEST(Schedule, NoneUsesOneBufferOfTheFullSize) {
    EXPECT_EQ(SlotsOf(OVERLAP_ALGORITHM_NONE, 4), 1);
    EXPECT_EQ(SlotsOf(OVERLAP_ALGORITHM_COMM, 4), 4);
}

TEST(Checker, FindsEveryStepThatIsLeftOut) {
    for (const overlap_algorithm algorithm : kAlgorithms) {
        const int slots = SlotsOf(algorithm, 2);
        const Program right = MakeProgram(algorithm, 5, slots);
        for (std::size_t left_out = 0; left_out < right.size(); ++left_out) {
            Program broken = right;
            broken.erase(broken.begin() + static_cast<std::ptrdiff_t>(left_out));
            EXPECT_NE(CheckProgram(broken, 5, slots), "") << ToString(broken);
        }
    }
}

TEST(Checker, FindsEveryStepThatIsDoneTwice) {
    for (const overlap_algorithm algorithm : kAlgorithms) {
        const int slots = SlotsOf(algorithm, 2);
        const Program right = MakeProgram(algorithm, 5, slots);
        for (std::size_t twice = 0; twice < right.size(); ++twice) {
            Program broken = right;
            broken.insert(broken.begin() + static_cast<std::ptrdiff_t>(twice), right[twice]);
            EXPECT_NE(CheckProgram(broken, 5, slots), "") << ToString(broken);
        }
    }
}

TEST(Checker, FindsASubBufferThatIsFilledBeforeItsWriteHasCompleted) {
    const Program broken =
        ProgramBuilder(3, 2).Shuffle(0).WriteInit(0).Shuffle(1).Write(1).Shuffle(2).WriteWait(0).Write(2).Take();

    EXPECT_NE(CheckProgram(broken, 3, 2).find("not written yet"), std::string::npos);
}

TEST(Checker, FindsAWriteBeforeItsShuffleHasCompleted) {
    const Program broken = ProgramBuilder(1, 2).ShuffleInit(0).WriteInit(0).ShuffleWait(0).WriteWait(0).Take();

    EXPECT_NE(CheckProgram(broken, 1, 2), "");
}

TEST(Checker, FindsShufflesOutOfOrder) {
    const Program broken = ProgramBuilder(2, 2).Shuffle(1).Shuffle(0).Write(0).Write(1).Take();

    EXPECT_NE(CheckProgram(broken, 2, 2).find("out of order"), std::string::npos);
}

} // namespace
} // namespace overlap
