// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// What an aggregator tells of a write that failed in part: of each client exactly the bytes that are on file.
#include "call/cycle_io.h"
#include "cases_tried.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>

namespace overlap::test {
namespace {

// Cuts lists into pieces of a few bytes and has some of them fail; what comes behind a failed one is written or not. Once a
// list has failed, those that were started before it and after it may fail as well.
class TornWriter final : public IoEngine {
  public:
    explicit TornWriter(unsigned seed) : random_(seed) {}

    void Prepare(std::size_t requests, std::size_t /*extents*/) override {
        pending_.resize(requests);
        written_behind_.reserve(64);
    }
    const char *name() const override { return "torn"; }
    Status Transfer(overlap_direction, const Extents &extents, ByteCount &done) noexcept override {
        return Write(extents, done);
    }
    void Start(std::size_t request, overlap_direction, const Extents &extents) noexcept override {
        pending_.at(request) = extents;
    }
    Status Wait(std::size_t request, ByteCount &done) noexcept override {
        const Extents extents = std::move(pending_.at(request));
        pending_.at(request).clear();
        return Write(extents, done);
    }
    bool Done(std::size_t) noexcept override { return true; }

    std::set<FileOffset> on_file;

  private:
    Status Write(const Extents &extents, ByteCount &done) {
        written_behind_.clear();
        const bool fails = random_() % 4 == 0;
        ByteCount position = 0;
        bool lacks = false;
        done = 0;
        for (const overlap_extent &extent : extents) {
            for (std::size_t byte = 0; byte < extent.length;) {
                const std::size_t piece = std::min<std::size_t>(1 + random_() % 5, extent.length - byte);
                const bool written = !fails || random_() % 3 != 0;
                for (std::size_t i = 0; written && i < piece; ++i) {
                    on_file.insert(extent.offset + static_cast<FileOffset>(byte + i));
                }
                const auto bytes = static_cast<ByteCount>(piece);
                if (written && !lacks) {
                    done += bytes;
                } else if (written && !written_behind_.empty() && written_behind_.back().last == position) {
                    written_behind_.back().last += bytes;
                } else if (written) {
                    written_behind_.push_back(Range{position, position + bytes});
                }
                lacks = lacks || !written;
                position += bytes;
                byte += piece;
            }
        }
        return Status(lacks ? OVERLAP_ERR_NO_SPACE : OVERLAP_SUCCESS);
    }

    std::mt19937 random_;
    std::vector<Extents> pending_;
};

// Two domains, in which blocks of three ranks take turns, with gaps here and there.
Plan TornPlan(std::mt19937 &random) {
    Plan plan;
    FileOffset offset = 0;
    for (int domain = 0; domain < 2; ++domain) {
        OwnedDomain &owned = plan.owned.emplace_back();
        owned.domain = domain;
        const FileOffset begin = offset;
        for (Rank rank = 0; rank < 3; ++rank) {
            owned.clients.push_back(Client{rank, StridedList()});
        }
        for (unsigned blocks = 8 + random() % 8; blocks > 0; --blocks) {
            const auto length = static_cast<ByteCount>(1 + random() % 7);
            owned.clients[random() % 3].file.Append(overlap::Run{offset, length, 0, 1});
            offset += length + static_cast<FileOffset>(random() % 3 == 0 ? random() % 4 : 0);
        }
        CoverDomain(Domain{begin, offset}, 12, 1, owned);
        owned.cuts.StartWith(static_cast<Cycle>(random()) % owned.cycles());
        plan.cycles = std::max(plan.cycles, owned.cycles());
    }
    plan.MeasureCycles();
    return plan;
}

TEST(CycleIo, CountsOfEachClientWhatIsOnFileWhateverFails) {
    const unsigned seeds = test::Drawn(3000);
    unsigned failed = 0, torn = 0;
    for (unsigned seed = 0; seed < seeds; ++seed) {
        std::mt19937 random(seed);
        const Plan plan = TornPlan(random);
        const int slots = 1 + static_cast<int>(random() % 3);
        SubBuffers buffers;
        buffers.Reserve(slots, 2, 12);
        TornWriter writer(seed);
        writer.Prepare(static_cast<std::size_t>(slots) * 2, 64);
        CycleIo io(OVERLAP_WRITE, plan, buffers, writer, slots);
        const bool blocks = random() % 4 == 0;
        for (Cycle cycle = 0; cycle < plan.cycles + slots; ++cycle) {
            const auto slot = static_cast<Slot>(cycle % slots);
            if (cycle >= slots && !blocks) {
                io.Wait(cycle - slots, slot);
            }
            if (cycle < plan.cycles) {
                io.Start(cycle, slot, blocks);
            }
        }
        ByteCount all = 0;
        for (std::size_t owned = 0; owned < plan.owned.size(); ++owned) {
            EXPECT_LE(io.Done(owned).size(), io.MostIntervals()) << seed;
            for (const Client &client : plan.owned[owned].clients) {
                ByteCount expected = 0;
                for (ByteCount byte = 0; byte < client.file.bytes(); ++byte) {
                    expected += writer.on_file.count(client.file.StartOf(byte)) != 0 ? 1 : 0;
                }
                ByteCount told = 0;
                for (const Range &done : io.Done(owned)) {
                    told += client.file.BytesBefore(done.last) - client.file.BytesBefore(done.first);
                }
                ASSERT_EQ(told, expected) << seed << ", domain " << owned << ", rank " << client.rank;
                all += expected;
            }
        }
        EXPECT_EQ(io.transferred(), all) << seed;
        failed += io.status().ok() ? 0U : 1U;
        torn += writer.WrittenBehind().empty() ? 0U : 1U;
    }
    EXPECT_GT(failed, seeds / 3);
    EXPECT_GT(torn, seeds / 30);
}

} // namespace
} // namespace overlap::test
