// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// What making a plan costs where lists are irregular, in CPU time for each piece of a list, step by step: what one rank does
// with its access, and what one aggregator does with the shares of its clients. 8 ranks write, and each aggregates one of 8
// domains, so that a rank has about as many pieces in its access as there are in its domain. No messages are sent. That a
// step frees what it made is counted.
//   plan-benchmark [--fresh-memory] [option of Google Benchmark...]
// The process keeps the memory that a step frees for its next iteration, so that those measured meet no page faults. With
// --fresh-memory each large list is on new pages, as most are in the first plan of a job.
#include "access/access.h"
#include "plan/plan.h"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstring>
#include <malloc.h>
#include <memory>
#include <random>
#include <string>

namespace overlap {
namespace {

constexpr Rank kRanks = 8;
constexpr int kDomains = 8;
constexpr Rank kRank = 3;          // whose access is planned
constexpr std::size_t kDomain = 4; // whose aggregator plans
constexpr ByteCount kElement = 8;
constexpr unsigned kLongest = 8; // elements of a run, and of a hole
constexpr ByteCount kAlignment = 4096;
constexpr ByteCount kSubBuffer = ByteCount{16} << 20;

/// kDealt: each element belongs to a random rank, and neighbours of one rank are one piece; nothing is left out. kHoles:
/// runs of 1 to 8 elements belong to a random rank, with holes of 1 to 8 elements between them.
enum class Kind { kDealt, kHoles };

/// Bytes of a file in which each rank has about `pieces` pieces.
FileOffset EndOf(Kind kind, std::int64_t pieces) {
    const std::int64_t all = pieces * kRanks;
    return kind == Kind::kDealt ? all * kRanks / (kRanks - 1) * kElement : all * (1 + kLongest) * kElement;
}

/// Calls visit(rank, offset, length) for the pieces of all ranks, ascending.
template <typename Visit> void ForEachPiece(Kind kind, FileOffset end, Visit visit) {
    std::mt19937 random(12);
    const auto rank = [&random] { return static_cast<Rank>(random() % kRanks); };
    const auto length = [&random] { return (1 + random() % kLongest) * kElement; };
    FileOffset begin = 0;
    if (kind == Kind::kHoles) {
        for (ByteCount bytes = length(); begin + bytes <= end; bytes = length()) {
            visit(rank(), begin, bytes);
            begin += bytes + length();
        }
        return;
    }
    Rank owner = rank();
    for (FileOffset offset = kElement; offset < end; offset += kElement) {
        if (const Rank next = rank(); next != owner) {
            visit(owner, begin, offset - begin);
            owner = next;
            begin = offset;
        }
    }
    visit(owner, begin, end - begin);
}

std::vector<UnsizedMessage> Describe(const std::vector<Share> &shares) {
    std::vector<UnsizedMessage> messages(shares.size());
    for (std::size_t i = 0; i < shares.size(); ++i) {
        messages[i].Add(shares[i].file);
    }
    return messages;
}

std::vector<Client> Read(const std::vector<UnsizedMessage> &messages) {
    std::vector<Client> clients;
    for (const UnsizedMessage &message : messages) {
        clients.push_back(Client{static_cast<Rank>(clients.size()), StridedList::Read(message.words())});
    }
    return clients;
}

std::vector<const StridedList *> FilesOf(const std::vector<Client> &clients) {
    std::vector<const StridedList *> files;
    for (const Client &client : clients) {
        files.push_back(&client.file);
    }
    return files;
}

/// What each step starts from.
struct Job {
    Job(Kind kind, std::int64_t pieces) : end(EndOf(kind, pieces)) {
        EvenDomains(0, end, kDomains, kAlignment, 1, domains);
        for (Rank rank = 0; rank < kRanks; ++rank) {
            owned.clients.push_back(Client{rank, {}});
        }
        const Domain &domain = domains[kDomain];
        ForEachPiece(kind, end, [&](Rank rank, FileOffset offset, ByteCount length) {
            if (rank == kRank) {
                blocks.push_back(iovec{reinterpret_cast<void *>(offset), static_cast<std::size_t>(length)});
                in_memory.iov_len += static_cast<std::size_t>(length);
            }
            const FileOffset from = std::max(offset, domain.begin);
            const FileOffset to = std::min(offset + length, domain.end);
            if (from < to) {
                owned.clients[static_cast<std::size_t>(rank)].file.Append(Run{from, to - from, 0, 1});
                ++pieces_in_domain;
            }
        });
        access = BuildAccess(Layouts());
        shares = CutByDomains(access.file, domains);
        for (const Client &client : owned.clients) {
            messages.emplace_back().Add(client.file);
        }
        CoverDomain(domain, kSubBuffer, kAlignment, owned);
    }

    /// The rank's bytes lie one behind the other in memory.
    overlap_access Layouts() const {
        const auto bytes = static_cast<std::int64_t>(in_memory.iov_len);
        return {in_memory.iov_len, {blocks.data(), blocks.size(), end, 0, 0}, {&in_memory, 1, bytes, kAlignment, 0}, 0, 0};
    }

