// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "fault_sweep.h"

#include "placement/placement.h"
#include "real_file.h"
#include "schedule/schedule.h"

#include <algorithm>
#include <cctype>
#include <ostream>

namespace overlap::test {
namespace {

constexpr const char *kDataNames[SweepCase::kDataKinds] = {"dense",     "listed_gaps",       "sieved_gaps", "overlap",
                                                           "scattered", "scattered_overlap", "device"};
constexpr int kWrites = 3;

constexpr overlap_plugin kPlugin = {OVERLAP_PLACEMENT_ABI_VERSION, "last", nullptr, PlaceBackwards, nullptr};

using File = Content;

bool OnDisk(const SweepCase &one) { return one.writer == OVERLAP_WRITER_LIBAIO; }

bool Scattered(const SweepCase &one) {
    return one.data == SweepCase::kScattered || one.data == SweepCase::kScatteredOverlap;
}

// Two cycles of two domains, or of one. Each write has its own letters.
std::int64_t BlockOf(const SweepCase &one) { return OnDisk(one) ? 4096 : 4; }
constexpr std::int64_t kBlocks = 4;

char LetterOf(int rank, int write, std::size_t i) {
    constexpr const char *kFirst = "aA0";
    const std::size_t letter = (i * 7 + static_cast<std::size_t>(rank) * 3) % (write == 2 ? 10 : 26);
    return static_cast<char>(kFirst[write] + static_cast<char>(letter));
}

// Pieces of one and two bytes, so many to a rank that they are packed, and in the memory of some ranks as well. The second
// write is the first one further on.
constexpr int kScatteredPieces = 300;
constexpr std::int64_t kFurtherOn = 2400;

Pieces ScatteredPieces(const SweepCase &one, int write) {
    std::mt19937 random(5);
    Pieces pieces(static_cast<std::size_t>(one.ranks));
    std::int64_t offset = 0;
    for (int i = 0; i < kScatteredPieces * one.ranks; ++i) {
        const int rank = Pick(random, 0, one.ranks - 1);
        const auto length = static_cast<std::size_t>(Pick(random, 1, 2));
        const int ranks = one.data == SweepCase::kScatteredOverlap && i % 50 == 0 ? 2 : 1;
        for (int other = rank; other < std::min(rank + ranks, one.ranks); ++other) {
            pieces[static_cast<std::size_t>(other)].file_blocks.push_back(Block(offset, length));
            pieces[static_cast<std::size_t>(other)].bytes += length;
        }
        offset += static_cast<std::int64_t>(length);
    }
    for (int rank = 0; rank < one.ranks; ++rank) {
        Piece &piece = pieces[static_cast<std::size_t>(rank)];
        piece.file_extent = offset;
        piece.origin = write == 1 ? kFurtherOn : 0;
        piece.memory.resize(piece.bytes);
        if (rank % 2 == 1) {
            piece.memory_blocks.clear();
            piece.memory.resize(3 * piece.bytes);
            for (std::size_t i = 0; i < piece.bytes; ++i) {
                piece.memory_blocks.push_back(Block(static_cast<std::int64_t>(3 * i + i % 7 % 2), 1));
            }
            piece.memory_extent = static_cast<std::int64_t>(piece.memory.size());
        }
        for (std::size_t i = 0; i < piece.memory.size(); ++i) {
            piece.memory[i] = LetterOf(rank, write, i);
        }
    }
    return pieces;
}

Pieces PiecesOf(const SweepCase &one, int write) {
    if (Scattered(one)) {
        return ScatteredPieces(one, write);
    }
    const std::int64_t block = BlockOf(one);
    Pieces pieces = Interleaved(one.ranks, static_cast<std::size_t>(block), kBlocks);
    for (int rank = 0; rank < one.ranks; ++rank) {
        Piece &piece = pieces[static_cast<std::size_t>(rank)];
        const bool gaps = one.data == SweepCase::kListedGaps || one.data == SweepCase::kSievedGaps;
        piece.file_extent += gaps ? block : 0;
        if (one.data == SweepCase::kOverlap) {
            piece.origin = 0;
            piece.file_extent = block;
        }
        piece.on_device = one.data == SweepCase::kDevice && rank != 1;
        for (std::size_t i = 0; i < piece.bytes; ++i) {
            piece.memory[i] = LetterOf(rank, write, i);
        }
    }
    return pieces;
}

ClusterOptions OptionsOf(const SweepCase &one) {
    const std::int64_t parts = one.algorithm == OVERLAP_ALGORITHM_AUTO ? 2 : SlotsOf(one.algorithm, 2);
    const std::int64_t of_cycle = (Scattered(one) ? kScatteredPieces / 2 : BlockOf(one)) * one.ranks;
    ClusterOptions options = OptionsFor(one.ranks, of_cycle * parts * (one.one_cycle ? 2 * kBlocks : 1),
                                        std::min(one.ranks, 2), (one.ranks + 1) / 2);
    options.ompio_aggregators = one.ranks > 1 ? std::vector<int>{0, one.ranks - 1} : std::vector<int>{0};
    options.block_size = OnDisk(one) ? 4096 : 1;
    options.unsteady_clock = one.algorithm == OVERLAP_ALGORITHM_AUTO;
    options.texts["/racks"] = "SwitchName=top Switches=r[0-1]\nSwitchName=r0 Nodes=n0\nSwitchName=r1 Nodes=n1\n";
    options.texts["/rules"] = R"({"collectives": {"write_all": [{"ranks_min": 2, "aggregators": 1}]}})";
    options.plugin = &kPlugin;
    options.survives = true;
    options.patience = std::chrono::seconds(10);
    return options;
}

overlap_settings SweepSettings(const SweepCase &one) {
    overlap_settings settings = SettingsOf(one.algorithm, 2);
    settings.shuffle = one.shuffle;
    settings.writer = one.writer;
    settings.placement = one.placement;
    settings.throttle = one.throttle;
    settings.node_merge = one.node_merge;
    settings.holes = one.data == SweepCase::kSievedGaps ? OVERLAP_HOLES_SIEVE : OVERLAP_HOLES_LIST;
    SetText(settings.topology, "slurm:/racks");
    SetText(settings.plugin, "/opt/mine.so");
    SetText(settings.config_list, one.config_list);
    if (one.algorithm == OVERLAP_ALGORITHM_AUTO) {
        SetText(settings.rules, "/rules");
    }
    return settings;
}

// A file that is written three times. Ranks of a run that is given up use it for ever.
struct Story {
    explicit Story(const SweepCase &one)
        : options(OptionsOf(one)), settings(SweepSettings(one)), disk(OnDisk(one) ? new RealFile(Disk()) : nullptr) {
        options.disk = disk.get();
        cluster = std::make_unique<FakeCluster>(options);
        for (int write = 0; write < kWrites; ++write) {
            pieces.push_back(PiecesOf(one, write));
        }
        const auto ranks = static_cast<std::size_t>(one.ranks);
        errors.assign(kWrites, std::vector<int>(ranks, -1));
        on_file.assign(kWrites, std::vector<std::size_t>(ranks, 0));
        files.resize(kWrites + 1);
    }

