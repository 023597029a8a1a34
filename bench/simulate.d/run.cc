// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "run.h"

#include "parameters.h"

#include "entry.h"
#include "placement/topology/lines.h"

#include <chrono>
#include <sstream>
#include <stdexcept>
#include <sys/mman.h>
#include <utility>

namespace simulate {
namespace {

std::vector<std::string> HostsOf(const Options &options, int nodes) {
    std::vector<std::string> hosts;
    if (!options.hosts.empty()) {
        hosts = overlap::ExpandHostList(options.hosts);
    }
    for (int node = 0; options.hosts.empty() && node < nodes; ++node) {
        hosts.push_back("node" + std::to_string(node));
    }
    if (hosts.size() < static_cast<std::size_t>(nodes)) {
        throw std::invalid_argument("--hosts names fewer nodes than the job has, " + std::to_string(nodes));
    }
    hosts.resize(static_cast<std::size_t>(nodes));
    return hosts;
}

bench::NetworkSource SourceOf(const Options &options) {
    const std::string topology = options.settings.topology;
    return bench::ReadNetworkSource(topology.empty() ? "flat" : topology);
}

std::unique_ptr<bench::WiredNetwork> TopologyOf(const Options &options, const bench::NetworkSource &source,
                                                const std::vector<std::string> &hosts) {
    overlap::NetworkRequest request;
    request.hosts = hosts;
    request.bandwidths = overlap::ParseBandwidths(options.settings.topology_bandwidths);
    return bench::MakeWiredNetwork(source, request);
}

// Gives the engine a network that it does not read as a matrix: the result. Its name is for messages.
std::string TranslateForEngine(const bench::WiredNetwork &network, Options &options) {
    std::ostringstream matrix;
    bench::WriteMatrix(matrix, network, false);
    Set(options.settings, "topology=matrix:" + network.Describe());
    Set(options.settings, "topology_bandwidths=" + bench::BandwidthsOf(network));
    return matrix.str();
}

// The memory that all ranks write from, which nobody may touch.
class UntouchedMemory {
  public:
    explicit UntouchedMemory(std::size_t bytes)
        : bytes_(bytes), start_(mmap(nullptr, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)) {
        if (start_ == MAP_FAILED) {
            throw std::bad_alloc();
        }
    }
    ~UntouchedMemory() { munmap(start_, bytes_); }
    UntouchedMemory(const UntouchedMemory &) = delete;
    UntouchedMemory &operator=(const UntouchedMemory &) = delete;

    std::int64_t address() const { return static_cast<std::int64_t>(reinterpret_cast<std::intptr_t>(start_)); }

  private:
    const std::size_t bytes_;
    void *const start_;
};

constexpr std::size_t kMostOfARank = std::size_t{1} << 40;

// What one rank's fiber does.
class RankRun {
  public:
    RankRun(const Options &options, World &world, const UntouchedMemory &memory, Rank &rank, Result &result)
        : options_(options), memory_(memory), rank_(rank), result_(result), ports_(world, rank) {}

    void Run() {
        EnterEngine(rank_.meter);
        overlap_file *const file = overlap_file_open(&ports_.transport, &ports_.storage, &ports_.host, &options_.settings);
        LeaveEngine();
        if (file == nullptr) {
            throw std::runtime_error("a file cannot be opened");
        }
        End(Phase::kOpen);
        for (int call = 0; call < options_.calls; ++call) {
            Write(file, call);
            End(call == 0 ? Phase::kFirst : Phase::kRepeated);
        }
        EnterEngine(rank_.meter);
        overlap_file_close(file, 1);
        LeaveEngine();
        End(Phase::kClose);
    }

