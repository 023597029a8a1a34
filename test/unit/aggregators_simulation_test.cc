// The number of aggregators that is chosen from what simulated calls have shown, against the simulated best.
#include "choose/chooser.h"
#include "virtual_cluster.h"
#include "virtual_conditions.h"
#include "write_cases.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace overlap::test {
namespace {

constexpr std::uint64_t kConditions = 400;
constexpr int kSmallerBy = 16; // the call from which a latency may be told

// Of which choosers know only what calls take.
class Machine {
  public:
    explicit Machine(std::uint64_t number) : condition_(ConditionOf(number)), settings_(EverythingOpen()) {
        const Load &load = condition_.load;
        facts_.collective_buffer_size = 32 << 20;
        facts_.block_size = 1;
        facts_.posix = 1;
        std::snprintf(facts_.file_system, sizeof(facts_.file_system), "nfs");
        piece_ = std::max<ByteCount>(1, load.bytes / load.pieces);
        usual_ = load.nodes > 1 ? load.nodes : 2;
    }

    // As the next file does it, with any number of aggregators or the usual one alone.
    Candidate Choose(bool any_number) {
        facts_.aggregators = any_number ? 0 : usual_;
        Chooser chooser(settings_, condition_.load.ranks, condition_.load.nodes);
        Decide(chooser, condition_.load.bytes);
        return chooser.predicted().candidate;
    }

    // A file with a call of `bytes`, repeated. False where nothing can be said of it.
    bool Learn(ByteCount bytes) {
        facts_.aggregators = 0;
        Chooser chooser(settings_, condition_.load.ranks, condition_.load.nodes);
        Decide(chooser, bytes);
        for (int call = 0; call < 4; ++call) {
            const Candidate used = chooser.predicted().candidate;
            if (!CanSimulate(used)) {
                return false;
            }
            const Load load = LoadOf(bytes);
            const Prediction parts = Predict(load, condition_.rates, used);
            const auto cycles = static_cast<double>(CycleOf(load, used).cycles);
            const double seconds = Simulate(used, bytes);
            const Took took{seconds, std::min(seconds, parts.shuffle), std::min(seconds, parts.write),
                            parts.shuffle / cycles, parts.write / cycles};
            static_cast<void>(chooser.Learn(took, Ran{used.aggregators, OVERLAP_SHUFFLE_TWO_SIDED, load.remote}));
        }
        const Chooser::Known rates = chooser.rates();
        std::copy(rates.begin(), rates.end(), std::begin(facts_.rates));
        facts_.rates_known = 1;
        return true;
    }

    double Simulate(const Candidate &candidate, ByteCount bytes) const {
        return SimulateWrite(LoadOf(bytes), condition_.rates, candidate, condition_.unsteady);
    }

    bool CanSimulate(const Candidate &candidate) const {
        const int nodes = condition_.load.nodes;
        return candidate.aggregators % nodes == 0 || nodes % candidate.aggregators == 0;
    }

    ByteCount bytes() const { return condition_.load.bytes; }
    int usual() const { return usual_; }
    int ranks() const { return condition_.load.ranks; }

  private:
    Load LoadOf(ByteCount bytes) const {
        Load load = condition_.load;
        load.bytes = bytes;
        load.pieces = std::max<std::int64_t>(1, bytes / piece_);
        load.extents = 1;
        load.period = std::min<ByteCount>(bytes, piece_ * load.ranks);
        return load;
    }

    void Decide(Chooser &chooser, ByteCount bytes) {
        const Load load = LoadOf(bytes);
        const ByteCount of_rank = DivideUp(bytes, load.ranks);
        chooser.Prepare(overlap::Choose(settings_, facts_, load.ranks, load.nodes), facts_);
        chooser.Decide(facts_, CallSize{bytes, of_rank, std::max<std::int64_t>(1, of_rank / piece_)});
        chooser.Predict(usual_, std::max(usual_, std::min(load.ranks, 2 * usual_)));
    }

    const Condition condition_;
    const overlap_settings settings_;
    overlap_file_facts facts_{};
    ByteCount piece_ = 1;
    int usual_ = 1;
};

TEST(AggregatorsSimulation, AnotherNumberIsTakenOnlyWhereItIsFaster) {
    int conditions = 0, others = 0, slower = 0;
    double sum = 0, sum_best = 0;
    std::string worst;
    double most = 0;
    for (std::uint64_t number = 0; number < kConditions; ++number) {
        Machine machine(number);
        if (!machine.Learn(machine.bytes() / kSmallerBy) || !machine.Learn(machine.bytes()) ||
            !machine.Learn(machine.bytes())) {
            continue;
        }
        const Candidate any = machine.Choose(true);
        const Candidate usual = machine.Choose(false);
        if (!machine.CanSimulate(any)) {
            continue;
        }
        const double with_usual = machine.Simulate(usual, machine.bytes());
        const double taken = machine.Simulate(any, machine.bytes());
        double best = std::min(taken, with_usual);
        for (const int aggregators : {machine.usual() / 2, 2 * machine.usual()}) {
            Candidate other = usual;
            other.aggregators = std::clamp(aggregators, 1, machine.ranks());
            best = std::min(best, machine.Simulate(other, machine.bytes()));
        }
        ++conditions;
        others += any.aggregators != usual.aggregators ? 1 : 0;
        slower += taken > 1.02 * with_usual ? 1 : 0;
        sum += taken / with_usual;
        sum_best += best / with_usual;
        if (taken / with_usual > most) {
            most = taken / with_usual;
            worst = "condition " + std::to_string(number) + ": " + std::to_string(any.aggregators) + " aggregators take " +
                    std::to_string(taken) + " s, " + std::to_string(usual.aggregators) + " take " +
                    std::to_string(with_usual) + " s";
        }
    }
    const std::string summary = std::to_string(others) + " of " + std::to_string(conditions) + " conditions changed, " +
                                std::to_string(slower) + " became slower, mean " + std::to_string(sum / conditions) +
                                " of the time with the usual number, the best " + std::to_string(sum_best / conditions);
    RecordProperty("summary", summary);
    EXPECT_GT(conditions, static_cast<int>(kConditions / 2)) << summary;
    EXPECT_GE(others, 5) << summary;
    EXPECT_EQ(slower, 0) << summary;
    EXPECT_LT(sum / conditions, 1) << summary;
    EXPECT_LE(most, 1.02) << worst << "; " << summary;
}

} // namespace
} // namespace overlap::test
