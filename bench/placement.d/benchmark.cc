// What a placement costs: time of the strategies that look at the communication matrix, peak of the memory that they ask
// for, and how both grow with the ranks. 16 ranks a node, a domain for each two nodes, racks of 32 nodes below one switch.
#include "placement/assignment.h"
#include "placement/placement.h"

#include <benchmark/benchmark.h>

#include <cstdlib>
#include <malloc.h>
#include <new>
#include <random>

namespace {

std::size_t g_allocated = 0;
std::size_t g_peak = 0;

void *Allocate(std::size_t size) {
    void *const memory = std::malloc(size);
    if (memory == nullptr) {
        throw std::bad_alloc();
    }
    g_allocated += malloc_usable_size(memory);
    g_peak = g_allocated > g_peak ? g_allocated : g_peak;
    return memory;
}

void Release(void *memory) {
    g_allocated -= memory == nullptr ? 0 : malloc_usable_size(memory);
    std::free(memory);
}

} // namespace

// One thread.
void *operator new(std::size_t size) { return Allocate(size); }
void operator delete(void *memory) noexcept { Release(memory); }
void operator delete(void *memory, std::size_t) noexcept { Release(memory); }

namespace overlap {
namespace {

constexpr int kRanksPerNode = 16;
constexpr int kNodesPerRack = 32;
constexpr int kNodesPerDomain = 2;
constexpr ByteCount kBytes = ByteCount{1} << 20;

Network RackNetwork(int nodes) {
    NetworkRequest request;
    std::string text;
    for (int node = 0; node < nodes; ++node) {
        request.hosts.push_back("n" + std::to_string(node));
        if (node % kNodesPerRack == 0) {
            text += "SwitchName=r" + std::to_string(node / kNodesPerRack) + " Nodes=n[" + std::to_string(node) + "-" +
                    std::to_string(std::min(nodes, node + kNodesPerRack) - 1) + "]\n";
        }
    }
    text += "SwitchName=top Switches=r[0-" + std::to_string((nodes - 1) / kNodesPerRack) + "]\n";
    return MakeSlurmNetwork({"racks", text}, request);
}

// Which domains a rank has bytes in: two anywhere, which is the worst for an assignment; two that follow its place in the
// file; all of them, as where the blocks of all ranks alternate.
enum Pattern { kAnywhere = 0, kNeighbours, kAll };

CommunicationMatrix MatrixOf(int ranks, int domains, int pattern) {
    std::mt19937 random(16);
    CommunicationMatrix matrix(static_cast<std::size_t>(domains));
    for (Rank rank = 0; rank < ranks; ++rank) {
        const int first = pattern == kNeighbours ? static_cast<int>(std::int64_t{rank} * domains / ranks)
                                                 : static_cast<int>(random() % static_cast<unsigned>(domains));
        for (int i = 0; i < (pattern == kAll ? domains : 2); ++i) {
            const auto share = static_cast<ByteCount>(random() % 1024) * 1024;
            matrix[static_cast<std::size_t>((first + i) % domains)].push_back(RankBytes{rank, kBytes + share});
        }
    }
    return matrix;
}

struct Job {
    Job(int ranks, int pattern)
        : nodes(overlap_nodes{ranks / kRanksPerNode, kRanksPerNode, nullptr, nullptr, nullptr}, ranks),
          domains(ranks / kRanksPerNode / kNodesPerDomain), topology(nodes, RackNetwork(ranks / kRanksPerNode)),
          matrix(MatrixOf(ranks, domains, pattern)) {
        problem.nodes = nodes;
        problem.topology = &topology;
        problem.matrix = &matrix;
    }

    NodeMap nodes;
    int domains;
    Topology topology;
    CommunicationMatrix matrix;
    PlacementProblem problem;
};

void Place(benchmark::State &state, overlap_placement placement) {
    Job job(static_cast<int>(state.range(0)), static_cast<int>(state.range(2)));
    job.problem.limits.candidates_per_node = static_cast<int>(state.range(1));
    std::size_t peak = 0;
    for (auto _ : state) {
        const std::size_t before = g_allocated;
        g_peak = before;
        benchmark::DoNotOptimize(PlacementOf(placement).place(job.problem, job.domains));
        peak = std::max(peak, g_peak - before);
    }
    state.counters["MiB"] = static_cast<double>(peak) / (1 << 20);
    state.counters["domains"] = job.domains;
}

void Lap(benchmark::State &state) { Place(state, OVERLAP_PLACEMENT_LAP); }
void Locality(benchmark::State &state) { Place(state, OVERLAP_PLACEMENT_LOCALITY); }
void Tapioca(benchmark::State &state) { Place(state, OVERLAP_PLACEMENT_TAPIOCA); }

// The assignment alone, 512 domains and 4096 candidates: all costs equal, few different costs, all domains wanting the same
// candidates.
void AssignmentAlone(benchmark::State &state) {
    constexpr std::size_t kDomains = 512;
    constexpr std::size_t kCandidates = 4096;
    std::mt19937 random(4);
    std::vector<double> costs(kDomains * kCandidates);
    for (std::size_t i = 0; i < costs.size(); ++i) {
        const double kinds[] = {1, static_cast<double>(random() % 10), static_cast<double>(i % kCandidates)};
        costs[i] = kinds[state.range(0)];
    }
    AssignmentLimits limits;
    for (std::size_t candidate = 0; candidate < kCandidates; ++candidate) {
        limits.groups.push_back(static_cast<int>(candidate / kRanksPerNode));
    }
    limits.group_capacities.assign(kCandidates / kRanksPerNode, kRanksPerNode);
    for (auto _ : state) {
        benchmark::DoNotOptimize(Assign(costs, kDomains, limits));
    }
}

const std::vector<std::int64_t> kRanks = {1024, 4096, 16384, 65536};

void Sizes(benchmark::internal::Benchmark *benchmark) {
    benchmark->ArgNames({"ranks", "candidates", "pattern"})->ArgsProduct({kRanks, {1, 4}, {kNeighbours, kAnywhere}});
    benchmark->ArgsProduct({{16384}, {4}, {kAll}})->Unit(benchmark::kMillisecond);
}

BENCHMARK(Lap)->Apply(Sizes);
BENCHMARK(Locality)->Apply(Sizes);
BENCHMARK(Tapioca)->Apply(Sizes);
BENCHMARK(AssignmentAlone)->ArgName("kind")->DenseRange(0, 2)->Unit(benchmark::kMillisecond);

} // namespace
} // namespace overlap

BENCHMARK_MAIN();