  private:
    void Write(overlap_file *file, int call) {
        const int ranks = rank_.job->shape().ranks;
        const Bytes behind = call * options_.pattern->extent(ranks);
        std::vector<iovec> blocks;
        std::size_t bytes = 0;
        options_.pattern->ForEach(rank_.number, ranks, [&](Bytes offset, Bytes length) {
            blocks.push_back(iovec{reinterpret_cast<void *>(offset), static_cast<std::size_t>(length)});
            bytes += static_cast<std::size_t>(length);
        });
        const iovec in_memory{nullptr, bytes};
        const auto size = static_cast<std::int64_t>(bytes);
        overlap_access access{};
        access.bytes = bytes;
        access.file = overlap_layout{blocks.data(), blocks.size(), options_.pattern->extent(ranks), behind, 0};
        access.memory = overlap_layout{&in_memory, 1, size, memory_.address(), 0};
        std::size_t done = 0;
        EnterEngine(rank_.meter);
        const int error = overlap_file_write_all(file, &access, &done);
        LeaveEngine();
        if (error != OVERLAP_SUCCESS || done != bytes) {
            throw std::runtime_error("a write fails with the error " + std::to_string(error));
        }
    }

    void End(Phase phase) {
        Part &part = result_.parts[static_cast<std::size_t>(phase)][static_cast<std::size_t>(rank_.number)];
        part.tally = std::exchange(rank_.tally, Tally());
        part.processor = std::exchange(rank_.meter.seconds, 0);
        part.memory = std::exchange(rank_.meter.memory.most, rank_.meter.memory.bytes);
        part.buffers = std::exchange(rank_.meter.sub_buffers.most, rank_.meter.sub_buffers.bytes);
        rank_.time = std::max(rank_.time, rank_.job->clock().now());
        part.end = rank_.time;
        if (part.tally.transfers > 0) {
            result_.aggregates[static_cast<std::size_t>(rank_.number)] = 1;
        }
    }

    const Options &options_;
    const UntouchedMemory &memory_;
    Rank &rank_;
    Result &result_;
    PortsOfRank ports_;
};

double LastEnd(const std::vector<Part> &parts) {
    double last = 0;
    for (const Part &part : parts) {
        last = std::max(last, part.end);
    }
    return last;
}

} // namespace

Result Simulate(const Options &wanted, int ranks) {
    Options options = wanted;
    const auto start = std::chrono::steady_clock::now();
    const JobShape shape{ranks, std::min(ranks, options.ranks_per_node)};
    options.pattern->Prepare(ranks);
    const std::vector<std::string> hosts = HostsOf(options, shape.nodes());
    const bench::NetworkSource source = SourceOf(options);
    const std::unique_ptr<bench::WiredNetwork> topology = TopologyOf(options, source, hosts);
    Job job(shape, options.machine);
    // Between nodes of a flat network there is nothing but their NICs.
    World world(job, source.kind == "flat" ? nullptr : topology.get(), options.facts, hosts);
    if (!source.EngineReads()) {
        world.matrix = TranslateForEngine(*topology, options);
    }
    const UntouchedMemory memory(kMostOfARank);
    Result result;
    result.ranks = ranks;
    result.nodes = shape.nodes();
    result.aggregates.resize(static_cast<std::size_t>(ranks));
    for (std::vector<Part> &parts : result.parts) {
        parts.resize(static_cast<std::size_t>(ranks));
    }
    job.Run([&](Rank &rank) { RankRun(options, world, memory, rank, result).Run(); });
    if (world.messages.Unmet() > 0) {
        throw std::runtime_error("messages were sent that nobody took");
    }
    result.seconds[0] = LastEnd(result.parts[0]);
    result.seconds[1] = LastEnd(result.parts[1]) - LastEnd(result.parts[0]);
    result.seconds[2] = (LastEnd(result.parts[2]) - LastEnd(result.parts[1])) / (options.calls - 1);
    result.seconds[3] = LastEnd(result.parts[3]) - LastEnd(result.parts[2]);
    result.busiest_nic = world.network.BusiestNic();
    result.busiest_target = world.storage.BusiestTarget();
    result.events = job.clock().events();
    result.warnings = world.warnings;
    result.wall = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return result;
}

} // namespace simulate
