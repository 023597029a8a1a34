// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// The content of a file in memory, of which only what is written takes any.
#ifndef TEST_UNIT_FAKE_FILE_H
#define TEST_UNIT_FAKE_FILE_H

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>

namespace overlap::test {

class FakeFile {
  public:
    FakeFile() = default;
    FakeFile(FakeFile &&) = default;
    FakeFile &operator=(FakeFile &&) = default;

    /// What a byte reads as that was never written, and what no written one may be.
    static constexpr char kNeverWritten = '.';

    char At(std::int64_t offset) const {
        const auto page = pages_.find(offset / kPage);
        return page == pages_.end() ? kNeverWritten : page->second[static_cast<std::size_t>(offset % kPage)];
    }

    void Set(std::int64_t offset, char value) {
        if (page_ == nullptr || offset / kPage != number_) {
            number_ = offset / kPage;
            const auto [page, made] = pages_.try_emplace(number_);
            page_ = &page->second;
            if (made) {
                page_->fill(kNeverWritten);
            }
        }
        char &byte = (*page_)[static_cast<std::size_t>(offset % kPage)];
        written_ += byte == kNeverWritten ? 1 : 0;
        byte = value;
        end_ = std::max(end_, offset + 1);
    }

    /// Bytes that were written.
    std::int64_t written() const { return written_; }
    /// Behind the last one of them.
    std::int64_t end() const { return end_; }

  private:
    static constexpr std::int64_t kPage = 4096;

    std::map<std::int64_t, std::array<char, kPage>> pages_;
    std::int64_t number_ = 0; // of the page that was set last
    std::array<char, kPage> *page_ = nullptr;
    std::int64_t written_ = 0;
    std::int64_t end_ = 0;
};

} // namespace overlap::test

#endif
