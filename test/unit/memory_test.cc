// What a rank allocates, counted by thread: a rank that does not aggregate needs no more when there are more ranks.
#include "fake_cluster.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <new>

namespace {

thread_local std::size_t *allocated = nullptr; // counts where a test has set it

void *Counted(std::size_t size) {
    if (allocated != nullptr) {
        *allocated += size;
    }
    void *const memory = std::malloc(size > 0 ? size : 1);
    if (memory == nullptr) {
        throw std::bad_alloc();
    }
    return memory;
}

} // namespace

void *operator new(std::size_t size) { return Counted(size); }
void *operator new[](std::size_t size) { return Counted(size); }
void *operator new(std::size_t size, const std::nothrow_t &) noexcept { return Counted(size); }
void *operator new[](std::size_t size, const std::nothrow_t &) noexcept { return Counted(size); }
void operator delete(void *memory) noexcept { std::free(memory); }
void operator delete[](void *memory) noexcept { std::free(memory); }
void operator delete(void *memory, std::size_t) noexcept { std::free(memory); }
void operator delete[](void *memory, std::size_t) noexcept { std::free(memory); }

namespace overlap::test {
namespace {

// What the ports allocate is the fake cluster's and not the engine's.
struct Uncounted {
    Uncounted() { allocated = nullptr; }
    ~Uncounted() { allocated = counter; }
    std::size_t *const counter = allocated;
};

thread_local const overlap_transport *counted_transport = nullptr;

overlap_transport Uncounting(const overlap_transport &original) {
    counted_transport = &original;
    overlap_transport wrapped = original;
    wrapped.send = [](void *self, int peer, int tag, const overlap_piece *pieces, std::size_t count,
                      overlap_request **request) {
        const Uncounted pause;
        return counted_transport->send(self, peer, tag, pieces, count, request);
    };
    wrapped.wait = [](void *self, overlap_request **requests, std::size_t count) {
        const Uncounted pause;
        return counted_transport->wait(self, requests, count);
    };
    wrapped.allreduce = [](void *self, std::int64_t *values, std::size_t count, overlap_reduction reduction) {
        const Uncounted pause;
        return counted_transport->allreduce(self, values, count, reduction);
    };
    return wrapped;
}

// Bytes that the last rank, which does not aggregate, allocates while it writes 4096 interleaved blocks of 16 bytes.
std::size_t AllocatedByAClient(int ranks) {
    constexpr std::size_t kBlock = 16, kBlocks = 4096;
    ClusterOptions options;
    options.ranks = ranks;
    options.aggregators = 2;
    options.collective_buffer = 1 << 18;
    options.block_size = 4096;
    FakeCluster cluster(options);
    const overlap_settings settings = {OVERLAP_ALGORITHM_NONE,
                                       OVERLAP_SHUFFLE_TWO_SIDED,
                                       OVERLAP_WRITER_FBTL,
                                       2,
                                       OVERLAP_PARTITION_EVEN,
                                       OVERLAP_PLACEMENT_SPREAD,
                                       0,
                                       OVERLAP_HOLES_AUTO};
    const std::vector<char> memory(kBlock * kBlocks, 'x');
    std::size_t bytes = 0;

    cluster.Run([&](FakeRank &rank) {
        const iovec file_block = {nullptr, kBlock};
        const iovec memory_block = {nullptr, 1};
        overlap_access access{};
        access.bytes = memory.size();
        access.file = {&file_block, 1, static_cast<std::int64_t>(kBlock) * ranks,
                       static_cast<std::int64_t>(kBlock) * rank.rank(), 0};
        access.memory = {&memory_block, 1, 1, reinterpret_cast<std::intptr_t>(memory.data()), 0};
        std::size_t counted = 0, on_file = 0;
        const overlap_transport transport = Uncounting(rank.transport);
        overlap_file *file = overlap_file_open(&transport, &rank.storage, &settings);
        allocated = rank.rank() == ranks - 1 ? &counted : nullptr;
        overlap_file_write_all(file, &access, &on_file);
        allocated = nullptr;
        if (rank.rank() == ranks - 1) {
            bytes = counted;
        }
        overlap_file_close(file, 1);
    });
    return bytes;
}

TEST(Memory, OfARankThatDoesNotAggregateDoesNotGrowWithTheRanks) {
    const std::size_t few = AllocatedByAClient(4);

    for (const int ranks : {8, 16, 32}) {
        const std::size_t many = AllocatedByAClient(ranks);
        // More ranks write more in all, so the program has more steps, of 24 bytes each; and the placement lists the ranks.
        EXPECT_LT(many, few + few / 10 + 1024 + static_cast<std::size_t>(ranks) * 32)
            << ranks << " ranks, against " << few << " bytes with 4";
    }
}

} // namespace
} // namespace overlap::test
