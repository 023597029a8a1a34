// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "declaration.h"

#include "../access/access.h"

#include <algorithm>
#include <charconv>
#include <string_view>
#include <utility>

namespace overlap {
namespace {

// Removes and returns what stands before the first `separator`, and removes the separator. Without one: all of the text.
std::string_view TakeUpTo(std::string_view &text, char separator) {
    const std::size_t end = std::min(text.find(separator), text.size());
    const std::string_view word = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    return word;
}

bool ReadNumber(std::string_view word, std::int64_t least, std::int64_t most, std::int64_t &number) {
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
    return error == std::errc() && end == word.data() + word.size() && number >= least && number <= most;
}

// False where the run ends beyond the largest offset, or where its blocks do not ascend.
bool ReadRun(std::string_view word, Run &run) {
    std::int64_t numbers[4] = {0, 0, 0, 1};
    int count = 0;
    while (!word.empty() && count < 4) {
        if (!ReadNumber(TakeUpTo(word, ':'), 0, kLastOffset, numbers[count++])) {
            return false;
        }
    }
    run = Run{numbers[0], numbers[1], numbers[2], numbers[3]};
    std::int64_t end = 0, bytes = 0;
    return word.empty() && (count == 2 || count == 4) && run.count > 0 && (run.count == 1 || run.stride >= run.length) &&
           !__builtin_mul_overflow(run.count - 1, run.stride, &end) && !__builtin_add_overflow(end, run.start, &end) &&
           !__builtin_add_overflow(end, run.length, &end) && !__builtin_mul_overflow(run.length, run.count, &bytes);
}

// `layout` has the bytes in the order of the file, each byte once. Ascending() needs an access, so the runs get a memory
// layout that nobody reads.
bool ReadLayout(std::string_view text, StridedList &layout) {
    Access access;
    while (!text.empty()) {
        Run run{};
        if (!ReadRun(TakeUpTo(text, ','), run)) {
            return false;
        }
        CheckedAdd(access.file.bytes(), run.bytes());
        access.file.Append(run);
    }
    if (!access.file.ascending()) {
        access.memory.Append(Run{0, access.file.bytes(), 0, 1});
        access = Ascending(access);
    }
    access.file.ForEachRun([&layout](const Run &run) { layout.Append(run); }); // regular ones become one again
    return true;
}

} // namespace

bool ParseLayouts(const char *text, std::vector<StridedList> &layouts) {
    std::string_view rest = text;
    layouts.clear();
    while (!rest.empty()) {
        StridedList layout;
        if (rest.find(';') == rest.npos || layouts.size() == kMostDeclaredCalls ||
            !ReadLayout(TakeUpTo(rest, ';'), layout)) {
            return false;
        }
        layouts.push_back(std::move(layout));
    }
    return true;
}

} // namespace overlap
