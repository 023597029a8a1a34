// Writes that were declared: what travels, what is in the file when, and what becomes of calls that are not as declared.
#include "behind_cases.h"

#include <gtest/gtest.h>

namespace overlap::test {
namespace {

constexpr int kRanks = 4, kCalls = 9;

// What a rank says of its calls.
enum class Says { kLayouts, kBytes, kCalls };
constexpr Says kSays[] = {Says::kLayouts, Says::kBytes, Says::kCalls};

using Program = std::vector<Pieces>;

overlap_settings AtOnce() {
    overlap_settings settings = SettingsOf(OVERLAP_ALGORITHM_WRITE_COMM);
    settings.collect_seconds = 0;
    return settings;
}

void Declare(overlap_file *file, const Program &calls, Says says, int rank, int error = OVERLAP_SUCCESS) {
    const auto index = static_cast<std::size_t>(rank);
    std::size_t bytes = 0;
    for (const Pieces &pieces : calls) {
        bytes += pieces[index].bytes;
    }
    const std::string count = "calls=" + std::to_string(calls.size());
    const std::string own = says == Says::kBytes ? count + ",bytes=" + std::to_string(bytes) : count;
    const std::string layouts = says == Says::kLayouts ? LayoutsText(calls, index) : "";
    overlap_file_declare(file, count.c_str(), own.c_str(), layouts.c_str(), error);
}

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

struct Travelled {
    int messages = 0, collectives = 0;
    std::size_t writes = 0;
};

// Of a file with this declaration and the first `made` of the calls, which go on as often as it says.
Travelled Make(const Program &declared, Says says, const Program &calls, std::size_t made) {
    FakeCluster cluster(Nodes(kRanks));
    cluster.Run([&](FakeRank &rank) {
        const overlap_settings settings = AtOnce();
        OpenFile file(rank, settings);
        Declare(file, declared, says, rank.rank());
        for (std::size_t call = 0; call < made; ++call) {
            EXPECT_EQ(file.Write(calls[call]), OVERLAP_SUCCESS);
        }
        EXPECT_EQ(overlap_file_waits(file) >= 0, made % declared.size() > 0);
    });
    if (made == calls.size()) {
        EXPECT_EQ(In(cluster, 4096), ContentOf(calls));
    }
    EXPECT_EQ(cluster.warnings().size(), 0U);
    EXPECT_EQ(cluster.Leftovers(), "");
    return {cluster.MessagesSent(), cluster.Collectives(), cluster.log().size()};
}

TEST(Declare, CallsAreOneWrite_WithoutAMessageBeforeTheLast) {
    for (const Program &calls : {Arrays(), Records()}) {
        for (const Says says : kSays) {
            const Travelled before = Make(calls, says, calls, 0), after = Make(calls, says, calls, kCalls - 1);
            EXPECT_EQ(after.messages, before.messages);
            EXPECT_EQ(after.collectives - before.collectives, says == Says::kCalls ? kCalls - 1 : 0);
            EXPECT_EQ(after.writes, 0U);
            const Travelled all = Make(calls, says, calls, kCalls);
            EXPECT_GT(all.writes, 0U);
            EXPECT_LE(all.writes, 4U) << "two aggregators, a cycle or two each";
        }
    }
}

TEST(Declare, IsRepeated_AlsoFurtherOn_WithThePlanOfTheFirstTime) {
    const Program declared = Records();
    Program calls;
    for (int step = 0; step < 3; ++step) {
        for (Pieces &call : Records(1024 * step)) {
            calls.push_back(std::move(call));
        }
    }
    const Travelled first = Make(declared, Says::kLayouts, calls, kCalls);
    EXPECT_GT(first.collectives, 5);
    const Travelled second = Make(declared, Says::kLayouts, calls, 2 * kCalls);
    EXPECT_EQ(second.collectives - first.collectives, 3) << "an agreement of the declaration, two of the call";
    const Travelled third = Make(declared, Says::kLayouts, calls, 3 * kCalls);
    EXPECT_EQ(third.collectives - second.collectives, 3);
}

// A rank writes elsewhere than it said, or more, or nothing, in each of its calls.
TEST(Declare, ACallThatIsNotAsDeclaredIsWrittenRight_WithOneMessage) {
    enum Way { kElsewhere, kMore, kNothing, kWays };
    for (const Says says : {Says::kLayouts, Says::kBytes}) {
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
                } else {
                    piece.bytes = 0;
                }
                cluster.Run([&](FakeRank &rank) {
                    const overlap_settings settings = AtOnce();
                    OpenFile file(rank, settings);
                    Declare(file, declared, says, rank.rank());
                    for (const Program *step : std::initializer_list<const Program *>{&calls, &again}) {
                        for (const Pieces &call : *step) {
                            EXPECT_EQ(file.Write(call), OVERLAP_SUCCESS);
                        }
                    }
                    EXPECT_EQ(overlap_file_flush(file), OVERLAP_SUCCESS);
                });
                Content expected = ContentOf(calls);
                for (const Pieces &call : again) {
                    Apply(call, expected);
                }
                const std::string what = "way " + std::to_string(way) + ", call " + std::to_string(at + 1);
                EXPECT_EQ(In(cluster, 80000), expected) << what;
                // The last of the calls needs no room. All of the second step is elsewhere.
                const bool room = way != kMore || at + 1 == kCalls;
                const bool told = says == Says::kLayouts || !room;
                ASSERT_EQ(cluster.warnings(), std::vector<overlap_warning>(told ? 1 : 0, OVERLAP_WARNING_DECLARED)) << what;
                if (told) {
                    // Where the first call is tells where the others are.
                    const std::size_t other = way == kElsewhere && at == 0 ? 2 : at + 1;
                    const std::string why = room ? "Call " + std::to_string(other) + " of the 9" : "Rank 2 had no room";
                    EXPECT_NE(cluster.reasons()[0].find(why), std::string::npos) << what << ": " << cluster.reasons()[0];
                    EXPECT_TRUE(!room || cluster.reasons()[0].find("on rank 2") != std::string::npos);
                }
                EXPECT_EQ(cluster.Leftovers(), "") << what;
            }
        }
    }
}

