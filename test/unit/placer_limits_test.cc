// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// Limits on aggregators, and the hint cb_config_list, in whole collective writes.
#include "placed_write.h"

#include <set>

namespace overlap::test {
namespace {

std::set<int> WithConfigList(const char *list, overlap_placement placement, std::vector<overlap_warning> warnings = {}) {
    FakeCluster cluster(PlacedOptions(6, 2, 3));
    overlap_settings settings = PlacedSettings(placement);
    SetText(settings.config_list, list);
    ExpectWritten(cluster, settings, BackwardPieces(6, 3), list, 2);
    EXPECT_EQ(cluster.warnings(), warnings) << list;
    return Writers(cluster);
}

TEST(ConfigListHint, NamesTheHostsAndRanksThatAggregate) {
    EXPECT_EQ(WithConfigList("n1:*,n2:1", OVERLAP_PLACEMENT_SPREAD), (std::set<int>{2, 3, 4}));
    EXPECT_EQ(WithConfigList("n1", OVERLAP_PLACEMENT_SPREAD), (std::set<int>{2}));
    EXPECT_EQ(WithConfigList("n2:1,*:1", OVERLAP_PLACEMENT_LAP), (std::set<int>{0, 3, 5}));
    EXPECT_EQ(WithConfigList("n2.cluster:2,*:0", OVERLAP_PLACEMENT_TAPIOCA), (std::set<int>{4, 5}));
    EXPECT_EQ(WithConfigList("rank:1,3-4,99", OVERLAP_PLACEMENT_LOCALITY), (std::set<int>{1, 3, 4}));
    EXPECT_EQ(WithConfigList("rank:1", OVERLAP_PLACEMENT_OMPIO), (std::set<int>{1}));
}

TEST(ConfigListHint, ThatCannotBeReadOrLeavesNobodyIsIgnoredAndSaidOnce) {
    for (const overlap_placement placement : {OVERLAP_PLACEMENT_SPREAD, OVERLAP_PLACEMENT_LAP}) {
        const std::set<int> usual = WithConfigList("", placement);
        for (const char *list : {"n1:two", ":1", "n1,,n2", "rank:3-1", "rank:-1", "n1:-1"}) {
            EXPECT_EQ(WithConfigList(list, placement, {OVERLAP_WARNING_CONFIG_LIST}), usual) << list;
        }
        for (const char *list : {"elsewhere:4", "*:0", "rank:", "rank:77"}) {
            EXPECT_EQ(WithConfigList(list, placement, {OVERLAP_WARNING_LIMITS}), usual) << list;
        }
    }
}

TEST(ConfigListHint, TakesNoAgreementOfItsOwnInACallThatRepeatsAnother) {
    const auto collectives = [](int calls) {
        FakeCluster cluster(PlacedOptions(6, 2, 3));
        overlap_settings settings = PlacedSettings(OVERLAP_PLACEMENT_SPREAD);
        SetText(settings.config_list, "n1:*,n2:1");
        const Pieces pieces = BackwardPieces(6, 3);
        ExpectSuccess(WriteAll(cluster, settings, pieces, calls), pieces, "");
        return cluster.Collectives();
    };
    EXPECT_EQ(collectives(3) - collectives(1), 2 * 2); // summary and status
}

} // namespace
} // namespace overlap::test
