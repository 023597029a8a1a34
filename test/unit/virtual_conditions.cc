#include "virtual_conditions.h"

#include <algorithm>
#include <cmath>
#include <random>

namespace overlap::test {
namespace {

constexpr ByteCount kMiB = ByteCount{1} << 20;

// The distributions of <random> differ between libraries; its generators do not.
class Chance {
  public:
    explicit Chance(std::uint64_t seed) : random_(seed) {}

    double Between(double least, double most) {
        return least + (most - least) * static_cast<double>(random_() >> 11) / static_cast<double>(std::uint64_t{1} << 53);
    }
    double Order(double least, double most) { return least * std::exp(Between(0, std::log(most / least))); }
    int PowerOfTwo(int least, int most) {
        return 1 << (least + static_cast<int>(random_() % static_cast<unsigned>(most - least + 1)));
    }
    bool Is(double chance) { return Between(0, 1) < chance; }

  private:
    std::mt19937_64 random_;
};

Rate Measured(double value) { return Rate{value, true}; }

Rates RatesAt(Chance &chance) {
    Rates rates;
    const double latency = chance.Order(1e-6, 1e-4);
    rates.between = {Measured(latency), Measured(1 / chance.Order(25e6, 10e9))};
    rates.within = {Measured(latency / 5), Measured(1 / chance.Order(1e9, 10e9))};
    rates.message = Measured(chance.Order(3e-7, 5e-6));
    rates.copy = Measured(1 / chance.Order(2e9, 10e9));
    rates.piece = Measured(chance.Order(5e-9, 5e-8));
    rates.put = Measured(chance.Order(1e-7, 5e-6));
    rates.fence = Measured(latency * chance.Between(4, 20));
    rates.lock = Measured(latency * chance.Between(1, 4));
    const double byte = 1 / chance.Order(50e6, 4e9);
    const double write = chance.Order(1e-6, 1e-2);
    const double extent = chance.Order(5e-7, 5e-6);
    for (WriterRates &writer : rates.writers) {
        writer = {Measured(chance.Order(2e-6, 5e-5)), Measured(write * chance.Between(0.7, 1.4)),
                  Measured(extent * chance.Between(0.7, 1.4)), Measured(byte * chance.Between(0.8, 1.25))};
    }
    rates.byte_together = Measured(byte / chance.Order(1, 16));
    rates.progress = Measured(chance.Is(0.5) ? 1 : chance.Between(0, 1));
    return rates;
}

Load LoadAt(Chance &chance, ByteCount domain) {
    Load load;
    load.nodes = chance.PowerOfTwo(0, 6);
    load.ranks = load.nodes * chance.PowerOfTwo(0, 4);
    load.ranks = std::max(load.ranks, 2);
    load.bytes = domain * load.nodes;
    load.remote = 1 - 1.0 / load.nodes;
    const double piece = chance.Is(0.5) ? 256 : chance.Order(256, 1 << 20);
    load.pieces = static_cast<std::int64_t>(static_cast<double>(load.bytes) / piece);
    load.extents = chance.Is(0.7) ? load.nodes : load.pieces;
    // Else a domain has every node's part once or a few times, where each of the nodes is simulated by itself.
    const bool rows = load.nodes > 8 || chance.Is(0.6);
    load.period = rows ? std::min<ByteCount>(load.bytes, load.ranks * ByteCount{256}) : domain / chance.PowerOfTwo(1, 3);
    return load;
}

} // namespace

Condition ConditionOf(std::uint64_t number) {
    Chance chance(number);
    Condition condition;
    condition.rates = RatesAt(chance);
    condition.load = LoadAt(chance, static_cast<ByteCount>(chance.Order(4, 48) * kMiB));
    condition.unsteady = chance.Is(0.5) ? 0 : chance.Between(0, 0.5);

    OpenSettings &open = condition.open;
    open.algorithms = {OVERLAP_ALGORITHM_WRITE_COMM,   OVERLAP_ALGORITHM_DATAFLOW, OVERLAP_ALGORITHM_COMM,
                       OVERLAP_ALGORITHM_WRITE_COMM_2, OVERLAP_ALGORITHM_WRITE,    OVERLAP_ALGORITHM_NONE};
    open.shuffles = {OVERLAP_SHUFFLE_TWO_SIDED, OVERLAP_SHUFFLE_PUT_FENCE, OVERLAP_SHUFFLE_PUT_LOCK};
    open.writers = {OVERLAP_WRITER_THREAD, OVERLAP_WRITER_LIBAIO};
    open.slots = {4, 2, 8};
    open.sub_buffers = {2 * kMiB, 8 * kMiB};
    open.aggregators = {condition.load.nodes};
    if (condition.load.nodes > 1) {
        open.aggregators.push_back(condition.load.nodes / 2);
    }
    if (condition.load.ranks >= 2 * condition.load.nodes) {
        open.aggregators.push_back(2 * condition.load.nodes);
    }
    open.collective_buffer = 32 * kMiB;
    return condition;
}

} // namespace overlap::test
