// Whatever fails while writes are left for later, or were declared, and when they are written, on whichever rank and by
// whichever later call: no rank waits for ever, all return the same errors, nothing is in the file that nobody wrote, and
// where anything is missing an error was returned.
#include "behind_cases.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <memory>
#include <tuple>

namespace overlap::test {
namespace {

constexpr int kRanks = 3, kSmall = 3;
constexpr std::int64_t kOfCall = 60, kFar = 20000;

// What has the calls before it written.
enum class Later { kSync, kLargeWrite, kFarWrite, kRead, kByThemselves, kByOne };
constexpr Later kLater[] = {Later::kSync, Later::kLargeWrite,   Later::kFarWrite,
                            Later::kRead, Later::kByThemselves, Later::kByOne};

// What was said of the calls that come before that.
enum class Declared { kNothing, kLayouts, kOtherLayouts, kLittle, kCalls };
constexpr Declared kDeclared[] = {Declared::kNothing, Declared::kLayouts, Declared::kOtherLayouts, Declared::kLittle,
                                  Declared::kCalls};

struct Case {
    Later later;
    Declared declared;
    overlap_shuffle shuffle;
    overlap_writer writer;
};

struct Story {
    explicit Story(const Case &one)
        : later(one.later), declared(one.declared), settings(SettingsOf(OVERLAP_ALGORITHM_WRITE_COMM_2)) {
        ClusterOptions options;
        options.ranks = kRanks;
        options.ranks_per_node = 2;
        options.aggregators = 2;
        options.collective_buffer = 128;
        options.survives = true;
        options.patience = std::chrono::seconds(20);
        settings.shuffle = one.shuffle;
        settings.writer = one.writer;
        settings.collect = declared == Declared::kNothing ? 600 : OVERLAP_COLLECT_OFF;
        settings.collect_seconds = 0;
        cluster = std::make_unique<FakeCluster>(options);
        for (int call = 0; call < kSmall; ++call) {
            calls.push_back(Interleaved(kRanks, 4, 5, kOfCall * call));
        }
        if (later == Later::kLargeWrite) {
            calls.push_back(Interleaved(kRanks, 64, 4, kOfCall * kSmall));
        } else if (later == Later::kFarWrite) {
            calls.push_back(Interleaved(kRanks, 4, 5, kFar));
        }
        calls.push_back(Interleaved(kRanks, 4, 5, 2 * kFar)); // when nothing fails any more
        errors.resize(kRanks);
        SayWhatComes();
    }

    // Of all calls but the last; of the second of a rank something else, or only room for one.
    void SayWhatComes() {
        const std::vector<Pieces> said(calls.begin(), calls.end() - 1);
        text = declared == Declared::kNothing ? "" : "calls=" + std::to_string(said.size());
        text += declared == Declared::kLittle ? ",bytes=" + std::to_string(said[0][0].bytes) : "";
        layouts.resize(kRanks);
        for (std::size_t rank = 0; rank < kRanks; ++rank) {
            if (declared == Declared::kLayouts || declared == Declared::kOtherLayouts) {
                std::vector<Pieces> there = said;
                there[1][1].origin += declared == Declared::kOtherLayouts && rank == 1 ? 1 : 0;
                layouts[rank] = LayoutsText(there, rank);
            }
        }
    }

    int Write(overlap_file *file, std::size_t call, std::size_t rank) {
        const overlap_access access = calls[call][rank].Access();
        std::size_t done = 0;
        return overlap_file_write_all(file, &access, &done);
    }

    void Tell(FakeRank &rank) {
        const auto index = static_cast<std::size_t>(rank.rank());
        std::vector<int> &all = errors[index];
        overlap_file *file = overlap_file_open(&rank.transport, &rank.storage, &rank.host, &settings);
        Piece piece = calls[0][index]; // to read into
        all.reserve(calls.size() + 5); // what the test itself takes does not fail
        rank.Count(true);
        if (!text.empty()) {
            overlap_file_declare(file, text.c_str(), text.c_str(), layouts[index].c_str(), OVERLAP_SUCCESS);
        }
        for (std::size_t call = 0; call + 1 < calls.size(); ++call) {
            all.push_back(Write(file, call, index));
        }
        if (later == Later::kByThemselves || (later == Later::kByOne && index == 1)) {
            overlap_file_flush_own(file);
        } else if (later == Later::kRead) {
            const overlap_access access = piece.Access();
            std::size_t done = 0;
            all.push_back(overlap_file_read_all(file, &access, &done));
        }
        all.push_back(overlap_file_flush(file));
        rank.Count(false);
        all.push_back(overlap_file_flush(file));
        after = all.size();
        all.push_back(Write(file, calls.size() - 1, index));
        all.push_back(overlap_file_flush(file));
        overlap_file_close(file, 1);
    }

