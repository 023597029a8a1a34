// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// The text that says what a rank writes in declared calls.
#include "stages/declaration.h"

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>

namespace overlap::test {
namespace {

TEST(Declaration, HasALayoutForEachCall) {
    std::vector<StridedList> layouts;
    ASSERT_TRUE(ParseLayouts("10:4:38:100;;5:1,7:2;", layouts));
    ASSERT_EQ(layouts.size(), 3U);
    EXPECT_EQ(layouts[0].front(), (overlap::Run{10, 4, 38, 100}));
    EXPECT_TRUE(layouts[1].empty());
    EXPECT_EQ(layouts[2].bytes(), 3);
    ASSERT_TRUE(ParseLayouts(";", layouts));
    EXPECT_EQ(layouts.size(), 1U);
    ASSERT_TRUE(ParseLayouts("", layouts));
    EXPECT_TRUE(layouts.empty());
}

TEST(Declaration, TakesRunsInAnyOrder_EachByteOnce) {
    std::vector<StridedList> layouts;
    ASSERT_TRUE(ParseLayouts("4:4:38:3,0:4:38:3,2:4;", layouts));
    ASSERT_TRUE(layouts[0].ascending());
    EXPECT_EQ(layouts[0].bytes(), 24);
    EXPECT_EQ(layouts[0].front(), (overlap::Run{0, 8, 38, 3}));
}

TEST(Declaration, RefusesWhatIsNoLayout) {
    for (const char *text : {"?", "1:2", "1:2;3:4", "1;2:3;", "1:2:3;", "1:2:3:4:5;", "a:2;", "1:-2;", "-1:2;", "1:2:3:0;",
                             " 1:2;", "1:2 ;", "9223372036854775807:1;", "0:2:1:2;", "0:1:0:4000000000000000000;",
                             "0:1:9223372036854775807:3;", "0:4611686018427387904:1:2;", "99999999999999999999:1;"}) {
        std::vector<StridedList> layouts;
        EXPECT_FALSE(ParseLayouts(text, layouts)) << text;
    }
    std::vector<StridedList> layouts;
    EXPECT_TRUE(ParseLayouts(std::string(kMostDeclaredCalls, ';').c_str(), layouts));
    EXPECT_FALSE(ParseLayouts(std::string(kMostDeclaredCalls + 1, ';').c_str(), layouts));
    EXPECT_THROW(ParseLayouts("0:9223372036854775807,0:9223372036854775807;", layouts), std::range_error);
}

} // namespace
} // namespace overlap::test