    FileOffset end; // of the file
    std::vector<Domain> domains;
    // The rank's.
    std::vector<iovec> blocks;
    iovec in_memory{};
    Access access;
    std::vector<Share> shares;
    // The aggregator's.
    std::int64_t pieces_in_domain = 0;
    std::vector<UnsizedMessage> messages; // of its clients
    OwnedDomain owned;
};

void MakeAccess(const Job &job) { benchmark::DoNotOptimize(BuildAccess(job.Layouts())); }

void MakeOwnShares(const Job &job) { benchmark::DoNotOptimize(CutByDomains(job.access.file, job.domains)); }

void DescribeShares(const Job &job) { benchmark::DoNotOptimize(Describe(job.shares)); }

void ReadShares(const Job &job) { benchmark::DoNotOptimize(Read(job.messages)); }

void CoverClients(const Job &job) { benchmark::DoNotOptimize(Cover(FilesOf(job.owned.clients))); }

void CutIntoCycles(const Job &job) { benchmark::DoNotOptimize(CutsOf(job.owned.coverage.data, kSubBuffer, kAlignment)); }

// What one step makes stays until the last one has ended, as in a call.
void DoAll(const Job &job) {
    const Access access = BuildAccess(job.Layouts());
    const std::vector<Share> shares = CutByDomains(access.file, job.domains);
    benchmark::DoNotOptimize(Describe(shares));
    OwnedDomain owned;
    owned.clients = Read(job.messages);
    CoverDomain(job.domains[kDomain], kSubBuffer, kAlignment, owned);
    benchmark::DoNotOptimize(owned);
}

struct Step {
    const char *name;
    void (*run)(const Job &job);
    bool of_aggregator; // its pieces are those of the domain, else those of the rank's access
};

constexpr Step kSteps[] = {
    {"access", MakeAccess, false}, {"shares", MakeOwnShares, false}, {"describe", DescribeShares, false},
    {"read", ReadShares, true},    {"coverage", CoverClients, true}, {"cuts", CutIntoCycles, true},
    {"all", DoAll, false},
};

// Jobs take longer to make than their steps, and a machine has no memory for all at once: one is kept, and all of its steps
// are measured before the next one's.
const Job &JobOf(Kind kind, std::int64_t pieces) {
    static std::unique_ptr<const Job> job;
    static Kind its_kind;
    static std::int64_t its_pieces;
    if (job == nullptr || its_kind != kind || its_pieces != pieces) {
        job.reset();
        job = std::make_unique<const Job>(kind, pieces);
        its_kind = kind;
        its_pieces = pieces;
    }
    return *job;
}

void Measure(benchmark::State &state, const Step &step, Kind kind, std::int64_t pieces) {
    const Job &job = JobOf(kind, pieces);
    step.run(job); // where memory is kept it is that of one iteration, and of long steps there is only one
    for (auto _ : state) {
        step.run(job);
    }
    const auto of_step =
        static_cast<double>(step.of_aggregator ? job.pieces_in_domain : static_cast<std::int64_t>(job.blocks.size()));
    using benchmark::Counter;
    state.counters["pieces"] = of_step;
    state.counters["piece"] = Counter(of_step, Counter::kIsIterationInvariantRate | Counter::kInvert);
}

void RegisterAll() {
    for (const Kind kind : {Kind::kDealt, Kind::kHoles}) {
        for (const std::int64_t pieces : {10'000, 100'000, 1'000'000, 10'000'000}) {
            for (const Step &step : kSteps) {
                const std::string name =
                    std::string(step.name) + (kind == Kind::kDealt ? "/dealt/" : "/holes/") + std::to_string(pieces);
                benchmark::RegisterBenchmark(name.c_str(), Measure, step, kind, pieces)->Unit(benchmark::kMillisecond);
            }
        }
    }
}

// By default malloc gives back what is large, and what it takes for that grows with what was freed before: what a step costs
// would depend on those that ran before it.
void FixMemory(bool fresh) {
    constexpr int kLarge = 128 << 10;
    if (fresh) {
        mallopt(M_MMAP_THRESHOLD, kLarge);
        mallopt(M_TRIM_THRESHOLD, kLarge);
    } else {
        mallopt(M_MMAP_MAX, 0);
        mallopt(M_TRIM_THRESHOLD, -1);
    }
}

} // namespace
} // namespace overlap

int main(int argc, char **argv) {
    benchmark::Initialize(&argc, argv);
    const bool fresh = argc > 1 && std::strcmp(argv[1], "--fresh-memory") == 0;
    if (fresh) {
        argv[1] = argv[0];
        --argc;
        ++argv;
    }
    if (benchmark::ReportUnrecognizedArguments(argc, argv)) {
        return 1;
    }
    overlap::FixMemory(fresh);
    overlap::RegisterAll();
    benchmark::RunSpecifiedBenchmarks();
    benchmark::Shutdown();
    return 0;
}