    const Later later;
    const Declared declared;
    overlap_settings settings;
    std::string text;
    std::vector<std::string> layouts; // of each rank
    std::unique_ptr<FakeCluster> cluster;
    std::vector<Pieces> calls;
    std::vector<std::vector<int>> errors; // of each rank, of each call of all ranks
    std::atomic<std::size_t> after{0};    // errors of calls before nothing failed any more
};

std::string Run(const std::shared_ptr<Story> &story) {
    return story->cluster->Run([story](FakeRank &rank) { story->Tell(rank); });
}

// Of the file: a wrong byte, or how many are missing of the calls before `end`.
std::string WrongByte(const Story &story, std::size_t end, std::int64_t &missing) {
    missing = 0;
    std::string wrong;
    for (std::size_t call = 0; call < end; ++call) {
        for (const Piece &piece : story.calls[call]) {
            piece.ForEachByte([&](std::int64_t offset, char byte) {
                const char found = story.cluster->ByteAt(offset);
                missing += found == '.' ? 1 : 0;
                if (found != '.' && found != byte) {
                    wrong = "a wrong byte at " + std::to_string(offset);
                }
            });
        }
    }
    return wrong;
}

std::string ProblemWith(const Case &one, const Failure &failure) {
    const auto story = std::make_shared<Story>(one);
    story->cluster->Arm({failure});
    const std::string why = Run(story);
    if (!why.empty()) {
        return "no end: " + why;
    }
    bool failed = false;
    for (std::size_t call = 0; call < story->errors[0].size(); ++call) {
        const int error = story->errors[0][call];
        for (const std::vector<int> &of_rank : story->errors) {
            if (of_rank[call] != error) {
                return "call " + std::to_string(call) + ": ranks return different errors";
            }
        }
        if (error != OVERLAP_SUCCESS && call >= story->after) {
            return "call " + std::to_string(call) + " fails when nothing fails any more";
        }
        failed = failed || error != OVERLAP_SUCCESS;
    }
    std::int64_t missing = 0, missing_after = 0;
    std::string problem = WrongByte(*story, story->calls.size() - 1, missing);
    if (problem.empty() && missing > 0 && !failed) {
        problem = std::to_string(missing) + " bytes are missing, and no call said so";
    }
    if (problem.empty()) {
        problem = WrongByte(*story, story->calls.size(), missing_after);
    }
    if (problem.empty() && missing_after > missing) {
        problem = "the write after it is not in the file";
    }
    return problem.empty() ? story->cluster->Leftovers() : problem;
}

std::vector<Failure> Failures(const Case &one) {
    const auto story = std::make_shared<Story>(one);
    EXPECT_EQ(Run(story), "");
    std::vector<Failure> failures;
    for (int kind = 0; kind < Failure::kKinds; ++kind) {
        for (int rank = 0; rank < kRanks; ++rank) {
            Failure failure;
            failure.kind = static_cast<Failure::Kind>(kind);
            failure.rank = rank;
            const bool asked_again = failure.kind == Failure::kTest || failure.kind == Failure::kPosixLock;
            const std::int64_t met = story->cluster->Counted(rank, failure.kind);
            for (failure.number = 0; failure.number < (asked_again ? std::min<std::int64_t>(met, 5) : met);
                 ++failure.number) {
                failure.lasting = false;
                failures.push_back(failure);
                failure.lasting = true;
                if (failure.kind == Failure::kMemory && failure.number % 5 == 0) {
                    failures.push_back(failure);
                }
            }
        }
    }
    return failures;
}

class WriteBehindFaults : public testing::TestWithParam<std::tuple<Later, Declared>> {};

// OVERLAP_FAULT_ALL=1 tries all; else each file access, and of the others so many, evenly spread.
TEST_P(WriteBehindFaults, EveryFailureComesBackFromALaterCallOfAllRanks) {
    for (const overlap_shuffle shuffle : {OVERLAP_SHUFFLE_TWO_SIDED, OVERLAP_SHUFFLE_PUT_FENCE}) {
        const auto [later, declared] = GetParam();
        const Case one{later, declared, shuffle,
                       shuffle == OVERLAP_SHUFFLE_TWO_SIDED ? OVERLAP_WRITER_THREAD : OVERLAP_WRITER_FBTL};
        const std::vector<Failure> failures = Failures(one);
        const std::size_t every = std::getenv("OVERLAP_FAULT_ALL") != nullptr ? 1 : 1 + failures.size() / 150;
        int wrong = 0;
        for (std::size_t i = 0; i < failures.size() && wrong < 5; ++i) {
            const Failure &failure = failures[i];
            const bool of_the_file = failure.kind >= Failure::kWrite && failure.kind <= Failure::kPosixWriteLocked;
            if (i % every == 0 || of_the_file) {
                const std::string problem = ProblemWith(one, failure);
                wrong += problem.empty() ? 0 : 1;
                EXPECT_EQ(problem, "") << overlap_shuffle_names[shuffle] << ": " << kFailureNames[failure.kind] << " "
                                       << failure.number << " of rank " << failure.rank
                                       << (failure.lasting ? " and all after it" : "");
            }
        }
    }
}

std::string NameOfCase(const testing::TestParamInfo<std::tuple<Later, Declared>> &info) {
    constexpr const char *kNames[] = {"Sync", "LargeWrite", "FarWrite", "Read", "ByThemselves", "ByOne"};
    constexpr const char *kOfDeclared[] = {"", "OfLayouts", "OfOtherLayouts", "OfLittle", "OfCalls"};
    const auto [later, declared] = info.param;
    return std::string(kNames[static_cast<int>(later)]) + kOfDeclared[static_cast<int>(declared)];
}

INSTANTIATE_TEST_SUITE_P(Later, WriteBehindFaults, testing::Combine(testing::ValuesIn(kLater), testing::ValuesIn(kDeclared)),
                         NameOfCase);

} // namespace
} // namespace overlap::test
