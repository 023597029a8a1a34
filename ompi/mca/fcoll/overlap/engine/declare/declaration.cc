#include "declaration.h"

#include "../access/access.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <string_view>

namespace overlap {
namespace {

// What stands before the first `separator`, which both are taken off; all of it where there is none.
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

bool ReadBytes(std::string_view word, std::int64_t &bytes) {
    constexpr std::string_view kUnits = "kmg";
    const std::size_t unit = word.empty() ? kUnits.npos : kUnits.find(static_cast<char>(word.back() | 0x20));
    const int shift = unit == kUnits.npos ? 0 : 10 * (static_cast<int>(unit) + 1);
    if (shift > 0) {
        word.remove_suffix(1);
    }
    if (!ReadNumber(word, 0, kLastOffset >> shift, bytes)) {
        return false;
    }
    bytes <<= shift;
    return true;
}

// One that ends in the file, and whose blocks ascend.
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

// In the order of the file, each byte once. A byte of memory stands for each, of which nothing is looked at.
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

bool ParseDeclaration(const char *text, Declaration &declaration) {
    declaration = Declaration();
    std::string_view rest = text;
    if (rest.empty() || rest == "off") {
        return true;
    }
    while (!rest.empty()) {
        std::string_view value = TakeUpTo(rest, ',');
        const std::string_view key = TakeUpTo(value, '=');
        std::int64_t number = 0;
        if (key == "calls" && ReadNumber(value, 1, Declaration::kMostCalls, number)) {
            declaration.calls = static_cast<int>(number);
        } else if (key == "bytes" && ReadBytes(value, number)) {
            declaration.bytes = number;
        } else if (key == "parts" && ReadNumber(value, 0, OVERLAP_DECLARED_PARTS, number)) {
            declaration.parts = static_cast<int>(number);
        } else if (key != "serial" || !ReadNumber(value, 0, kLastOffset, number)) {
            return false;
        }
    }
    return declaration.calls > 0;
}

bool ParseLayouts(const char *text, Declaration &declaration) {
    std::string_view rest = text;
    ByteCount bytes = 0;
    declaration.layouts.clear();
    for (int call = 0; call < declaration.calls; ++call) {
        const bool last = call + 1 == declaration.calls;
        StridedList layout;
        if (last != (rest.find(';') == rest.npos) || !ReadLayout(TakeUpTo(rest, ';'), layout)) {
            return false;
        }
        bytes = CheckedAdd(bytes, layout.bytes());
        declaration.layouts.push_back(std::move(layout));
    }
    declaration.bytes = std::max(declaration.bytes, bytes);
    return true;
}

} // namespace overlap
