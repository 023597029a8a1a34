#include "calibrate.h"

#include "stages.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>

namespace overlap {
namespace {

// No guess is further from the truth.
constexpr double kMostFactor = 4096;

void Multiply(Rate &rate, double factor) noexcept { rate = Rate{rate.value * factor, true}; }

void MultiplyNetwork(Rates &rates, double factor) noexcept {
    Multiply(rates.between.latency, factor);
    Multiply(rates.between.byte, factor);
}

void MultiplyMemory(Rates &rates, double factor) noexcept {
    Multiply(rates.within.latency, factor);
    Multiply(rates.within.byte, factor);
    Multiply(rates.message, factor);
    Multiply(rates.copy, factor);
    Multiply(rates.piece, factor);
}

void MultiplyWriter(WriterRates &writer, double factor, bool measured) noexcept {
    for (Rate *rate : {&writer.start, &writer.latency, &writer.extent, &writer.byte}) {
        *rate = Rate{rate->value * factor, measured};
    }
}

// As Took::shuffle_cycle: the first shuffles, as many as there are sub-buffers, divided by their number.
double ShuffleCycle(const CycleLoad &cycle, const Rates &rates, const Candidate &used) noexcept {
    const Stages stages = StagesOf(cycle, rates, used);
    const double bytes = cycle.domain / static_cast<double>(cycle.cycles);
    const double first = InTurn({stages.prepare, stages.travel_first, stages.take}).At(bytes);
    const double next = std::max(stages.travel_mean.At(bytes), InTurn({stages.prepare, stages.take}).At(bytes));
    const double shuffles = static_cast<double>(std::min<Cycle>(cycle.cycles, used.slots));
    return (first + (shuffles - 1) * next) / shuffles;
}

// As Took::write_cycle. The writes of other aggregators are in the way of this one's as often as there are any.
double WriteCycle(const CycleLoad &cycle, const Rates &rates, const Candidate &used, double busy) noexcept {
    const Stages stages = StagesOf(cycle, rates, used);
    const double bytes = cycle.domain / static_cast<double>(cycle.cycles);
    const double alone = stages.write_alone.At(bytes);
    const double write = alone + busy * (stages.write.At(bytes) - alone);
    if (!stages.side_by_side) {
        return write;
    }
    const double under_way = static_cast<double>(std::min<Cycle>(cycle.cycles, used.slots));
    return std::max({stages.write_stream.At(bytes), busy * stages.write_together.At(bytes), write / under_way});
}

// The factor by which `multiply` makes the shuffle take `seconds`, or the nearest to it up to `most`: more of it is never
// less time. Square roots are the same on every processor, powers are not.
template <typename Multiplication>
double FactorThatTakes(double seconds, double most, const CycleLoad &cycle, const Rates &rates, const Candidate &used,
                       const Multiplication &multiply) noexcept {
    double low = 1 / kMostFactor;
    double high = most;
    for (int i = 0; i < 24; ++i) {
        const double middle = std::sqrt(low * high);
        Rates changed = rates;
        multiply(changed, middle);
        (ShuffleCycle(cycle, changed, used) < seconds ? low : high) = middle;
    }
    return high;
}

double Weighed(double factor, bool measured) noexcept { return measured ? std::sqrt(factor) : factor; }

void CalibrateShuffle(const CycleLoad &cycle, const Candidate &used, double seconds, bool network, Rates &rates) noexcept {
    double most = kMostFactor;
    if (network) {
        const double factor = FactorThatTakes(seconds, most, cycle, rates, used, MultiplyNetwork);
        MultiplyNetwork(rates, Weighed(factor, rates.between.byte.measured));
        if (factor > 2 / kMostFactor) {
            return;
        }
        most = 1;
    }
    const double factor = FactorThatTakes(seconds, most, cycle, rates, used, MultiplyMemory);
    MultiplyMemory(rates, Weighed(factor, rates.copy.measured));
}

void CalibrateWriter(overlap_writer used, double factor, Rates &rates) noexcept {
    const double own = Weighed(factor, rates.Of(used).byte.measured);
    for (WriterRates &writer : rates.writers) {
        const bool is_used = &writer == &rates.Of(used);
        if (is_used || !writer.byte.measured) {
            MultiplyWriter(writer, own, is_used);
        }
    }
    Multiply(rates.byte_together, own);
}

} // namespace

void Calibrate(const Load &load, const Candidate &used, const Took &took, Rates &rates) noexcept {
    const CycleLoad cycle = CycleOf(load, used);
    if (cycle.cycles == 0) {
        return;
    }
    if (took.shuffle_cycle > 0) {
        CalibrateShuffle(cycle, used, took.shuffle_cycle, load.nodes > 1, rates);
    }
    const double write = took.call > 0 ? WriteCycle(cycle, rates, used, std::min(1.0, took.write / took.call)) : 0;
    if (took.write_cycle > 0 && write > 0) {
        CalibrateWriter(used.writer, took.write_cycle / write, rates);
    }
}

} // namespace overlap
