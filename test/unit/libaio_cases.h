// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// For the tests of the I/O engine libaio on real files: a folder, memory, and whether direct writes are to be had.
#ifndef TEST_UNIT_LIBAIO_CASES_H
#define TEST_UNIT_LIBAIO_CASES_H

#include "real_file.h"

#include <cstdlib>
#include <gtest/gtest.h>
#include <random>

namespace overlap::test {

constexpr std::size_t kPage = 4096;

// Page-aligned, filled by chance.
class Buffer {
  public:
    Buffer(std::size_t size, unsigned seed) : memory_(static_cast<char *>(std::aligned_alloc(kPage, size))) {
        std::mt19937 random(seed);
        for (std::size_t i = 0; i < size; ++i) {
            memory_.get()[i] = static_cast<char>('a' + random() % 26);
        }
    }
    char *data() const { return memory_.get(); }

  private:
    struct Free {
        void operator()(char *memory) const { std::free(memory); }
    };
    std::unique_ptr<char, Free> memory_;
};

class Libaio : public testing::Test {
  protected:
    void SetUp() override {
        RealFile file(Disk());
        const auto engine = file.Engine(OVERLAP_WRITER_LIBAIO, 1, 1);
        const Buffer page(kPage, 0);
        ByteCount written = 0;
        EXPECT_TRUE(engine->Transfer(OVERLAP_WRITE, {{0, page.data(), kPage}}, written).ok());
        if (std::string(engine->name()) != "libaio" || file.ordinary_bytes > 0) {
            GTEST_SKIP() << "libaio was not built, the kernel refuses it, or " << Disk() << " takes no direct writes";
        }
    }
};

} // namespace overlap::test

#endif
