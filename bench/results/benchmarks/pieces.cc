// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// A message whose bytes belong to many places: whether to hand the places to MPI as a datatype, which is what the transport
// does with a list of pieces, or to copy once more, between one piece of memory and the places. Shows from how many pieces
// of which length on the copy takes less, which FindPieces decides. One process, no messages are sent: MPI_Pack and
// MPI_Unpack do what a send and a receive do with a datatype.
//   pieces-benchmark [option of Google Benchmark...]
// Names are WAY/LIST/LENGTH/PIECES; `runs` is what the list has of those, as equal pieces that follow each other are one.
#include "access/cursor.h"
#include "plan/plan.h"
#include "shuffle/copy.h"

#include <benchmark/benchmark.h>
#include <mpi.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <random>
#include <set>
#include <string>
#include <tuple>

// What glue/transport/messages.c makes its datatypes with. MPI's own calls would keep a copy of their arguments as well.
// Headers of these are not installed; an ompi_datatype_t begins with its opal_datatype_t.
extern "C" {
ompi_datatype_t *ompi_datatype_create(std::int32_t entries);
std::int32_t opal_datatype_add(ompi_datatype_t *to, const ompi_datatype_t *added, std::size_t count, std::ptrdiff_t at,
                               std::ptrdiff_t extent);
}

namespace overlap {
namespace {

constexpr ByteCount kSubBuffer = ByteCount{4} << 20;
constexpr ByteCount kMessages[] = {ByteCount{64} << 10, ByteCount{1} << 20};
constexpr std::int64_t kFew[] = {4, 16, 64, 256}; // pieces
constexpr ByteCount kLengths[] = {1, 2, 4, 8, 16, 32, 64, 256, 512, 1024, 2048, 4096, 16384};

/// Pieces spread over a sub-buffer, at irregular distances but in kRegular, and of one length but in kMixed. kWhole: two and
/// two are a run, in data without gaps. kGaps: the same, and the data has gaps. kMixed: of half the length, the length and
/// one and a half times it, so that each is a run, in data without gaps. kRegular: all are one run, in data without gaps.
enum class Kind { kWhole, kGaps, kMixed, kRegular };

struct NamedKind {
    Kind kind;
    const char *name;
};

constexpr NamedKind kKinds[] = {
    {Kind::kWhole, "whole"}, {Kind::kGaps, "gaps"}, {Kind::kMixed, "mixed"}, {Kind::kRegular, "regular"}};

// What is appended piece by piece: pieces that touch become one run only before they are appended.
class Stretches {
  public:
    explicit Stretches(StridedList &list) : list_(list) {}
    void Add(FileOffset end) { end_ = end; }
    void GoTo(FileOffset begin) {
        list_.Append(Run{begin_, end_ - begin_, 0, 1});
        begin_ = begin;
        end_ = begin;
    }

  private:
    StridedList &list_;
    FileOffset begin_ = 0;
    FileOffset end_ = 0;
};

/// The bytes of one rank in a cycle, on either side.
struct Job {
    Job(Kind kind, ByteCount length, std::int64_t pieces) {
        std::mt19937 random(12);
        const auto between = [&random](std::int64_t least, std::int64_t most) {
            return std::uniform_int_distribution<std::int64_t>(least, most)(random);
        };
        const ByteCount unit = std::min<ByteCount>(length, 8); // elements are aligned
        const std::int64_t units = std::max<std::int64_t>(kSubBuffer / pieces - length, unit) / unit;
        Stretches stretches(data);
        FileOffset offset = 0;
        ByteCount piece_length = length;
        for (std::int64_t piece = 0; piece < pieces; ++piece) {
            if (kind == Kind::kGaps && between(0, 1) == 1) {
                offset += between(1, 8) * length;
                stretches.GoTo(offset);
            }
            if (kind == Kind::kMixed) {
                // One of the two that the last one was not.
                const ByteCount half = length / 2;
                piece_length = ((piece_length / half + between(0, 1)) % 3 + 1) * half;
            }
            share.file.Append(Run{offset, piece_length, 0, 1});
            offset += piece_length;
            offset += (kind == Kind::kRegular ? units : between(1, 2 * units - 1)) * unit; // of other ranks
            stretches.Add(offset);
        }
        stretches.GoTo(offset);
        share.stream.Append(Run{0, share.file.bytes(), 0, 1});

        std::vector<char> message(static_cast<std::size_t>(bytes()));
        std::generate(message.begin(), message.end(), [&random] { return static_cast<char>(random()); });
        for (Sides &sides : slots) {
            sides.message = message;
            sides.staging.resize(message.size());
            sides.packed.resize(message.size());
            sides.sent.resize(message.size());
            sides.buffer.resize(static_cast<std::size_t>(data.bytes()));
            // Of a sender, whose memory has no gaps: the same places in the sub-buffer.
            const auto append = [&sides](const Run &run) { sides.memory.Append(run); };
            ForEachPosition(share.file, {0, bytes()}, data, append);
            sides.memory.MoveBy(static_cast<std::int64_t>(reinterpret_cast<std::intptr_t>(sides.buffer.data())));
        }
    }

