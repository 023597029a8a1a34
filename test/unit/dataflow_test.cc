// The schedule that is decided as it runs, over shuffles and writes that complete when chance says so.
#include "schedule/checker.h"
#include "schedule/dataflow.h"

#include <gtest/gtest.h>

#include <random>

namespace overlap {
namespace {

class ChanceShuffle final : public Shuffle {
  public:
    explicit ChanceShuffle(unsigned seed) : random_(seed) {}
    Status Start(Cycle, Slot) override { return Status(); }
    Status Wait(Cycle, Slot) override { return Status(); }
    Status Test(Cycle, Slot, bool &done) override {
        done = random_() % 3 == 0;
        return Status();
    }
    Status Finish() override { return Status(); }

  private:
    std::mt19937 random_;
};

class ChanceWriter final : public Writer {
  public:
    explicit ChanceWriter(unsigned seed) : random_(seed) {}
    void Prepare(std::size_t, std::size_t) override {}
    Status Write(const Extents &, ByteCount &) noexcept override { return Status(); }
    void Start(std::size_t, const Extents &extents) noexcept override { bytes_ = extents.empty() ? 0 : 1; }
    Status Wait(std::size_t, ByteCount &written) noexcept override {
        written = bytes_;
        return Status();
    }
    bool Done(std::size_t) noexcept override { return random_() % 4 == 0; }

  private:
    std::mt19937 random_;
    ByteCount bytes_ = 0;
};

// An aggregator of one domain with one byte for each cycle.
Plan PlanOfCycles(Cycle cycles) {
    Plan plan;
    plan.cycles = cycles;
    OwnedDomain &domain = plan.owned.emplace_back();
    domain.coverage.data.Append(Run{0, cycles, 0, 1});
    std::vector<overlap::FileOffset> offsets;
    for (Cycle cut = 0; cut <= cycles; ++cut) {
        offsets.push_back(cut);
    }
    domain.cuts = overlap::Cuts(std::move(offsets));
    return plan;
}

TEST(Dataflow, KeepsTheRulesWhateverCompletesFirst) {
    for (unsigned seed = 0; seed < 30; ++seed) {
        for (const Cycle cycles : {1, 2, 5, 40}) {
            for (int slots = OVERLAP_SLOTS_MIN; slots <= OVERLAP_SLOTS_MAX; ++slots) {
                const Plan plan = PlanOfCycles(cycles);
                SubBuffers buffers;
                buffers.Reserve(slots, 1, 1);
                ChanceShuffle shuffle(seed);
                ChanceWriter writer(seed + 1000);
                CycleWriter cycle_writer(plan, buffers, writer);
                Program trace;

                const Status status = RunDataflow(cycles, slots, shuffle, cycle_writer, &trace);

                EXPECT_TRUE(status.ok());
                EXPECT_EQ(CheckProgram(trace, cycles, slots), "") << ToString(trace);
            }
        }
    }
}

TEST(Dataflow, ALateShuffleDoesNotHoldUpTheOthers) {
    // The shuffle of cycle 0 completes last of those that are under way.
    class Late final : public Shuffle {
      public:
        Status Start(Cycle, Slot) override { return Status(); }
        Status Wait(Cycle, Slot) override { return Status(); }
        Status Test(Cycle cycle, Slot, bool &done) override {
            done = cycle != 0 || ++looks_ > 10;
            return Status();
        }
        Status Finish() override { return Status(); }

      private:
        int looks_ = 0;
    } shuffle;
    const Plan plan = PlanOfCycles(4);
    SubBuffers buffers;
    buffers.Reserve(4, 1, 1);
    ChanceWriter writer(1);
    CycleWriter cycle_writer(plan, buffers, writer);
    Program trace;

    EXPECT_TRUE(RunDataflow(4, 4, shuffle, cycle_writer, &trace).ok());

    const std::string text = ToString(trace);
    EXPECT_LT(text.find("WI3"), text.find("SW0")) << text;
}

} // namespace
} // namespace overlap
