// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// Random programs of collective writes and reads and syncs on one file, beside a model of the file in memory: with writes
// that were declared, truly or not, and without.
#include "declared_cases.h"

#include <gtest/gtest.h>

#include <cstdlib>

namespace overlap::test {
namespace {

struct Step {
    enum Kind { kWrite, kRead, kSync, kOwn, kDeclare } kind;
    Pieces pieces;                       // of a write, or a read, whose memory it fills
    std::vector<bool> by_itself;         // ranks that write what they hold
    std::map<std::int64_t, char> before; // the file of the model, of a read and of kOwn
    std::vector<int> errors;
    std::vector<std::size_t> done;
    std::vector<std::string> layouts; // of kDeclare, of each rank
};

enum class Mode { kAtOnce, kDeclares, kFails };

struct Program {
    ClusterOptions options;
    overlap_settings settings;
    std::vector<Step> steps;
    std::map<std::int64_t, char> file; // at the end
};

std::int64_t EndOf(const std::map<std::int64_t, char> &file) { return file.empty() ? 0 : file.rbegin()->first + 1; }

// The view of a program moves far now and then.
std::int64_t NextOrigin(std::mt19937 &random, std::int64_t origin) {
    const int what = Pick(random, 0, 9);
    return what == 0 ? Pick(random, 0, 4) * 5000 : what < 4 ? Pick(random, 0, 300) : origin + Pick(random, 0, 60);
}

Pieces At(Pieces pieces, std::int64_t origin) {
    const auto ranks = static_cast<std::int64_t>(pieces.size());
    for (Piece &piece : pieces) {
        piece.origin += origin / ranks * ranks;
    }
    return pieces;
}

// The same access with other bytes, most often further on; the last rank may have fewer of them.
Pieces Again(std::mt19937 &random, const Pieces &pieces) {
    Pieces again = At(pieces, Pick(random, 0, 2) * 100);
    again.back().bytes /= Pick(random, 0, 3) == 0 ? 2 : 1;
    for (Piece &piece : again) {
        FillMemory(piece, piece.memory.size(), static_cast<unsigned>(random()));
    }
    return again;
}

// Some of the writes after step `first`, or others. Where ranks write the same bytes: all of them, because a rank writes a
// call that is not declared by itself, and whose byte stays is then open.
Step Declaration(std::mt19937 &random, const Program &program, std::size_t first, int ranks, bool own) {
    Step step{};
    step.kind = Step::kDeclare;
    std::vector<Pieces> calls;
    for (std::size_t number = first; number < program.steps.size() && (!own || Pick(random, 0, 5) > 0); ++number) {
        if (program.steps[number].kind == Step::kWrite) {
            calls.push_back(program.steps[number].pieces);
        }
    }
    const int wrong = own ? Pick(random, 0, 3) : 1;
    for (std::size_t call = 0; call < calls.size() && wrong == 0; ++call) {
        if (Pick(random, 0, 2) == 0) {
            calls[call] = RandomPieces(random, ranks, own);
        }
    }
    for (int rank = 0; rank < ranks; ++rank) {
        step.layouts.push_back(LayoutsText(calls, static_cast<std::size_t>(rank)));
    }
    step.errors.assign(static_cast<std::size_t>(ranks), -1);
    return step;
}

// Where ranks write by themselves each has bytes of its own: the standard leaves open whose of two ranks' bytes stay where
// nobody syncs in between, and then their order is not that of the calls.
Program Draw(unsigned seed, Mode mode) {
    std::mt19937 random(seed);
    const int ranks = Pick(random, 1, 7);
    Program program;
    program.options = RandomOptions(random, ranks);
    program.settings = RandomSettings(random);
    const bool own = Pick(random, 0, 1) == 0;
    program.settings.writes = own && Pick(random, 0, 3) == 0 ? OVERLAP_TRANSFERS_INDEPENDENT : OVERLAP_TRANSFERS_AUTO;
    program.settings.reads = Pick(random, 0, 7) == 0 ? OVERLAP_TRANSFERS_INDEPENDENT : OVERLAP_TRANSFERS_AUTO;
    std::int64_t origin = 0;
    for (int count = Pick(random, 2, 14); count > 0; --count) {
        Step step{};
        const int kind = Pick(random, 0, 9);
        const bool syncs = kind == 8 || !own || mode == Mode::kFails;
        step.kind = kind < 6 ? Step::kWrite : kind < 8 ? Step::kRead : syncs ? Step::kSync : Step::kOwn;
        origin = NextOrigin(random, origin);
        const auto last = std::find_if(program.steps.rbegin(), program.steps.rend(),
                                       [&step](const Step &other) { return other.kind == step.kind; });
        step.pieces = last != program.steps.rend() && Pick(random, 0, 1) == 0 ? Again(random, last->pieces)
                                                                              : At(RandomPieces(random, ranks, own), origin);
        step.errors.assign(static_cast<std::size_t>(ranks), -1);
        step.done.assign(static_cast<std::size_t>(ranks), 0);
        step.before = program.file;
        for (Piece &piece : step.pieces) {
            piece.on_device = piece.on_device && (own || mode != Mode::kDeclares); // a call that is not declared
            step.by_itself.push_back(Pick(random, 0, 1) == 0);
            if (step.kind == Step::kWrite) {
                piece.ForEachByte([&program](std::int64_t offset, char byte) { program.file[offset] = byte; });
            }
        }
        step.pieces = step.kind == Step::kWrite ? step.pieces : Emptied(step.pieces);
        program.steps.push_back(std::move(step));
    }
    for (std::size_t at = 0; mode == Mode::kDeclares && at < program.steps.size(); at += 2) {
        if (at == 0 || Pick(random, 0, 3) == 0) {
            program.steps.insert(program.steps.begin() + static_cast<std::ptrdiff_t>(at),
                                 Declaration(random, program, at, ranks, own));
        }
    }
    return program;
}

char InModel(const std::map<std::int64_t, char> &file, std::int64_t offset) {
    const auto found = file.find(offset);
    return found == file.end() ? '.' : found->second;
}

// What a rank finds in the file of what it wrote last itself, when it has written what it held.
void ExpectOwn(const FakeCluster &cluster, const Program &program, const Step &step, std::size_t rank) {
    const auto ranks = static_cast<std::int64_t>(step.pieces.size());
    for (const auto &[offset, byte] : step.before) {
        if (offset % ranks == static_cast<std::int64_t>(rank)) {
            ASSERT_EQ(cluster.ByteAt(offset), byte) << offset << " of " << program.steps.size();
        }
    }
}

void Take(FakeRank &rank, FakeCluster &cluster, const Program &program, Step &step, overlap_file *file) {
    const auto index = static_cast<std::size_t>(rank.rank());
    step.errors[index] = OVERLAP_SUCCESS;
    if (step.kind == Step::kDeclare) {
        overlap_file_declare(file, step.layouts[index].c_str(), OVERLAP_SUCCESS);
        return;
    }
    const overlap_access access = step.pieces[index].Access();
    switch (step.kind) {
    case Step::kWrite:
        step.errors[index] = overlap_file_write_all(file, &access, &step.done[index]);
        break;
    case Step::kRead:
        step.errors[index] = overlap_file_read_all(file, &access, &step.done[index]);
        break;
    case Step::kSync:
        step.errors[index] = overlap_file_flush(file);
        break;
    default:
        if (step.by_itself[index]) {
            EXPECT_EQ(overlap_file_write_own(file), OVERLAP_SUCCESS);
            ExpectOwn(cluster, program, step, index);
        }
    }
}

std::string RunProgram(FakeCluster &cluster, Program &program) {
    return cluster.Run([&](FakeRank &rank) {
        OpenFile file(rank, program.settings);
        rank.Count(true);
        for (Step &step : program.steps) {
            Take(rank, cluster, program, step, file);
        }
        EXPECT_EQ(overlap_file_flush(file), OVERLAP_SUCCESS);
        rank.Count(false);
    });
}

void ExpectAsInTheModel(const FakeCluster &cluster, const Program &program, const std::string &what) {
    for (std::size_t number = 0; number < program.steps.size(); ++number) {
        const Step &step = program.steps[number];
        const std::string where = what + ", step " + std::to_string(number);
        for (std::size_t rank = 0; rank < step.errors.size(); ++rank) {
            EXPECT_EQ(step.errors[rank], OVERLAP_SUCCESS) << where << ", rank " << rank;
            EXPECT_TRUE(step.kind != Step::kWrite || step.done[rank] == step.pieces[rank].bytes) << where;
        }
        if (step.kind == Step::kRead) {
            const auto in_model = [&step](std::int64_t offset) { return InModel(step.before, offset); };
            ExpectRead(step.pieces, step.done, EndOf(step.before), in_model, where);
        }
    }
    for (std::int64_t offset = 0; offset < EndOf(program.file); ++offset) {
        ASSERT_EQ(cluster.ByteAt(offset), InModel(program.file, offset)) << what << ", at " << offset;
    }
    EXPECT_EQ(cluster.BytesWritten(), static_cast<std::int64_t>(program.file.size())) << what;
}

TEST(Programs, ReadAndLeaveWhatTheyWrote) {
    // OVERLAP_PROGRAMS: how many of each kind.
    const char *const asked = std::getenv("OVERLAP_PROGRAMS");
    const unsigned programs = asked == nullptr ? Drawn(300) : static_cast<unsigned>(std::atoi(asked));
    for (unsigned seed = 0; seed < programs && !testing::Test::HasFailure(); ++seed) {
        for (const Mode mode : {Mode::kAtOnce, Mode::kDeclares}) {
            Program program = Draw(seed, mode);
            FakeCluster cluster(program.options);
            const std::string what = "seed " + std::to_string(seed) + ", mode " + std::to_string(static_cast<int>(mode));
            ASSERT_EQ(RunProgram(cluster, program), "") << what;
            ExpectAsInTheModel(cluster, program, what);
            EXPECT_EQ(cluster.Leftovers(), "") << what;
        }
    }
}

// Once, on one rank.
TEST(Programs, WhateverFailsAllRanksEndWithTheSameErrorsOfOneCall) {
    const unsigned programs = Drawn(2900);
    unsigned came_to_pass = 0;
    for (unsigned seed = 0; seed < programs && !testing::Test::HasFailure(); ++seed) {
        std::mt19937 random(seed);
        Program program = Draw(seed, Mode::kFails);
        FakeCluster cluster(program.options);
        Failure failure{static_cast<Failure::Kind>(seed % Failure::kKinds), Pick(random, 0, program.options.ranks - 1)};
        failure.number = Pick(random, 0, failure.kind == Failure::kMemory ? 100 : 10);
        failure.share = static_cast<Failure::Share>(Pick(random, 0, 2));
        failure.error = OVERLAP_ERR_IO;
        cluster.Arm({failure});
        const std::string what = NameOf(failure.kind) + ", seed " + std::to_string(seed);
        ASSERT_EQ(RunProgram(cluster, program), "") << what;
        std::ptrdiff_t failed = 0;
        for (const Step &step : program.steps) {
            EXPECT_EQ(step.errors, std::vector<int>(step.errors.size(), step.errors[0])) << what;
            failed += step.errors[0] != OVERLAP_SUCCESS ? 1 : 0;
        }
        EXPECT_LE(failed, 1) << what;
        if (failed == 0) {
            ExpectAsInTheModel(cluster, program, what);
        }
        EXPECT_EQ(cluster.Leftovers(), "") << what;
        came_to_pass += cluster.Failed() > 0 ? 1U : 0U;
    }
    EXPECT_GT(came_to_pass, programs / 10);
}

} // namespace
} // namespace overlap::test
