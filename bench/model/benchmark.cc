// What a prediction costs, in CPU time for each candidate: 32 ranks on 8 nodes write tiles of 256 bytes.
//   model-benchmark [option of Google Benchmark...]
#include "guess.h"
#include "model.h"

#include <benchmark/benchmark.h>

#include <algorithm>

namespace overlap {
namespace {

constexpr ByteCount kMiB = ByteCount{1} << 20;

Load Tiles() {
    Load load;
    load.bytes = 256 * kMiB;
    load.pieces = load.bytes / 256;
    load.extents = 8;
    load.ranks = 32;
    load.nodes = 8;
    load.period = ByteCount{32} * 256;
    load.remote = 0.875;
    return load;
}

std::vector<Candidate> All() {
    OpenSettings open;
    open.algorithms = {OVERLAP_ALGORITHM_WRITE_COMM,   OVERLAP_ALGORITHM_DATAFLOW, OVERLAP_ALGORITHM_COMM,
                       OVERLAP_ALGORITHM_WRITE_COMM_2, OVERLAP_ALGORITHM_WRITE,    OVERLAP_ALGORITHM_NONE};
    open.shuffles = {OVERLAP_SHUFFLE_TWO_SIDED, OVERLAP_SHUFFLE_PUT_FENCE, OVERLAP_SHUFFLE_PUT_LOCK};
    open.writers = {OVERLAP_WRITER_THREAD, OVERLAP_WRITER_LIBAIO};
    open.slots = {4, 2, 8};
    open.sub_buffers = {2 * kMiB, 8 * kMiB};
    open.aggregators = {8, 4, 16};
    open.collective_buffer = 32 * kMiB;
    return CandidatesOf(open);
}

// The first so many candidates of all.
void Choose(benchmark::State &state) {
    const Load load = Tiles();
    const Rates rates = GuessedRates(load.nodes, "lustre", 1e9, 2e-5);
    std::vector<Candidate> candidates = All();
    candidates.resize(std::min(candidates.size(), static_cast<std::size_t>(state.range(0))));
    std::vector<double> seconds;
    for (auto _ : state) {
        seconds.clear();
        for (const Candidate &candidate : candidates) {
            seconds.push_back(Predict(load, rates, candidate).seconds);
        }
        benchmark::DoNotOptimize(BestOf(seconds, 0, 0.9));
    }
    using benchmark::Counter;
    state.counters["candidate"] =
        Counter(static_cast<double>(candidates.size()), Counter::kIsIterationInvariantRate | Counter::kInvert);
}
BENCHMARK(Choose)->Arg(1)->Arg(60)->Arg(500);

} // namespace
} // namespace overlap

BENCHMARK_MAIN();
