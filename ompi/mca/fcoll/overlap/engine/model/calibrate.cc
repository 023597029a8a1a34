#include "calibrate.h"

#include "model.h"
#include "stages.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>

namespace overlap {
namespace {

// No guess is further from the truth.
constexpr double kMostFactor = 4096;

// What shuffles or writes take at most to be hidden behind the others.
constexpr double kHides = 1.25;

// Of the time of a write.
constexpr double kMostLatency = 0.95;

// With less from other nodes a shuffle says nothing of the network between them.
constexpr double kRemote = 0.05;

// A model that errs by more than this has not seen what was going on.
constexpr double kMostExcess = 4;

// Nor is anything faster or slower, in seconds, whatever a clock says.
constexpr double kLeast = 1e-14;
constexpr double kMost = 1e3;

void Multiply(Rate &rate, double factor) noexcept {
    rate = Rate{rate.value > 0 ? std::clamp(rate.value * factor, kLeast, kMost) : 0, true};
}

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
        Multiply(*rate, factor);
        rate->measured = measured;
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

// What else the processor does in a shuffle was right as far as this one can tell.
void TakeForMeasured(Rates &rates) noexcept {
    for (Rate *rate : {&rates.within.latency, &rates.within.byte, &rates.message, &rates.copy, &rates.piece}) {
        rate->measured = true;
    }
}

void CalibrateShuffle(const CycleLoad &cycle, const Candidate &used, double seconds, bool network, Rates &rates) noexcept {
    if (!network) {
        const double factor = FactorThatTakes(seconds, kMostFactor, cycle, rates, used, MultiplyMemory);
        MultiplyMemory(rates, Weighed(factor, rates.copy.measured));
        return;
    }
    Rates without = rates;
    without.between = LinkRates();
    if (ShuffleCycle(cycle, without, used) < seconds) {
        const double factor = FactorThatTakes(seconds, kMostFactor, cycle, rates, used, MultiplyNetwork);
        MultiplyNetwork(rates, Weighed(factor, rates.between.byte.measured));
        TakeForMeasured(rates);
        return;
    }
    // Even without a network it would take longer, so that the call says nothing of it.
    MultiplyMemory(rates, Weighed(FactorThatTakes(seconds, 1, cycle, without, used, MultiplyMemory), rates.copy.measured));
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

// What a write takes stays the same.
void TakeLatency(const CycleLoad &cycle, const Candidate &used, double busy, double latency, Rates &rates) noexcept {
    WriterRates &writer = rates.Of(used.writer);
    const double whole = WriteCycle(cycle, rates, used, busy);
    writer.latency.value = 0;
    const double rest = WriteCycle(cycle, rates, used, busy);
    writer.latency.value = std::clamp(latency, kLeast, kMostLatency * whole);
    for (Rate *rate : {&writer.extent, &writer.byte, &rates.byte_together}) {
        Multiply(*rate, (whole - writer.latency.value) / std::max(kLeast, rest));
    }
}

// Steps are waited for where the schedule comes to them: what of two kinds takes less may be found done behind the other,
// and its time is then no more than a bound. Only none, and dataflow, which asks again and again, are precise.
bool MayHide(const Candidate &used, double less, double more) noexcept {
    const bool precise = used.algorithm == OVERLAP_ALGORITHM_NONE || used.algorithm == OVERLAP_ALGORITHM_DATAFLOW;
    return !precise && less <= kHides * more;
}

} // namespace

void Calibrate(const Load &load, const Candidate &used, const Took &took, Rates &rates, Shown &shown) noexcept {
    const CycleLoad cycle = CycleOf(load, used);
    if (cycle.cycles == 0 || took.call <= 0) {
        return;
    }
    const double shuffle = ShuffleCycle(cycle, rates, used);
    const bool shuffle_bound = MayHide(used, took.shuffle_cycle, took.write_cycle) && shuffle <= took.shuffle_cycle;
    if (took.shuffles_count && took.shuffle_cycle > 0 && !shuffle_bound) {
        CalibrateShuffle(cycle, used, took.shuffle_cycle, load.remote > kRemote, rates);
    }
    const double busy = std::min(1.0, took.write / took.call);
    const double write = WriteCycle(cycle, rates, used, busy);
    const bool write_bound = MayHide(used, took.write_cycle, took.shuffle_cycle) && write <= took.write_cycle;
    if (took.write_cycle > 0 && write > 0 && !write_bound) {
        CalibrateWriter(used.writer, took.write_cycle / write, rates);
        Show(cycle, used.writer, took, shown);
        if (shown.tells_latency != 0) {
            TakeLatency(cycle, used, busy, shown.latency, rates);
        }
    }
    if (!took.shuffles_count) {
        return;
    }
    const double predicted = Predict(load, rates, used).seconds;
    Rate &excess = rates.excess[static_cast<std::size_t>(used.algorithm)];
    const double now = std::clamp(took.call / std::max(kLeast, predicted), 1 / kMostExcess, kMostExcess);
    excess = Rate{excess.measured ? std::sqrt(excess.value * now) : now, true};
}

} // namespace overlap