TEST(Declare, WithoutRoomNothingIsDeclaredAnyMore) {
    FakeCluster cluster(Nodes(kRanks));
    const Program declared = Arrays();
    Program calls = declared;
    calls[1][1].origin = 5000;
    calls[1][1].bytes = 900;
    FillMemory(calls[1][1], 900, 5);
    cluster.Run([&](FakeRank &rank) {
        const overlap_settings settings = AtOnce();
        OpenFile file(rank, settings);
        Declare(file, declared, Says::kBytes, rank.rank());
        for (const Pieces &call : calls) {
            EXPECT_EQ(file.Write(call), OVERLAP_SUCCESS);
        }
        EXPECT_EQ(file.Write(Interleaved(kRanks, 4, 5, 10000)), OVERLAP_SUCCESS);
        Meet(rank);
        EXPECT_NE(cluster.ByteAt(10000), '.') << "it is written at once";
    });
    EXPECT_EQ(cluster.warnings().size(), 1U);
}

TEST(Declare, KeepsTheLaterByteWhereRanksOverlap) {
    for (const Says says : kSays) {
        for (const bool higher_first : {false, true}) {
            FakeCluster cluster(Nodes(kRanks));
            Program calls;
            for (int call = 0; call < 3; ++call) {
                Pieces pieces(kRanks, Interleaved(1, 4, 0)[0]);
                const std::size_t writer = (call == 1) == higher_first ? 3U : 0U;
                pieces[writer] = Interleaved(1, 10, 1, 4 * call)[0];
                FillMemory(pieces[writer], 10, static_cast<unsigned>(call));
                calls.push_back(pieces);
            }
            cluster.Run([&](FakeRank &rank) {
                const overlap_settings settings = AtOnce();
                OpenFile file(rank, settings);
                Declare(file, calls, says, rank.rank());
                for (const Pieces &call : calls) {
                    EXPECT_EQ(file.Write(call), OVERLAP_SUCCESS);
                }
            });
            EXPECT_EQ(In(cluster, 100), ContentOf(calls)) << higher_first;
        }
    }
}

TEST(Declare, KeepsTheHighestRanksByteInACall_AndTheLaterOfOneRank) {
    for (const Says says : kSays) {
        FakeCluster cluster(Nodes(kRanks));
        Program calls;
        for (int call = 0; call < 3; ++call) {
            Pieces pieces;
            for (int rank = 0; rank < kRanks; ++rank) {
                pieces.push_back(Interleaved(1, 12, 1, 5 * rank + 3 * call)[0]);
                FillMemory(pieces.back(), 12, static_cast<unsigned>(10 * call + rank));
            }
            calls.push_back(pieces);
        }
        cluster.Run([&](FakeRank &rank) {
            const overlap_settings settings = AtOnce();
            OpenFile file(rank, settings);
            Declare(file, calls, says, rank.rank());
            for (const Pieces &call : calls) {
                EXPECT_EQ(file.Write(call), OVERLAP_SUCCESS);
            }
        });
        EXPECT_EQ(In(cluster, 100), ContentOf(calls));
    }
}

