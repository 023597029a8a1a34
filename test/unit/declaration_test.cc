// The texts that say which writes come.
#include "declare/declaration.h"

#include <gtest/gtest.h>

#include <string>

namespace overlap::test {
namespace {

Declaration Read(const char *text) {
    Declaration declaration;
    EXPECT_TRUE(ParseDeclaration(text, declaration)) << text;
    return declaration;
}

TEST(Declaration, SaysCallsBytesAndParts) {
    const Declaration declaration = Read("calls=9,bytes=38000,parts=3,serial=7");
    EXPECT_EQ(declaration.calls, 9);
    EXPECT_EQ(declaration.bytes, 38000);
    EXPECT_EQ(declaration.parts, 3);
    EXPECT_LT(Read("calls=9").bytes, 0);
    EXPECT_EQ(Read("bytes=0,calls=1").bytes, 0);
    EXPECT_EQ(Read("").calls, 0);
    EXPECT_EQ(Read("off").calls, 0);
}

TEST(Declaration, CountsBytesInPowersOf1024) {
    EXPECT_EQ(Read("calls=1,bytes=3k").bytes, 3 << 10);
    EXPECT_EQ(Read("calls=1,bytes=5M").bytes, 5 << 20);
    EXPECT_EQ(Read("calls=1,bytes=8589934591g").bytes, std::int64_t{8589934591} << 30);
}

TEST(Declaration, IsNothingElse) {
    for (const char *text : {"on",
                             "calls",
                             "calls=",
                             "calls=0",
                             "calls=4097",
                             "calls=-1",
                             "calls=9 ",
                             " calls=9",
                             "calls=9x",
                             "bytes=5",
                             "calls=9,bytes=",
                             "calls=9,bytes=k",
                             "calls=9,bytes=-1",
                             "calls=9,bytes=5t",
                             "calls=9,bytes=8589934592g",
                             "calls=9,parts=9",
                             "calls=9,serial=x",
                             "calls=9,color=red",
                             "calls=9;bytes=5",
                             "calls=99999999999999999999"}) {
        Declaration declaration;
        EXPECT_FALSE(ParseDeclaration(text, declaration)) << text;
    }
}

TEST(Declaration, HasALayoutForEachCall) {
    Declaration declaration = Read("calls=3");
    ASSERT_TRUE(ParseLayouts("10:4:38:100;;5:1,7:2", declaration));
    ASSERT_EQ(declaration.layouts.size(), 3U);
    EXPECT_EQ(declaration.layouts[0].front(), (overlap::Run{10, 4, 38, 100}));
    EXPECT_TRUE(declaration.layouts[1].empty());
    EXPECT_EQ(declaration.layouts[2].bytes(), 3);
    EXPECT_EQ(declaration.bytes, 403);
}

TEST(Declaration, TakesRunsInAnyOrder_EachByteOnce) {
    Declaration declaration = Read("calls=1");
    ASSERT_TRUE(ParseLayouts("4:4:38:3,0:4:38:3,2:4", declaration));
    ASSERT_TRUE(declaration.layouts[0].ascending());
    EXPECT_EQ(declaration.layouts[0].bytes(), 24);
    EXPECT_EQ(declaration.layouts[0].front(), (overlap::Run{0, 8, 38, 3}));
}

TEST(Declaration, RefusesLayoutsThatAreNone) {
    for (const char *text : {"1:2", "1:2;3:4;5:6", "1;2:3", "1:2:3;", "1:2:3:4:5;", "a:2;", "1:-2;", "-1:2;", "1:2:3:0;",
                             "9223372036854775807:1;", "0:2:1:2;", "0:1:0:4000000000000000000;",
                             "0:1:9223372036854775807:3;", "1:2;3:4;", "0:4611686018427387904:1:2;"}) {
        Declaration declaration = Read("calls=2");
        EXPECT_FALSE(ParseLayouts(text, declaration)) << text;
    }
    Declaration declaration = Read("calls=2");
    EXPECT_THROW(ParseLayouts("0:9223372036854775807;0:9223372036854775807", declaration), std::range_error);
}

} // namespace
} // namespace overlap::test