    ByteCount bytes() const { return share.file.bytes(); }

    struct Sides {
        StridedList memory;        // of a sender
        std::vector<char> message; // as it comes
        std::vector<char> staging;
        std::vector<char> buffer; // what the pieces lie in
        std::vector<char> packed;
        std::vector<char> sent; // as it leaves
    };

    InMemory InMemoryOf(Sides &sides) const { return InMemory{share.stream, sides.memory}; }
    InBuffer InBufferOf(Sides &sides) const { return InBuffer{share.file, data, 0, sides.buffer.data()}; }

    Share share;
    StridedList data; // of a sub-buffer
    Pieces list;
    // In turn, as many as there are by default: what a cycle touches has left the smaller caches since.
    Sides slots[4];
};

/// As mca_fcoll_overlap_type_of_pieces.
class Type {
  public:
    explicit Type(const Pieces &pieces) : type_(ompi_datatype_create(static_cast<std::int32_t>(2 + 4 * pieces.size()))) {
        for (const overlap_piece &piece : pieces) {
            const std::ptrdiff_t at = reinterpret_cast<std::intptr_t>(piece.address);
            if (piece.count == 1) {
                opal_datatype_add(type_, MPI_BYTE, piece.length, at, 1);
                continue;
            }
            MPI_Datatype block = ompi_datatype_create(4);
            opal_datatype_add(block, MPI_BYTE, piece.length, 0, 1);
            opal_datatype_add(type_, block, piece.count, at, piece.stride);
            MPI_Type_free(&block);
        }
        MPI_Type_commit(&type_);
    }
    ~Type() { MPI_Type_free(&type_); }
    Type(const Type &) = delete;
    Type &operator=(const Type &) = delete;

    MPI_Datatype get() const { return type_; }

  private:
    MPI_Datatype type_;
};

void ReceiveList(Job &job, Job::Sides &sides) {
    ListPieces(job.InBufferOf(sides), {0, job.bytes()}, job.list);
    const Type type(job.list);
    int position = 0;
    MPI_Unpack(sides.message.data(), static_cast<int>(job.bytes()), &position, MPI_BOTTOM, 1, type.get(), MPI_COMM_SELF);
}

// A transport copies as well where it receives into one place.
void ReceiveAndScatter(Job &job, Job::Sides &sides) {
    std::memcpy(sides.staging.data(), sides.message.data(), sides.message.size());
    benchmark::ClobberMemory();
    Scatter(sides.staging.data(), job.InBufferOf(sides), {0, job.bytes()});
}

void SendList(Job &job, Job::Sides &sides) {
    ListPieces(job.InMemoryOf(sides), {0, job.bytes()}, job.list);
    const Type type(job.list);
    int position = 0;
    MPI_Pack(MPI_BOTTOM, 1, type.get(), sides.sent.data(), static_cast<int>(job.bytes()), &position, MPI_COMM_SELF);
}

void SendPacked(Job::Sides &sides) {
    benchmark::ClobberMemory();
    std::memcpy(sides.sent.data(), sides.packed.data(), sides.packed.size());
}

// Lists the pieces first, as a decision for each message would need.
void PackAndSend(Job &job, Job::Sides &sides) {
    ListPieces(job.InMemoryOf(sides), {0, job.bytes()}, job.list);
    Gather(job.InMemoryOf(sides), {0, job.bytes()}, sides.packed.data());
    SendPacked(sides);
}

void GatherAndSend(Job &job, Job::Sides &sides) {
    Gather(job.InMemoryOf(sides), {0, job.bytes()}, sides.packed.data());
    SendPacked(sides);
}

struct Way {
    const char *name;
    void (*run)(Job &job, Job::Sides &sides);
    bool sends;
};

constexpr Way kWays[] = {
    {"receive-list", ReceiveList, false}, {"receive-scatter", ReceiveAndScatter, false}, {"send-list", SendList, true},
    {"send-pack", PackAndSend, true},     {"send-gather", GatherAndSend, true},
};

// The list is walked here block by block.
bool MovesEveryByte(const Way &way, Job &job) {
    Job::Sides &sides = job.slots[0];
    std::vector<char> expected(sides.buffer.size());
    ListPieces(InBuffer{job.share.file, job.data, 0, expected.data()}, {0, job.bytes()}, job.list);
    const char *next = sides.message.data();
    for (const overlap_piece &piece : job.list) {
        for (std::size_t block = 0; block < piece.count; ++block, next += piece.length) {
            std::memcpy(piece.address + static_cast<std::ptrdiff_t>(block) * piece.stride, next, piece.length);
        }
    }
    if (way.sends) {
        std::copy(expected.begin(), expected.end(), sides.buffer.begin());
        std::fill(sides.sent.begin(), sides.sent.end(), 0);
    } else {
        std::fill(sides.buffer.begin(), sides.buffer.end(), 0);
    }
    way.run(job, sides);
    return way.sends ? sides.sent == sides.message : sides.buffer == expected;
}

// All ways of one job are measured before the next one's.
Job &JobOf(Kind kind, ByteCount length, std::int64_t pieces) {
    static std::unique_ptr<Job> job;
    static std::tuple<Kind, ByteCount, std::int64_t> its;
    if (job == nullptr || its != std::tuple(kind, length, pieces)) {
        job.reset();
        job = std::make_unique<Job>(kind, length, pieces);
        its = {kind, length, pieces};
    }
    return *job;
}

void Count(benchmark::State &state, std::int64_t pieces, ByteCount bytes) {
    using benchmark::Counter;
    state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations()) * bytes);
    state.counters["piece"] = Counter(static_cast<double>(pieces), Counter::kIsIterationInvariantRate | Counter::kInvert);
}