TEST(Declare, AReadAndASyncInBetweenSeeWhatWasWritten_AndTheCallsAreCountedOn) {
    for (const Says says : kSays) {
        FakeCluster cluster(Nodes(kRanks));
        const Program calls = Records();
        cluster.Run([&](FakeRank &rank) {
            const overlap_settings settings = AtOnce();
            OpenFile file(rank, settings);
            Declare(file, calls, says, rank.rank());
            for (std::size_t call = 0; call < kCalls; ++call) {
                EXPECT_EQ(file.Write(calls[call]), OVERLAP_SUCCESS);
                if (call == 2) {
                    EXPECT_EQ(overlap_file_flush(file), OVERLAP_SUCCESS);
                } else if (call == 5) {
                    Piece read = calls[call][static_cast<std::size_t>((rank.rank() + 1) % kRanks)];
                    const std::vector<char> expected = read.memory;
                    std::fill(read.memory.begin(), read.memory.end(), '-');
                    EXPECT_EQ(file.Read(read), OVERLAP_SUCCESS);
                    EXPECT_EQ(read.memory, expected);
                } else if (call == 7) {
                    EXPECT_GE(overlap_file_waits(file), 0);
                }
            }
            EXPECT_LT(overlap_file_waits(file), 0);
        });
        EXPECT_EQ(In(cluster, 1000), ContentOf(calls));
        EXPECT_EQ(cluster.warnings().size(), 0U);
    }
}

TEST(Declare, ARankWritesItsOwnBytesWithoutTheOthers_AndGoesOn) {
    for (const Says says : kSays) {
        FakeCluster cluster(Nodes(kRanks));
        const Program calls = Records();
        cluster.Run([&](FakeRank &rank) {
            const overlap_settings settings = AtOnce();
            OpenFile file(rank, settings);
            Declare(file, calls, says, rank.rank());
            for (std::size_t call = 0; call < kCalls; ++call) {
                EXPECT_EQ(file.Write(calls[call]), OVERLAP_SUCCESS);
                if (call == 4 && rank.rank() == 1) {
                    overlap_file_flush_own(file);
                    EXPECT_EQ(cluster.ByteAt(6 * 38 + 16), calls[4][1].memory[0]);
                }
            }
        });
        EXPECT_EQ(In(cluster, 1000), ContentOf(calls));
    }
}

TEST(Declare, TellsWhereTheFileEndsWithTheCallsOfOthers) {
    FakeCluster cluster(Nodes(kRanks));
    const Program declared = Arrays(), calls = Arrays(1000);
    cluster.Run([&](FakeRank &rank) {
        const overlap_settings settings = AtOnce();
        OpenFile file(rank, settings);
        Declare(file, declared, Says::kLayouts, rank.rank());
        for (int call = 0; call < 3; ++call) {
            EXPECT_EQ(file.Write(calls[static_cast<std::size_t>(call)]), OVERLAP_SUCCESS);
            EXPECT_EQ(overlap_file_end(file), 1000 + 80 * (call + 1));
        }
        EXPECT_EQ(overlap_file_flush(file), OVERLAP_SUCCESS);
        EXPECT_EQ(overlap_file_end(file), 0);
    });
}

TEST(Declare, TakesBytesFromADevice) {
    for (const Says says : {Says::kLayouts, Says::kBytes}) {
        FakeCluster cluster(Nodes(kRanks));
        Program calls = Records();
        for (std::size_t call = 0; call < kCalls; ++call) {
            calls[call][call % kRanks].on_device = true;
        }
        cluster.Run([&](FakeRank &rank) {
            const overlap_settings settings = AtOnce();
            OpenFile file(rank, settings);
            Declare(file, calls, says, rank.rank());
            for (std::size_t call = 0; call < kCalls; ++call) {
                EXPECT_EQ(file.Write(calls[call]), OVERLAP_SUCCESS);
                EXPECT_EQ(overlap_file_waits(file) >= 0, call + 1 < kCalls);
            }
        });
        EXPECT_EQ(In(cluster, 1000), ContentOf(calls));
        EXPECT_EQ(cluster.warnings().size(), 0U);
    }
}