    File FileNow() const {
        if (disk != nullptr) {
            File file;
            const std::string content = disk->Content();
            for (std::size_t i = 0; i < content.size(); ++i) {
                if (content[i] != '\0') {
                    file[static_cast<std::int64_t>(i)] = content[i];
                }
            }
            return file;
        }
        return In(*cluster, 2 * kFurtherOn);
    }

    // Ranks meet before the file is looked at, and after it.
    void Look(FakeRank &rank, int write) {
        std::int64_t nothing = 0;
        rank.transport.allreduce(rank.transport.self, &nothing, 1, OVERLAP_REDUCE_SUM);
        if (rank.rank() == 0) {
            files[static_cast<std::size_t>(write) + 1] = FileNow();
        }
        rank.transport.allreduce(rank.transport.self, &nothing, 1, OVERLAP_REDUCE_SUM);
    }

    void Write(FakeRank &rank, int counted) {
        const auto index = static_cast<std::size_t>(rank.rank());
        overlap_file *file = overlap_file_open(&rank.transport, &rank.storage, &rank.host, &settings);
        for (int write = 0; write < kWrites; ++write) {
            const auto number = static_cast<std::size_t>(write);
            const overlap_access access = pieces[number][index].Access();
            if (write == counted) {
                rank.Count(true);
            }
            errors[number][index] = overlap_file_write_all(file, &access, &on_file[number][index]);
            rank.Count(false);
            Look(rank, write);
        }
        overlap_file_close(file, 1);
    }