void Measure(benchmark::State &state, const Way &way, Kind kind, ByteCount length, std::int64_t pieces) {
    Job &job = JobOf(kind, length, pieces);
    if (!MovesEveryByte(way, job)) {
        state.SkipWithError("bytes are not where they belong");
        return;
    }
    std::size_t slot = 0;
    for (auto _ : state) {
        way.run(job, job.slots[slot]);
        slot = (slot + 1) % std::size(job.slots);
        benchmark::ClobberMemory();
    }
    Count(state, pieces, job.bytes());
    state.counters["runs"] = static_cast<double>(job.share.file.runs());
}

/// Copies `count` blocks to every other block of a sub-buffer.
struct Copy {
    const char *name;
    void (*run)(char *to, const char *from, ByteCount length, std::int64_t count);
};

constexpr Copy kCopies[] = {
    {"copy-blocks", [](char *to, const char *from, ByteCount length,
                       std::int64_t count) { CopyBlocks(to, 2 * length, from, length, length, count); }},
    // What irregular lists are made of.
    {"copy-pairs",
     [](char *to, const char *from, ByteCount length, std::int64_t count) {
         for (std::int64_t block = 0; block < count; block += 2) {
             CopyBlocks(to + 2 * block * length, 2 * length, from + block * length, length, length, 2);
         }
     }},
    {"copy-memcpy",
     [](char *to, const char *from, ByteCount length, std::int64_t count) {
         for (std::int64_t block = 0; block < count; ++block) {
             std::memcpy(to + 2 * block * length, from + block * length, static_cast<std::size_t>(length));
         }
     }},
};

void MeasureCopy(benchmark::State &state, const Copy &copy, ByteCount length, std::int64_t count) {
    std::vector<char> from(static_cast<std::size_t>(length * count), 1);
    std::vector<char> to(2 * from.size());
    for (auto _ : state) {
        benchmark::DoNotOptimize(length);
        copy.run(to.data(), from.data(), length, count);
        benchmark::ClobberMemory();
    }
    Count(state, count, length * count);
}

void RegisterWays(const NamedKind &kind, ByteCount length, std::int64_t pieces) {
    // A byte has no half, and a sub-buffer has room for others.
    if ((kind.kind == Kind::kMixed && length == 1) || pieces * length > kSubBuffer / 4) {
        return;
    }
    for (const Way &way : kWays) {
        // A sender knows nothing of gaps.
        if (!way.sends || kind.kind != Kind::kGaps) {
            const std::string name =
                std::string(way.name) + "/" + kind.name + "/" + std::to_string(length) + "/" + std::to_string(pieces);
            benchmark::RegisterBenchmark(name.c_str(), Measure, way, kind.kind, length, pieces);
        }
    }
}

void RegisterAll() {
    for (const ByteCount length : kLengths) {
        for (const Copy &copy : kCopies) {
            for (const ByteCount bytes : kMessages) {
                const std::int64_t count = bytes / length;
                const std::string name = std::string(copy.name) + "/" + std::to_string(length) + "/" + std::to_string(count);
                benchmark::RegisterBenchmark(name.c_str(), MeasureCopy, copy, length, count);
            }
        }
    }
    for (const NamedKind &kind : kKinds) {
        for (const ByteCount length : kLengths) {
            std::set<std::int64_t> pieces(std::begin(kFew), std::end(kFew));
            for (const ByteCount bytes : kMessages) {
                pieces.insert(bytes / length);
            }
            for (const std::int64_t count : pieces) {
                RegisterWays(kind, length, count);
            }
        }
    }
}

} // namespace
} // namespace overlap

int main(int argc, char **argv) {
    benchmark::Initialize(&argc, argv);
    if (benchmark::ReportUnrecognizedArguments(argc, argv)) {
        return 1;
    }
    MPI_Init(&argc, &argv);
    overlap::RegisterAll();
    benchmark::RunSpecifiedBenchmarks();
    benchmark::Shutdown();
    MPI_Finalize();
    return 0;
}
