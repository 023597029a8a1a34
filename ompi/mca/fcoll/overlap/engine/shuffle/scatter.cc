#include "scatter.h"

#include "../access/positions.h"
#include "copy_blocks.h"

#include <array>

namespace overlap {
namespace {

// In the first level of the cache when it is read again.
constexpr ByteCount kAtOnce = ByteCount{16} * 1024;

const char *AddressOf(std::int64_t address) { return reinterpret_cast<const char *>(static_cast<std::intptr_t>(address)); }

} // namespace

void GatherShare(const Share &share, ByteCount from, ByteCount to, const StridedList &memory, char *packed) noexcept {
    share.stream.ForEach(from, to, [&](const Run &stream, ByteCount) {
        for (std::int64_t block = 0; block < stream.count; ++block) {
            const ByteCount start = stream.start + block * stream.stride;
            memory.ForEach(start, start + stream.length, [&packed](const Run &run, ByteCount) {
                CopyBlocks(packed, run.length, AddressOf(run.start), run.stride, run.length, run.count);
                packed += run.bytes();
            });
        }
    });
}

void ScatterBytes(const char *packed, const StridedList &file, ByteCount from, ByteCount to, const StridedList &data,
                  ByteCount base, char *buffer) noexcept {
    const auto copy = [&packed](char *at, const Run &run) {
        CopyBlocks(at, run.stride, packed, run.length, run.length, run.count);
        packed += run.bytes();
    };
    if (data.bytes() == data.end() - data.begin()) {
        const FileOffset first = data.begin() + base;
        file.ForEach(from, to, [&](const Run &run, ByteCount) { copy(buffer + (run.start - first), run); });
        return;
    }
    ForEachPosition(file, from, to, data, [&](const Run &run) { copy(buffer + (run.start - base), run); });
}

void CopyShare(const Share &share, ByteCount from, ByteCount to, const StridedList &memory, const StridedList &data,
               ByteCount base, char *buffer) noexcept {
    std::array<char, kAtOnce> packed;
    for (ByteCount next = from; next < to; from = next) {
        next = std::min(to, from + kAtOnce);
        GatherShare(share, from, next, memory, packed.data());
        ScatterBytes(packed.data(), share.file, from, next, data, base, buffer);
    }
}

} // namespace overlap