    ClusterOptions options;
    overlap_settings settings;
    std::unique_ptr<RealFile> disk;
    std::unique_ptr<FakeCluster> cluster;
    std::vector<Pieces> pieces;
    std::vector<std::vector<int>> errors;
    std::vector<std::vector<std::size_t>> on_file;
    std::vector<File> files; // before the first write, and after each
};

std::string Run(const std::shared_ptr<Story> &story, int counted) {
    return story->cluster->Run([story, counted](FakeRank &rank) { story->Write(rank, counted); });
}

// What a failed write has left: bytes of the file before, or of a rank that writes there.
std::string WrongByte(const Story &story, std::size_t write) {
    std::map<std::int64_t, std::string> allowed;
    for (const auto &[offset, byte] : story.files[write]) {
        allowed[offset] += byte;
    }
    for (const Piece &piece : story.pieces[write]) {
        piece.ForEachByte([&allowed](std::int64_t offset, char byte) { allowed[offset] += byte; });
    }
    for (const auto &[offset, byte] : story.files[write + 1]) {
        if (allowed[offset].find(byte) == std::string::npos) {
            return "wrong byte: at " + std::to_string(offset) + " '" + byte + "' and none of '" + allowed[offset] + "'";
        }
    }
    for (const auto &[offset, byte] : story.files[write]) {
        if (story.files[write + 1].count(offset) == 0) {
            return "wrong byte: at " + std::to_string(offset) + " none any more";
        }
    }
    return "";
}

std::string Overstated(const Story &story, std::size_t write) {
    const auto kind = [](char byte) { return std::isdigit(byte) != 0 ? 2 : (std::isupper(byte) != 0 ? 1 : 0); };
    for (std::size_t rank = 0; rank < story.pieces[write].size(); ++rank) {
        std::size_t there = 0;
        story.pieces[write][rank].ForEachByte([&](std::int64_t offset, char) {
            const auto found = story.files[write + 1].find(offset);
            there += found != story.files[write + 1].end() && kind(found->second) == static_cast<int>(write) ? 1U : 0U;
        });
        if (story.on_file[write][rank] > there) {
            return "on_file too high: rank " + std::to_string(rank) + " says " + std::to_string(story.on_file[write][rank]) +
                   " bytes and has " + std::to_string(there);
        }
    }
    return "";
}

std::string ProblemOfWrite(const Story &story, std::size_t write) {
    const std::vector<int> &errors = story.errors[write];
    if (std::any_of(errors.begin(), errors.end(), [&](int error) { return error != errors[0]; })) {
        std::string all = "errors differ:";
        for (const int error : errors) {
            all += " " + std::to_string(error);
        }
        return all;
    }
    std::string problem = WrongByte(story, write);
    problem = problem.empty() ? Overstated(story, write) : problem;
    if (!problem.empty() || errors[0] != OVERLAP_SUCCESS) {
        return problem;
    }
    File expected = ExpectedFile(story.pieces[write]);
    expected.insert(story.files[write].begin(), story.files[write].end()); // what other writes left elsewhere
    if (story.files[write + 1] != expected) {
        return "success with a wrong file: ";
    }
    for (std::size_t rank = 0; rank < errors.size(); ++rank) {
        if (story.on_file[write][rank] != story.pieces[write][rank].bytes) {
            return "success with on_file too low: rank " + std::to_string(rank);
        }
    }
    return "";
}

bool HasShares(Failure::Kind kind) {
    return kind == Failure::kPut || kind == Failure::kWrite || kind == Failure::kWriteEnd || kind == Failure::kPosixWrite;
}

// How often a rank asks is chance.
bool IsAskedAgain(Failure::Kind kind) { return kind == Failure::kTest || kind == Failure::kPosixLock; }
constexpr std::int64_t kMostAsked = 20;

} // namespace

std::string NameOf(const SweepCase &one) {
    return std::string(overlap_algorithm_names[one.algorithm]) + " " + overlap_shuffle_names[one.shuffle] + " " +
           overlap_writer_names[one.writer] + " " + kDataNames[one.data] + " " + PlacementOf(one.placement).name + " " +
           std::to_string(one.ranks) + " ranks" + (one.config_list[0] == '\0' ? "" : " listed");
}

std::ostream &operator<<(std::ostream &out, const SweepCase &one) { return out << NameOf(one); }

std::string NameOf(const FaultPoint &point) {
    return std::to_string(point.write) + "," + NameOf(point.failure.kind) + "," + std::to_string(point.failure.rank) + "," +
           std::to_string(point.failure.number) + "," + std::to_string(point.failure.share) + "," +
           std::to_string(point.failure.lasting ? 1 : 0);
}

std::vector<FaultPoint> PointsOf(const SweepCase &one) {
    std::vector<FaultPoint> points;
    for (int write = 0; write < 2; ++write) {
        const auto story = std::make_shared<Story>(one);
        const std::string why = Run(story, write);
        EXPECT_EQ(why, "") << NameOf(one) << ": without a failure";
        for (int kind = 0; kind < Failure::kKinds && why.empty(); ++kind) {
            for (int rank = 0; rank < one.ranks; ++rank) {
                Failure failure;
                failure.kind = static_cast<Failure::Kind>(kind);
                failure.rank = rank;
                const std::int64_t met = story->cluster->Counted(rank, failure.kind);
                const std::int64_t count = IsAskedAgain(failure.kind) ? std::min<std::int64_t>(met, kMostAsked) : met;
                for (failure.number = 0; failure.number < count; ++failure.number) {
                    for (const auto share : {Failure::kHalf, Failure::kNone, Failure::kAll}) {
                        failure.share = share;
                        failure.lasting = false;
                        if (share == Failure::kHalf || HasShares(failure.kind)) {
                            points.push_back(FaultPoint{write, failure});
                        }
                    }
                    if (failure.kind == Failure::kMemory && failure.number % 5 == 0) {
                        failure.lasting = true;
                        points.push_back(FaultPoint{write, failure});
                    }
                }
            }
        }
    }
    return points;
}

std::string ProblemWith(const SweepCase &one, const FaultPoint &point, bool &came_to_pass) {
    const auto story = std::make_shared<Story>(one);
    story->cluster->Arm({point.failure});
    const std::string why = Run(story, point.write);
    came_to_pass = true;
    if (!why.empty()) {
        return why.compare(0, 6, "a hang") == 0 || why.compare(0, 7, "nothing") == 0 ? "hang: " + why : "forbidden: " + why;
    }
    came_to_pass = story->cluster->Failed() > 0;
    for (std::size_t write = 0; write < kWrites; ++write) {
        const std::string problem = ProblemOfWrite(*story, write);
        if (!problem.empty()) {
            return (static_cast<int>(write) == point.write ? "" : "another write, ") + problem;
        }
        if (static_cast<int>(write) != point.write && story->errors[write][0] != OVERLAP_SUCCESS) {
            return "another write fails: number " + std::to_string(write) + " with " +
                   std::to_string(story->errors[write][0]);
        }
    }
    const std::string left = story->cluster->Leftovers();
    return left.empty() ? "" : "leftovers: " + left;
}

} // namespace overlap::test
