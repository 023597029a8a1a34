// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "run_words.h"

#include <array>
#include <cstring>

namespace overlap {
namespace {

constexpr std::size_t kHeaderWords = 2; // packed chunks and runs behind them; bytes of these
constexpr int kRunBits = 16;            // of the first word
static_assert(StridedList::kUnpacked < std::size_t{1} << kRunBits);
constexpr std::size_t kWordBytes = sizeof(std::int64_t);
constexpr int kBits = 7;
constexpr std::uint8_t kMore = 0x80;
constexpr std::size_t kLongestRun = 40; // bytes: four numbers of 64 bits

std::uint64_t WithSignLast(std::int64_t number) {
    return (static_cast<std::uint64_t>(number) << 1) ^ static_cast<std::uint64_t>(number >> 63);
}

std::int64_t FromSignLast(std::uint64_t number) {
    return static_cast<std::int64_t>(number >> 1) ^ -static_cast<std::int64_t>(number & 1);
}

std::uint8_t *Write(std::uint64_t number, std::uint8_t *to) {
    for (; number >= kMore; number >>= kBits) {
        *to++ = static_cast<std::uint8_t>(number) | kMore;
    }
    *to++ = static_cast<std::uint8_t>(number);
    return to;
}

// As unsigned numbers, whose differences may pass the end of the range and come back.
std::uint8_t *Write(const Run &run, std::uint64_t end_before, std::uint8_t *to) {
    to = Write(WithSignLast(static_cast<std::int64_t>(static_cast<std::uint64_t>(run.start) - end_before)), to);
    to = Write(static_cast<std::uint64_t>(run.length), to);
    to = Write(static_cast<std::uint64_t>(run.count), to);
    return run.count > 1 ? Write(WithSignLast(run.stride), to) : to;
}

// Returns the bytes.
std::size_t BytesOf(const std::vector<Run> &runs) {
    std::array<std::uint8_t, kLongestRun> room{};
    std::size_t bytes = 0;
    std::uint64_t end = 0;
    for (const Run &run : runs) {
        bytes += static_cast<std::size_t>(Write(run, end, room.data()) - room.data());
        end = static_cast<std::uint64_t>(run.end());
    }
    return bytes;
}

class Reader {
  public:
    Reader(const std::uint8_t *from, const std::uint8_t *end) : at_(from), end_(end) {}

    std::uint64_t Number() {
        std::uint64_t number = 0;
        for (int shift = 0; at_ != end_ && shift < 64; shift += kBits) {
            const std::uint8_t byte = *at_++;
            number |= static_cast<std::uint64_t>(byte & (kMore - 1)) << shift;
            if ((byte & kMore) == 0) {
                return number;
            }
        }
        throw std::invalid_argument("a run that ends early");
    }

  private:
    const std::uint8_t *at_;
    const std::uint8_t *end_;
};

} // namespace

void AddRuns(const StridedList &list, UnsizedMessage &message) {
    const std::size_t bytes = BytesOf(list.tail());
    const std::size_t words = (bytes + kWordBytes - 1) / kWordBytes;
    std::int64_t *at = message.Extend(kHeaderWords + words + list.packed().Words());
    *at++ = static_cast<std::int64_t>(list.packed().chunks() << kRunBits | list.tail().size());
    *at++ = static_cast<std::int64_t>(bytes);
    auto *to = reinterpret_cast<std::uint8_t *>(at);
    std::uint64_t end = 0;
    for (const Run &run : list.tail()) {
        to = Write(run, end, to);
        end = static_cast<std::uint64_t>(run.end());
    }
    list.packed().Write(at + words);
}

StridedList RunsOf(const std::int64_t *words, std::size_t count) {
    RequireForm(count >= kHeaderWords);
    const std::size_t chunks = static_cast<std::size_t>(words[0]) >> kRunBits;
    const std::size_t runs = static_cast<std::size_t>(words[0]) % (std::size_t{1} << kRunBits);
    const auto bytes = static_cast<std::size_t>(words[1]);
    RequireForm(bytes <= (count - kHeaderWords) * kWordBytes && runs <= bytes);
    const std::size_t behind = kHeaderWords + (bytes + kWordBytes - 1) / kWordBytes;
    PackedRuns packed;
    RequireForm(behind + packed.Read(chunks, words + behind, count - behind) == count);
    StridedList list = StridedList::Of(std::move(packed));

    const auto *const from = reinterpret_cast<const std::uint8_t *>(words + kHeaderWords);
    Reader reader(from, from + bytes);
    std::uint64_t end = 0;
    for (std::size_t i = 0; i < runs; ++i) {
        Run run;
        run.start = static_cast<std::int64_t>(end + static_cast<std::uint64_t>(FromSignLast(reader.Number())));
        run.length = static_cast<ByteCount>(reader.Number());
        run.count = static_cast<std::int64_t>(reader.Number());
        run.stride = run.count > 1 ? FromSignLast(reader.Number()) : 0;
        list.Append(run);
        end = static_cast<std::uint64_t>(run.end());
    }
    return list;
}

} // namespace overlap
