// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// Each write of declared bytes fails once, on each rank, after each call, and for each reason to write them: one call
// returns its error on all ranks, and no other call's bytes are missing.
#include "declared_cases.h"
#include "cases_tried.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>

namespace overlap::test {
namespace {

constexpr int kRanks = 3;
constexpr std::size_t kCalls = 4;
constexpr std::int64_t kOfCall = 60, kAway = 5000;

// What comes between two of the calls and may write those before it: nothing, so that the last call does; a sync; a read;
// another declaration; all ranks or one rank by themselves; a call that is not what one rank declared.
enum class Event { kNone, kSync, kRead, kDeclare, kByThemselves, kByOne, kElsewhere };
constexpr Event kEvents[] = {Event::kNone,         Event::kSync,  Event::kRead,     Event::kDeclare,
                             Event::kByThemselves, Event::kByOne, Event::kElsewhere};

struct Case {
    Event event;
    std::size_t before; // calls before the event
    overlap_writer writer;
};

// Two times the calls: something fails the first time.
struct Story {
    explicit Story(const Case &one) : of(one), settings(SettingsOf(OVERLAP_ALGORITHM_WRITE_COMM)), errors(kRanks) {
        ClusterOptions options = Nodes(kRanks);
        options.collective_buffer = 128;
        options.survives = true;
        options.patience = std::chrono::seconds(20);
        cluster = std::make_unique<FakeCluster>(options);
        settings.writer = one.writer;
        for (std::size_t call = 0; call < 2 * kCalls; ++call) {
            calls.push_back(Interleaved(kRanks, 4, 5, kOfCall * static_cast<std::int64_t>(call)));
        }
        declared.assign(calls.begin(), calls.begin() + kCalls);
        calls[of.before][1].origin += of.event == Event::kElsewhere ? kAway : 0;
    }

    void Meet(OpenFile &file) {
        const std::size_t rank = file.index();
        Piece piece = calls[0][rank];
        if (of.event == Event::kSync) {
            errors[rank].push_back(overlap_file_flush(file));
        } else if (of.event == Event::kRead) {
            errors[rank].push_back(file.Read(piece));
        } else if (of.event == Event::kDeclare) {
            Declare(file, declared);
        } else if (of.event == Event::kByThemselves || (of.event == Event::kByOne && rank == 1)) {
            static_cast<void>(overlap_file_write_own(file));
        }
    }

    void Tell(FakeRank &rank) {
        OpenFile file(rank, settings);
        std::vector<int> &own = errors[file.index()];
        Declare(file, declared);
        rank.Count(true);
        for (std::size_t call = 0; call < calls.size(); ++call) {
            if (call == of.before) {
                Meet(file);
            } else if (call == kCalls) {
                own.push_back(overlap_file_flush(file));
                rank.Count(false);
            }
            // Of a call that is not as declared the error is the last call's, and what it has done is its own.
            const overlap_access access = calls[call][file.index()].Access();
            std::size_t done = 0;
            own.push_back(overlap_file_write_all(file, &access, &done));
        }
        own.push_back(overlap_file_flush(file));
    }

    const Case of;
    overlap_settings settings;
    std::unique_ptr<FakeCluster> cluster;
    std::vector<Pieces> calls, declared;
    std::vector<std::vector<int>> errors; // of each rank
};

std::string TellAll(const std::shared_ptr<Story> &story) {
    return story->cluster->Run([story](FakeRank &rank) { story->Tell(rank); });
}

std::string ProblemWithErrors(const Story &story) {
    for (const std::vector<int> &of_rank : story.errors) {
        if (of_rank != story.errors[0]) {
            return "ranks return different errors";
        }
        const auto failed = of_rank.size() - static_cast<std::size_t>(std::count(of_rank.begin(), of_rank.end(), 0));
        if (failed != 1 || std::count(of_rank.begin(), of_rank.end(), OVERLAP_ERR_QUOTA) != 1) {
            return std::to_string(failed) + " errors, or another one";
        }
    }
    return "";
}

// Of the two times: bytes are missing of the first alone, and none is wrong.
std::string ProblemWithFile(const Story &story) {
    int missing[2] = {0, 0};
    bool wrong = false;
    for (std::size_t call = 0; call < story.calls.size(); ++call) {
        for (const Piece &piece : story.calls[call]) {
            piece.ForEachByte([&](std::int64_t offset, char byte) {
                const char found = story.cluster->ByteAt(offset);
                missing[call / kCalls] += found == '.' ? 1 : 0;
                wrong = wrong || (found != '.' && found != byte);
            });
        }
    }
    return wrong             ? "a wrong byte"
           : missing[0] == 0 ? "nothing is missing"
           : missing[1] > 0  ? "bytes of calls after it are missing"
                             : "";
}

std::string ProblemWith(const Case &one, const Failure &failure) {
    const auto story = std::make_shared<Story>(one);
    story->cluster->Arm({failure});
    std::string problem = TellAll(story);
    for (const auto check : {ProblemWithErrors, ProblemWithFile}) {
        problem = problem.empty() ? check(*story) : problem;
    }
    return problem.empty() ? story->cluster->Leftovers() : problem;
}

class DeclaredWritesFaults : public testing::TestWithParam<Event> {};

TEST_P(DeclaredWritesFaults, EachWriteThatFailsOnceIsReturnedOnceOnAllRanks) {
    const Event event = GetParam();
    Thinned thinned;
    int tried = 0;
    for (std::size_t before = 1; before < kCalls; ++before) {
        for (const overlap_writer writer : {OVERLAP_WRITER_THREAD, OVERLAP_WRITER_FBTL}) {
            const Case one{event, before, writer};
            const auto whole = std::make_shared<Story>(one);
            ASSERT_EQ(TellAll(whole), "");
            for (int kind = Failure::kWrite; kind <= Failure::kPosixWriteLocked; ++kind) {
                for (int rank = 0; rank < kRanks; ++rank) {
                    Failure failure;
                    failure.kind = static_cast<Failure::Kind>(kind);
                    failure.rank = rank;
                    failure.error = OVERLAP_ERR_QUOTA;
                    const std::int64_t met = whole->cluster->Counted(rank, failure.kind);
                    for (failure.number = 0; failure.number < met; ++failure.number) {
                        for (const Failure::Share share : {Failure::kNone, Failure::kHalf}) {
                            failure.share = share;
                            if (!thinned.Takes()) {
                                continue;
                            }
                            ++tried;
                            EXPECT_EQ(ProblemWith(one, failure), "")
                                << NameOf(failure.kind) << " " << failure.number << " of rank " << rank << ", after "
                                << before << " calls, writer " << overlap_writer_names[writer];
                        }
                    }
                }
            }
        }
    }
    EXPECT_GT(tried, 0);
}

std::string NameOfCase(const testing::TestParamInfo<Event> &info) {
    constexpr const char *kNames[] = {"LastCall", "Sync", "Read", "Declaration", "ByThemselves", "ByOne", "Elsewhere"};
    return kNames[static_cast<int>(info.param)];
}

INSTANTIATE_TEST_SUITE_P(Events, DeclaredWritesFaults, testing::ValuesIn(kEvents), NameOfCase);

} // namespace
} // namespace overlap::test