// No byte behind it can be written.
TEST(Declare, AnErrorComesFromTheLastCall_OrTheNextOfAllRanks) {
    for (const bool by_itself : {false, true}) {
        ClusterOptions options = Nodes(kRanks);
        options.disk_end = 40;
        FakeCluster cluster(options);
        const Program calls = Arrays();
        cluster.Run([&](FakeRank &rank) {
            const overlap_settings settings = AtOnce();
            OpenFile file(rank, settings);
            Declare(file, calls, Says::kLayouts, rank.rank());
            for (std::size_t call = 0; call < kCalls; ++call) {
                EXPECT_EQ(file.Write(calls[call]), call + 1 < kCalls ? OVERLAP_SUCCESS : OVERLAP_ERR_NO_SPACE);
                if (by_itself && call == 3 && rank.rank() == 2) {
                    overlap_file_flush_own(file);
                }
            }
            Meet(rank);
            if (rank.rank() == 0) {
                cluster.Repair();
            }
            Meet(rank);
            EXPECT_EQ(overlap_file_flush(file), OVERLAP_SUCCESS);
        });
        ASSERT_EQ(cluster.warnings(), std::vector<overlap_warning>{OVERLAP_WARNING_COLLECTED});
        EXPECT_NE(cluster.reasons()[0].find("no space left"), std::string::npos) << cluster.reasons()[0];
        EXPECT_NE(cluster.reasons()[0].find("Bytes 0 to 640"), std::string::npos) << cluster.reasons()[0];
    }
}

