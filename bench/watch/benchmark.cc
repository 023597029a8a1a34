// What the clock of a file costs: a turn of the thread from one activity to another, with the counters, and with a
// recorder.
//   watch-benchmark [option of Google Benchmark...]
#include "base/settings.h"
#include "observe/recorder.h"
#include "observe/watch.h"

#include <benchmark/benchmark.h>

#include <ctime>

namespace overlap {
namespace {

// As the component's glue has it.
double Seconds(void * /*self*/) {
    timespec now = {};
    clock_gettime(CLOCK_MONOTONIC, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

void Turns(benchmark::State &state, Recorder *recorder) {
    overlap_host host = {};
    host.seconds = Seconds;
    Watch watch(host);
    watch.RecordTo(recorder);
    watch.Begin(OVERLAP_WRITE);
    for (auto _ : state) {
        watch.TurnTo(Activity::kShuffle, 1, 1);
        watch.TurnTo(Activity::kFile, 1, 1);
    }
    watch.End();
    benchmark::DoNotOptimize(watch.counters(OVERLAP_WRITE));
    using benchmark::Counter;
    state.counters["turn"] = Counter(2, Counter::kIsIterationInvariantRate | Counter::kInvert);
}

void Counters(benchmark::State &state) { Turns(state, nullptr); }
BENCHMARK(Counters);

void Recorded(benchmark::State &state) {
    Recorder recorder(0, OVERLAP_TRACE_BYTES_DEFAULT);
    Turns(state, &recorder);
}
BENCHMARK(Recorded);

} // namespace
} // namespace overlap

BENCHMARK_MAIN();
