#include "write_alone.h"

#include "../access/block_walk.h"
#include "../guard.h"

#include <vector>

namespace overlap {
namespace {

constexpr ByteCount kLargeBlock = ByteCount{64} * 1024;
constexpr std::size_t kExtentsAtOnce = 1024;

std::int64_t Blocks(const StridedList &list) {
    std::int64_t blocks = 0;
    list.ForEachRun([&blocks](const Run &run) { blocks += run.count; });
    return blocks;
}

// Hands extents to the storage in batches and stops at the first error.
class BatchedWrite {
  public:
    BatchedWrite(const overlap_storage &storage, Sieve &sieve) : storage_(storage), sieve_(sieve) {
        extents_.reserve(kExtentsAtOnce);
    }

    void Add(FileOffset offset, std::int64_t address, ByteCount length) {
        extents_.push_back(overlap_extent{offset, reinterpret_cast<char *>(static_cast<std::intptr_t>(address)),
                                          static_cast<std::size_t>(length)});
        if (extents_.size() == kExtentsAtOnce) {
            Flush();
        }
    }

    Status Finish(ByteCount &on_file) {
        Flush();
        on_file = written_;
        return status_;
    }

  private:
    void Flush() {
        ByteCount written = 0;
        if (status_.ok() && !extents_.empty()) {
            status_ = sieve_.Takes(extents_) ? sieve_.Write(extents_, written) : WriteList(written);
        }
        written_ += written;
        extents_.clear();
    }

    Status WriteList(ByteCount &written) {
        std::size_t bytes = 0;
        const Status status(storage_.write(storage_.self, extents_.data(), extents_.size(), &bytes));
        written = static_cast<ByteCount>(bytes);
        return status;
    }

    const overlap_storage &storage_;
    Sieve &sieve_;
    std::vector<overlap_extent> extents_;
    ByteCount written_ = 0;
    Status status_;
};

} // namespace

bool WritesAlone(const Access &access) {
    if (access.file.empty()) {
        return false;
    }
    const std::int64_t blocks = Blocks(access.memory);
    return blocks <= Blocks(access.file) || access.memory.bytes() / blocks >= kLargeBlock;
}

Status WriteAlone(FileResources &resources, const Access &access, ByteCount &on_file) {
    return Guarded([&] {
        const bool gaps = access.file.end() - access.file.begin() > access.file.bytes();
        BatchedWrite batch(resources.storage(), resources.SieveAlone(gaps));
        BlockWalk memory(access.memory);
        access.file.ForEachRun([&](const Run &file) {
            for (std::int64_t block = 0; block < file.count; ++block) {
                FileOffset offset = file.start + block * file.stride;
                memory.Next(file.length, [&](std::int64_t address, ByteCount length) {
                    batch.Add(offset, address, length);
                    offset += length;
                });
            }
        });
        return batch.Finish(on_file);
    });
}

} // namespace overlap