// A call that one rank cannot make has no other rank wait, and no call of its class is told of in another.
TEST(Declare, AnErrorOfARankComesFromTheNextAgreement) {
    for (std::size_t at = 0; at < kCalls; ++at) {
        ClusterOptions options = Nodes(kRanks);
        options.survives = true;
        options.patience = std::chrono::seconds(20);
        FakeCluster cluster(options);
        const Program calls = Arrays();
        std::vector<std::vector<int>> errors(kRanks);
        const std::string why = cluster.Run([&](FakeRank &rank) {
            const overlap_settings settings = AtOnce();
            const OpenFile file(rank, settings);
            Declare(file, calls, Says::kLayouts, rank.rank());
            for (std::size_t call = 0; call < kCalls; ++call) {
                const auto index = static_cast<std::size_t>(rank.rank());
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
        EXPECT_EQ(In(cluster, 1000), ContentOf(written));
    }
}

TEST(Declare, WithoutMemoryOnARankNothingIsDeclared_AndThatIsSaidOnce) {
    for (const Says says : {Says::kLayouts, Says::kBytes}) {
        for (int number = 0;; ++number) {
            FakeCluster cluster(Nodes(kRanks));
            const Program calls = Records();
            cluster.Arm({Failure{Failure::kMemory, 1, number, true, Failure::kHalf, OVERLAP_ERR_NO_MEM}});
            cluster.Run([&](FakeRank &rank) {
                const overlap_settings settings = AtOnce();
                OpenFile file(rank, settings);
                const auto index = static_cast<std::size_t>(rank.rank());
                const std::string layouts = says == Says::kLayouts ? LayoutsText(calls, index) : "";
                rank.Count(true);
                overlap_file_declare(file, "calls=9", "calls=9,bytes=5000", layouts.c_str(), OVERLAP_SUCCESS);
                rank.Count(false);
                Meet(rank);
                const bool failed = cluster.Failed() > 0;
                EXPECT_EQ(file.Write(calls[0]), OVERLAP_SUCCESS);
                EXPECT_EQ(overlap_file_waits(file) < 0, failed) << "written at once where nothing is declared";
                for (int call = 1; call < kCalls; ++call) {
                    EXPECT_EQ(file.Write(calls[static_cast<std::size_t>(call)]), OVERLAP_SUCCESS);
                }
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
}

TEST(Declare, ARankThatSaysSomethingElseHasAllAgreeOnEachCall) {
    FakeCluster cluster(Nodes(kRanks));
    const Program calls = Records();
    cluster.Run([&](FakeRank &rank) {
        const overlap_settings settings = AtOnce();
        OpenFile file(rank, settings);
        const std::string layouts = LayoutsText(calls, static_cast<std::size_t>(rank.rank()));
        overlap_file_declare(file, "calls=9", rank.rank() == 3 ? "calls=8" : "calls=9", layouts.c_str(), OVERLAP_SUCCESS);
        for (std::size_t call = 0; call < kCalls; ++call) {
            EXPECT_EQ(file.Write(calls[call]), OVERLAP_SUCCESS);
            EXPECT_EQ(overlap_file_waits(file) >= 0, call + 1 < kCalls);
        }
    });
    EXPECT_EQ(In(cluster, 1000), ContentOf(calls));
    ASSERT_EQ(cluster.warnings().size(), 1U);
    EXPECT_NE(cluster.reasons()[0].find("Rank 3"), std::string::npos) << cluster.reasons()[0];
}

TEST(Declare, ANewDeclarationWritesWhatTheOldOneHolds_AndNoneEndsIt) {
    for (const Says says : kSays) {
        FakeCluster cluster(Nodes(kRanks));
        const Program first = Arrays(), second = Records(2000);
        cluster.Run([&](FakeRank &rank) {
            const overlap_settings settings = AtOnce();
            OpenFile file(rank, settings);
            Declare(file, first, says, rank.rank());
            EXPECT_EQ(file.Write(first[0]), OVERLAP_SUCCESS);
            Declare(file, second, says, rank.rank());
            EXPECT_LT(overlap_file_waits(file), 0);
            for (const Pieces &call : second) {
                EXPECT_EQ(file.Write(call), OVERLAP_SUCCESS);
            }
            EXPECT_LT(overlap_file_waits(file), 0);
            overlap_file_declare(file, "", "", "", OVERLAP_SUCCESS);
            EXPECT_EQ(file.Write(first[1]), OVERLAP_SUCCESS);
            EXPECT_LT(overlap_file_waits(file), 0);
        });
        Program written = {first[0], first[1]};
        written.insert(written.end(), second.begin(), second.end());
        EXPECT_EQ(In(cluster, 4000), ContentOf(written));
        EXPECT_EQ(cluster.warnings().size(), 0U);
    }
}

// Of a call that does not fit beside what is held all is written, and the calls are counted on.
TEST(Declare, CallsOfUnknownSizeAreHeldAsFarAsThereIsRoom_HoweverFar) {
    FakeCluster cluster(Nodes(kRanks)); // 512 bytes a rank
    Program calls;
    for (int call = 0; call < 4; ++call) {
        calls.push_back(Interleaved(kRanks, 50, 4, (std::int64_t{1} << 20) * call));
    }
    std::vector<bool> waits;
    cluster.Run([&](FakeRank &rank) {
        const overlap_settings settings = AtOnce();
        OpenFile file(rank, settings);
        Declare(file, calls, Says::kCalls, rank.rank());
        for (const Pieces &call : calls) {
            EXPECT_EQ(file.Write(call), OVERLAP_SUCCESS);
            if (rank.rank() == 0) {
                waits.push_back(overlap_file_waits(file) >= 0);
            }
        }
    });
    EXPECT_EQ(waits, (std::vector<bool>{true, true, false, false}));
    EXPECT_EQ(In(cluster, 4 << 20), ContentOf(calls));
}

TEST(Declare, IsNotHeardWhereEachRankWritesItsOwn_NorWhereOthersMayWrite) {
    for (const bool independent : {false, true}) {
        ClusterOptions options = Nodes(kRanks);
        options.known_writer = OVERLAP_GAPS_PENDING_WRITE;
        if (!independent) {
            options.foreign = {100000};
        }
        FakeCluster cluster(options);
        const Program calls = Arrays();
        cluster.Run([&](FakeRank &rank) {
            overlap_settings settings = AtOnce();
            settings.writes = independent ? OVERLAP_TRANSFERS_INDEPENDENT : OVERLAP_TRANSFERS_AUTO;
            OpenFile file(rank, settings);
            Declare(file, calls, Says::kLayouts, rank.rank());
            for (const Pieces &call : calls) {
                EXPECT_EQ(file.Write(call), OVERLAP_SUCCESS);
                EXPECT_LT(overlap_file_waits(file), 0);
            }
        });
        EXPECT_EQ(In(cluster, 1000), ContentOf(calls));
        EXPECT_EQ(cluster.warnings().size(), independent ? 0U : 1U);
    }
}

TEST(Declare, WritesAtOnceInAtomicMode) {
    ClusterOptions options = Nodes(1);
    options.atomic_on = 0;
    FakeCluster cluster(options);
    const Program calls(3, Interleaved(1, 10, 2));
    cluster.Run([&](FakeRank &rank) {
        const overlap_settings settings = AtOnce();
        OpenFile file(rank, settings);
        Declare(file, calls, Says::kLayouts, rank.rank());
        for (const Pieces &call : calls) {
            EXPECT_EQ(file.Write(call), OVERLAP_SUCCESS);
            EXPECT_LT(overlap_file_waits(file), 0);
        }
    });
    EXPECT_EQ(In(cluster, 1000), ContentOf(calls));
}

} // namespace
} // namespace overlap::test
