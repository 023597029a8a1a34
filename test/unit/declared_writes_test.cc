// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// Declared writes (overlap_declare.h): each clause of the contract.
#include "declared_cases.h"

#include <gtest/gtest.h>

namespace overlap::test {
namespace {

constexpr int kRanks = 4, kCalls = 9;

using Program = std::vector<Pieces>;

overlap_settings Plain() { return SettingsOf(OVERLAP_ALGORITHM_WRITE_COMM); }

// Nine variables, one behind the other.
Program Arrays(std::int64_t origin = 0) {
    Program calls;
    for (int call = 0; call < kCalls; ++call) {
        calls.push_back(Interleaved(kRanks, 20, 1, origin + 80 * call));
        for (Piece &piece : calls.back()) {
            FillMemory(piece, piece.bytes, static_cast<unsigned>(call * kRanks + &piece - calls.back().data()));
        }
    }
    return calls;
}

// Nine members of records, of which each rank has 6.
Program Records(std::int64_t origin = 0) {
    constexpr std::size_t kSizes[kCalls] = {4, 4, 4, 4, 4, 4, 4, 8, 2};
    Program calls;
    std::int64_t member = 0;
    for (int call = 0; call < kCalls; ++call) {
        Pieces pieces(kRanks);
        for (std::int64_t rank = 0; rank < kRanks; ++rank) {
            Piece &piece = pieces[static_cast<std::size_t>(rank)];
            piece.file_blocks = {Block(0, kSizes[call])};
            piece.file_extent = 38;
            piece.origin = origin + 6 * 38 * rank + member;
            piece.bytes = 6 * kSizes[call];
            FillMemory(piece, piece.bytes, static_cast<unsigned>(call * kRanks + rank));
        }
        member += static_cast<std::int64_t>(kSizes[call]);
        calls.push_back(std::move(pieces));
    }
    return calls;
}

Content ContentOf(const Program &calls) {
    Content content;
    for (const Pieces &pieces : calls) {
        Apply(pieces, content);
    }
    return content;
}

// All ranks open the file and declare the calls.
template <typename Use> std::string RunDeclared(FakeCluster &cluster, const Program &declared, Use use) {
    return cluster.Run([&](FakeRank &rank) {
        OpenFile file(rank, Plain());
        Declare(file, declared);
        use(file);
    });
}

// The calls [first, last).
void Write(OpenFile &file, const Program &calls, std::size_t first, std::size_t last) {
    for (std::size_t call = first; call < last; ++call) {
        EXPECT_EQ(file.Write(calls[call]), OVERLAP_SUCCESS) << "call " << call;
    }
}

struct Traffic {
    int messages = 0, collectives = 0;
    std::size_t writes = 0;
};

// Of a file with this declaration and the first `made` of the calls.
Traffic TrafficOf(const Program &declared, const Program &calls, std::size_t made) {
    FakeCluster cluster(Nodes(kRanks));
    RunDeclared(cluster, declared, [&](OpenFile &file) {
        Write(file, calls, 0, made);
        EXPECT_EQ(file.Holds(), made % declared.size() > 0);
    });
    if (made == calls.size()) {
        EXPECT_EQ(In(cluster, 4096), ContentOf(calls));
    }
    EXPECT_EQ(cluster.warnings().size(), 0U);
    EXPECT_EQ(cluster.Leftovers(), "");
    return {cluster.MessagesSent(), cluster.Collectives(), cluster.log().size()};
}

TEST(DeclaredWrites, AreOneWrite_WithoutAMessageBeforeTheLast) {
    for (const Program &calls : {Arrays(), Records()}) {
        const Traffic before = TrafficOf(calls, calls, 0), after = TrafficOf(calls, calls, kCalls - 1);
        EXPECT_EQ(after.messages, before.messages);
        EXPECT_EQ(after.collectives, before.collectives);
        EXPECT_EQ(after.writes, 0U);
        const Traffic all = TrafficOf(calls, calls, kCalls);
        EXPECT_GT(all.writes, 0U);
        EXPECT_LE(all.writes, 4U) << "two aggregators, a cycle or two each";
    }
}

TEST(DeclaredWrites, AreRepeated_AlsoFurtherOn_WithThePlanOfTheFirstSet) {
    const Program declared = Records();
    Program calls;
    for (int step = 0; step < 3; ++step) {
        for (Pieces &call : Records(1024 * step)) {
            calls.push_back(std::move(call));
        }
    }
    const Traffic first = TrafficOf(declared, calls, kCalls);
    EXPECT_GT(first.collectives, 4);
    const Traffic second = TrafficOf(declared, calls, 2 * kCalls);
    EXPECT_EQ(second.collectives - first.collectives, 3) << "an agreement of the declaration, two of the call";
    const Traffic third = TrafficOf(declared, calls, 3 * kCalls);
    EXPECT_EQ(third.collectives - second.collectives, 3);
}

TEST(DeclaredWrites, RefuseAnAccessToTheRangeOfAllRanksFromTheFirstCallToTheLast) {
    FakeCluster cluster(Nodes(kRanks));
    const Program calls = Arrays(1000); // bytes 1000 to 1720
    cluster.Run([&](FakeRank &rank) {
        OpenFile file(rank, Plain());
        const auto expect = [&](bool refuses) {
            EXPECT_EQ(overlap_file_refuses(file, 1000, 1001), refuses ? 1 : 0);
            EXPECT_EQ(overlap_file_refuses(file, 1719, 1720), refuses ? 1 : 0)
                << "the end of the last call of the last rank";
            EXPECT_EQ(overlap_file_refuses(file, 0, 5000), refuses ? 1 : 0);
            EXPECT_EQ(overlap_file_refuses(file, 0, 1000), 0);
            EXPECT_EQ(overlap_file_refuses(file, 1720, 5000), 0);
            EXPECT_EQ(overlap_file_refuses(file, 1300, 1300), 0) << "an access without bytes";
            const iovec before_and_behind[] = {{nullptr, 1000}, {reinterpret_cast<void *>(std::intptr_t{1720}), 10}};
            const overlap_layout apart{before_and_behind, 2, 5000, 0, 0}, nearer{before_and_behind, 2, 5000, 1, 0};
            EXPECT_EQ(overlap_file_refuses_layout(file, &apart, 2000), 0) << "the range lies in a gap";
            EXPECT_EQ(overlap_file_refuses_layout(file, &nearer, 1000), refuses ? 1 : 0);
            const iovec one_byte{nullptr, 1};
            const overlap_layout tiles{&one_byte, 1, 1719, 0, 0};
            EXPECT_EQ(overlap_file_refuses_layout(file, &tiles, 1), 0);
            EXPECT_EQ(overlap_file_refuses_layout(file, &tiles, 2), refuses ? 1 : 0);
        };
        Declare(file, calls);
        expect(false);
        for (int set = 0; set < 2; ++set) {
            Write(file, calls, 0, 1);
            expect(true);
            Write(file, calls, 1, kCalls - 1);
            expect(true);
            Write(file, calls, kCalls - 1, kCalls);
            expect(false);
        }
    });
}

TEST(DeclaredWrites, RefuseARangeThatHasMovedWithTheCallsAndTellWhereTheBytesOfThisRankEnd) {
    FakeCluster cluster(Nodes(kRanks));
    const Program declared = Arrays(), calls = Arrays(1000);
    RunDeclared(cluster, declared, [&](OpenFile &file) {
        Write(file, calls, 0, 1);
        EXPECT_EQ(overlap_file_refuses(file, 0, 1000), 0);
        EXPECT_EQ(overlap_file_refuses(file, 1000, 1001), 1);
        EXPECT_EQ(overlap_file_refuses(file, 1719, 1800), 1);
        EXPECT_EQ(overlap_file_refuses(file, 1720, 1800), 0);
        for (std::size_t call = 1; call < kCalls; ++call) {
            EXPECT_EQ(overlap_file_held_end(file), 920 + 80 * static_cast<int>(call) + 20 * (file.rank() + 1));
            Write(file, calls, call, call + 1);
        }
        EXPECT_EQ(overlap_file_held_end(file), 0);
    });
    EXPECT_EQ(In(cluster, 4096), ContentOf(calls));
}

TEST(DeclaredWrites, RefuseEveryByteOnARankThatDoesNotKnowTheDistance) {
    FakeCluster cluster(Nodes(kRanks));
    Program calls = Arrays();
    calls[0][2].bytes = 0;
    RunDeclared(cluster, calls, [&](OpenFile &file) {
        Write(file, calls, 0, 1);
        EXPECT_EQ(overlap_file_refuses(file, 100000, 100001), file.rank() == 2 ? 1 : 0);
        Write(file, calls, 1, 2);
        EXPECT_EQ(overlap_file_refuses(file, 100000, 100001), 0);
        Write(file, calls, 2, kCalls);
    });
}

TEST(DeclaredWrites, ASyncAndAReadWriteFirstWhatIsHeld_AndTheCallsAreCountedOn) {
    FakeCluster cluster(Nodes(kRanks));
    const Program calls = Records();
    RunDeclared(cluster, calls, [&](OpenFile &file) {
        Write(file, calls, 0, 3);
        EXPECT_EQ(overlap_file_flush(file), OVERLAP_SUCCESS);
        EXPECT_FALSE(file.Holds());
        EXPECT_EQ(overlap_file_refuses(file, 0, 10), 0) << "nothing is held";
        EXPECT_EQ(cluster.ByteAt(8), calls[2][0].memory[0]);
        file.Meet();
        Write(file, calls, 3, 6);
        EXPECT_TRUE(file.Holds());
        const std::size_t next = (file.index() + 1) % kRanks;
        Piece read = Emptied(calls[5])[next];
        EXPECT_EQ(file.Read(read), OVERLAP_SUCCESS);
        EXPECT_EQ(read.memory, calls[5][next].memory);
        Write(file, calls, 6, kCalls - 1);
        EXPECT_TRUE(file.Holds());
        Write(file, calls, kCalls - 1, kCalls);
        EXPECT_FALSE(file.Holds());
    });
    EXPECT_EQ(In(cluster, 1000), ContentOf(calls));
    EXPECT_EQ(cluster.warnings().size(), 0U);
}

TEST(DeclaredWrites, ARankWritesItsOwnBytesWithoutTheOthers_AndGoesOn) {
    FakeCluster cluster(Nodes(kRanks));
    const Program calls = Records();
    RunDeclared(cluster, calls, [&](OpenFile &file) {
        for (std::size_t call = 0; call < kCalls; ++call) {
            EXPECT_EQ(file.Write(calls[call]), OVERLAP_SUCCESS);
            if (call == 4 && file.rank() == 1) {
                EXPECT_EQ(overlap_file_write_own(file), OVERLAP_SUCCESS);
                EXPECT_EQ(cluster.ByteAt(6 * 38 + 16), calls[4][1].memory[0]);
                EXPECT_EQ(overlap_file_refuses(file, 0, 1), 1) << "the others still hold theirs";
            }
        }
    });
    EXPECT_EQ(In(cluster, 1000), ContentOf(calls));
}

// As long as another handle has the file open.
TEST(DeclaredWrites, ARankThatMayNotHoldWritesEachCallAtOnce_AndHoldsAgainAfterwards) {
    FakeCluster cluster(Nodes(kRanks));
    const Program calls = Records();
    RunDeclared(cluster, calls, [&](OpenFile &file) {
        for (int set = 0; set < 2; ++set) {
            overlap_file_hold(file, file.rank() == 1 && set == 0 ? 0 : 1);
            for (std::size_t call = 0; call + 1 < kCalls; ++call) {
                EXPECT_EQ(file.Write(calls[call]), OVERLAP_SUCCESS);
                EXPECT_EQ(file.Holds(), file.rank() != 1 || set == 1);
            }
            EXPECT_EQ(file.Write(calls[kCalls - 1]), OVERLAP_SUCCESS);
        }
    });
    EXPECT_EQ(In(cluster, 1000), ContentOf(calls));
    EXPECT_EQ(cluster.warnings().size(), 0U);
}

// A rank writes elsewhere than it said, or more, or nothing, or from a device, in each of its calls.
TEST(DeclaredWrites, ACallThatIsNotAsDeclaredIsWrittenAtOnce_AndEndsTheDeclarationWithTheLastCall) {
    enum Way { kElsewhere, kMore, kNothing, kOnDevice, kWays };
    for (int way = 0; way < kWays; ++way) {
        for (std::size_t at = 0; at < kCalls; ++at) {
            FakeCluster cluster(Nodes(kRanks));
            const Program declared = Records(), again = Arrays(4096);
            Program calls = declared;
            Piece &piece = calls[at][2];
            if (way == kElsewhere) {
                piece.origin += 1000;
            } else if (way == kMore) {
                piece.origin += 2000;
                piece.bytes = 3000;
                FillMemory(piece, piece.bytes, 77);
            } else if (way == kNothing) {
                piece.bytes = 0;
            } else {
                piece.on_device = true;
            }
            const std::string what = "way " + std::to_string(way) + ", call " + std::to_string(at + 1);
            RunDeclared(cluster, declared, [&](OpenFile &file) {
                Write(file, calls, 0, at);
                EXPECT_EQ(file.Write(calls[at]), OVERLAP_SUCCESS) << what;
                const bool moved = way == kElsewhere && at == 0; // the first call tells the distance
                EXPECT_EQ(file.Holds(), at + 1 < kCalls && (file.rank() != 2 || moved)) << what;
                Write(file, calls, at + 1, kCalls);
                for (const Pieces &call : again) {
                    EXPECT_EQ(file.Write(call), OVERLAP_SUCCESS);
                    EXPECT_FALSE(file.Holds()) << what;
                }
            });
            Content expected = ContentOf(calls);
            for (const Pieces &call : again) {
                Apply(call, expected);
            }
            EXPECT_EQ(In(cluster, 80000), expected) << what;
            ASSERT_EQ(cluster.warnings(), std::vector<overlap_warning>{OVERLAP_WARNING_DECLARED}) << what;
            const std::size_t other = way == kElsewhere && at == 0 ? 2 : at + 1;
            const std::string why = "Call " + std::to_string(other) + " of 9 is not what rank 2 declared";
            EXPECT_NE(cluster.reasons()[0].find(why), std::string::npos) << what << ": " << cluster.reasons()[0];
            EXPECT_EQ(cluster.Leftovers(), "") << what;
        }
    }
}

TEST(DeclaredWrites, EndWhereRanksAreMovedByDifferentDistances) {
    FakeCluster cluster(Nodes(kRanks));
    const Program declared = Arrays();
    Program calls = Arrays(1000);
    for (Pieces &call : calls) {
        call[3].origin += 3000;
    }
    RunDeclared(cluster, declared, [&](OpenFile &file) {
        Write(file, calls, 0, kCalls);
        EXPECT_EQ(file.Write(calls[0]), OVERLAP_SUCCESS);
        EXPECT_FALSE(file.Holds());
    });
    EXPECT_EQ(In(cluster, 8000), ContentOf(calls));
    ASSERT_EQ(cluster.warnings().size(), 1U);
    EXPECT_NE(cluster.reasons()[0].find("the same distance"), std::string::npos);
}

TEST(DeclaredWrites, AnErrorOfANewDeclarationIsReturnedByTheNextCall_AlsoWhereNothingIsDeclaredAnyMore) {
    ClusterOptions options = Nodes(kRanks);
    options.disk_end = 40;
    FakeCluster cluster(options);
    const Program calls = Arrays();
    RunDeclared(cluster, calls, [&](OpenFile &file) {
        Write(file, calls, 0, 4);
        Declare(file, {});
        EXPECT_EQ(overlap_file_declares(file), 1) << "an error is to be returned";
        Pieces nothing(kRanks);
        EXPECT_EQ(file.Write(nothing), OVERLAP_ERR_NO_SPACE);
        EXPECT_EQ(overlap_file_declares(file), 0);
        EXPECT_EQ(file.Write(nothing), OVERLAP_SUCCESS);
    });
}

// No rank waits for a rank that cannot make a call, and no call returns the error of another one's access.
TEST(DeclaredWrites, AnErrorOfARanksAccessIsReturnedByTheLastCall) {
    for (std::size_t at = 0; at < kCalls; ++at) {
        ClusterOptions options = Nodes(kRanks);
        options.survives = true;
        options.patience = std::chrono::seconds(20);
        FakeCluster cluster(options);
        const Program calls = Arrays();
        std::vector<std::vector<int>> errors(kRanks);
        const std::string why = RunDeclared(cluster, calls, [&](OpenFile &file) {
            for (std::size_t call = 0; call < kCalls; ++call) {
                const auto index = static_cast<std::size_t>(file.rank());
                overlap_access access = calls[call][index].Access();
                access.error = call == at && index == 2 ? OVERLAP_ERR_ARG : OVERLAP_SUCCESS;
                std::size_t done = 0;
                errors[index].push_back(overlap_file_write_all(file, &access, &done));
            }
        });
        ASSERT_EQ(why, "");
        std::vector<int> expected(kCalls, OVERLAP_SUCCESS);
        expected.back() = at + 1 == kCalls ? OVERLAP_ERR_ARG : OVERLAP_ERR_OTHER;
        EXPECT_EQ(errors, std::vector<std::vector<int>>(kRanks, expected));
        Program written = calls;
        written[at][2].bytes = 0;
        if (at + 1 == kCalls) {
            written.pop_back();
        }
        EXPECT_EQ(In(cluster, 1000), ContentOf(written)) << at;
    }
}

// Each allocation of one rank fails.
TEST(DeclaredWrites, WithoutMemoryOnARankNoRankDeclares_WithOneMessage) {
    for (int number = 0;; ++number) {
        FakeCluster cluster(Nodes(kRanks));
        const Program calls = Records();
        cluster.Arm({Failure{Failure::kMemory, 1, number, true, Failure::kHalf, OVERLAP_ERR_NO_MEM}});
        cluster.Run([&](FakeRank &rank) {
            OpenFile file(rank, Plain());
            const std::string layouts = LayoutsText(calls, static_cast<std::size_t>(file.rank()));
            rank.Count(true);
            overlap_file_declare(file, layouts.c_str(), OVERLAP_SUCCESS);
            rank.Count(false);
            file.Meet();
            const bool failed = cluster.Failed() > 0;
            EXPECT_EQ(overlap_file_declares(file), failed ? 0 : 1);
            EXPECT_EQ(file.Write(calls[0]), OVERLAP_SUCCESS);
            EXPECT_EQ(file.Holds(), !failed);
            Write(file, calls, 1, kCalls);
        });
        const bool failed = cluster.Failed() > 0;
        EXPECT_EQ(In(cluster, 1000), ContentOf(calls)) << number;
        EXPECT_EQ(cluster.warnings(), std::vector<overlap_warning>(failed ? 1 : 0, OVERLAP_WARNING_DECLARED)) << number;
        if (!failed) {
            EXPECT_GT(number, 0);
            break;
        }
    }
}

// Another number of calls, a text that is none, another thread that may write.
TEST(DeclaredWrites, WhereARankCannotDeclareNoRankDoes_WithOneMessage) {
    for (int way = 0; way < 3; ++way) {
        FakeCluster cluster(Nodes(kRanks));
        const Program calls = Records();
        cluster.Run([&](FakeRank &rank) {
            OpenFile file(rank, Plain());
            std::string layouts = LayoutsText(calls, static_cast<std::size_t>(file.rank()));
            if (file.rank() == 3 && way < 2) {
                layouts = way == 0 ? layouts + ";" : "?";
            }
            overlap_file_declare(file, layouts.c_str(), file.rank() == 3 && way == 2 ? OVERLAP_ERR_ACCESS : OVERLAP_SUCCESS);
            EXPECT_EQ(overlap_file_declares(file), 0);
            EXPECT_EQ(file.Write(calls[0]), OVERLAP_SUCCESS);
            EXPECT_FALSE(file.Holds());
        });
        ASSERT_EQ(cluster.warnings().size(), 1U);
        const char *const why[] = {"the same number of calls", "cannot be read", "MPI_THREAD_MULTIPLE"};
        EXPECT_NE(cluster.reasons()[0].find(why[way]), std::string::npos) << cluster.reasons()[0];
    }
}

TEST(DeclaredWrites, ANewDeclarationWritesWhatTheOldOneHolds_AndAnEmptyOneEndsIt) {
    FakeCluster cluster(Nodes(kRanks));
    const Program first = Arrays(), second = Records(2000);
    RunDeclared(cluster, first, [&](OpenFile &file) {
        Write(file, first, 0, 1);
        Declare(file, second);
        EXPECT_FALSE(file.Holds());
        Write(file, second, 0, kCalls);
        Declare(file, {});
        EXPECT_EQ(overlap_file_declares(file), 0);
        Write(file, first, 1, 2);
        EXPECT_FALSE(file.Holds());
    });
    Program written = {first[0], first[1]};
    written.insert(written.end(), second.begin(), second.end());
    EXPECT_EQ(In(cluster, 4000), ContentOf(written));
    EXPECT_EQ(cluster.warnings().size(), 0U);
}

TEST(DeclaredWrites, AreDoneAtOnceWhereEachRankWritesItsOwn_AndInAtomicMode) {
    for (const bool atomic : {false, true}) {
        ClusterOptions options = Nodes(1);
        options.atomic_on = atomic ? 0 : -1;
        FakeCluster cluster(options);
        const Program calls(3, Interleaved(1, 10, 2));
        cluster.Run([&](FakeRank &rank) {
            overlap_settings settings = Plain();
            settings.writes = atomic ? OVERLAP_TRANSFERS_AUTO : OVERLAP_TRANSFERS_INDEPENDENT;
            OpenFile file(rank, settings);
            Declare(file, calls);
            for (const Pieces &call : calls) {
                EXPECT_EQ(file.Write(call), OVERLAP_SUCCESS);
                EXPECT_FALSE(file.Holds());
            }
        });
        EXPECT_EQ(In(cluster, 1000), ContentOf(calls));
        EXPECT_EQ(cluster.warnings().size(), 0U);
    }
}

// In a first call that fails, some ranks have moved their bytes and others have not. Calls behind it are alike on all.
TEST(DeclaredWrites, BehindAFirstCallThatFailedAreDoneAlikeOnAllRanks) {
    ClusterOptions options = OptionsFor(3);
    options.file_system = "tmpfs";
    options.collective_buffer_chosen = false;
    options.failing_write = 0;
    FakeCluster cluster(options);
    Pieces first = Interleaved(3, 1024, 1);
    first[0].bytes = 1 << 20; // no short call on this rank
    first[0].file_blocks = {Block(0, first[0].bytes)};
    FillMemory(first[0], first[0].bytes, 2);
    first[0].origin = 100000;
    Pieces overlapping = Interleaved(3, 1024, 1);
    for (Piece &piece : overlapping) {
        piece.origin = 0;
    }
    const Program calls = {Pieces(3), overlapping};
    const std::string gave_up = cluster.Run([&](FakeRank &rank) {
        OpenFile file(rank, EverythingOpen());
        EXPECT_NE(file.Write(first), OVERLAP_SUCCESS);
        Declare(file, calls);
        for (const Pieces &call : calls) {
            EXPECT_EQ(file.Write(call), OVERLAP_SUCCESS);
        }
    });
    EXPECT_EQ(gave_up, "");
    EXPECT_EQ(cluster.Leftovers(), "");
}

} // namespace
} // namespace overlap::test
