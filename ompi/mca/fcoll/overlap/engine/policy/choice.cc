// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "choice.h"

#include "../schedule/schedule.h"

#include <algorithm>
#include <iterator>
#include <string_view>
#include <tuple>

namespace overlap {
namespace {

// Below it a domain is small, unless the collective buffer is smaller.
constexpr ByteCount kSmallDomain = ByteCount{256} * 1024;

// Of an aggregator: their write takes hardly longer than the messages that make a plan (bench/RESULTS.md, "Declared
// writes").
constexpr ByteCount kFewBytes = ByteCount{1024} * 1024;

// Where nobody asked for a size, a sub-buffer stays small enough to be in the cache when it is written, as long as the
// messages that fill it stay worth sending (bench/RESULTS.md). A write of a page cache is a copy, for which all sub-buffers
// are best in a cache of one processor; other writes are worth starting only if they are longer. A striped file system is
// given the large writes that it is built for.
struct Size {
    ByteCount cached;
    ByteCount worth_sending; // to an aggregator in a cycle
};
constexpr Size kCopied{ByteCount{512} * 1024, ByteCount{32} * 1024};
constexpr Size kStarted{ByteCount{2} * 1024 * 1024, ByteCount{64} * 1024};

ByteCount SubBufferSize(const overlap_file_facts &facts, int slots, int ranks, int nodes, const Advice &advice) {
    const ByteCount share = std::max<ByteCount>(1, facts.collective_buffer_size / slots);
    if (facts.collective_buffer_chosen != 0) {
        return share;
    }
    if (advice.sub_buffer) {
        return std::min(share, *advice.sub_buffer);
    }
    const Size &size = WritesAreCopies(facts, nodes) ? kCopied : kStarted;
    return facts.stripe_size > 0 ? share : std::min(share, std::max(size.cached, size.worth_sending * ranks));
}

// File systems of the node itself: what is written is copied into memory, or into the page cache before a disk.
constexpr std::string_view kPageCached[] = {"tmpfs", "ramfs", "ext2",     "ext3", "ext4",   "xfs",
                                            "btrfs", "f2fs",  "bcachefs", "zfs",  "overlay"};

constexpr int kFewSlots = 4;
// Between nodes clients do not come equally fast, and one that lags keeps as few others waiting as there are slots.
constexpr int kManySlots[] = {16, 8};

// What is asked for, else what is advised, else the last.
template <typename Value> Value FirstOf(Value asked, const std::optional<Value> &advised, Value automatic, Value last) {
    const Value wanted = asked == automatic ? advised.value_or(automatic) : asked;
    return wanted == automatic ? last : wanted;
}

overlap_algorithm UsualAlgorithm(overlap_shuffle shuffle, int nodes, bool nonblocking) {
    const bool any_order = shuffle != OVERLAP_SHUFFLE_PUT_FENCE;
    return nonblocking || (nodes > 1 && any_order) ? OVERLAP_ALGORITHM_DATAFLOW : OVERLAP_ALGORITHM_WRITE_COMM;
}

int UsualSlots(const overlap_file_facts &facts, overlap_algorithm algorithm, int ranks, int nodes, const Advice &advice,
               bool nonblocking) {
    if (nonblocking) {
        return OVERLAP_SLOTS_MAX;
    }
    if (nodes == 1 || algorithm != OVERLAP_ALGORITHM_DATAFLOW) {
        return kFewSlots;
    }
    const ByteCount wanted = SubBufferSize(facts, kFewSlots, ranks, nodes, advice);
    const auto *const many = std::find_if(std::begin(kManySlots), std::end(kManySlots), [&](int slots) {
        return SubBufferSize(facts, slots, ranks, nodes, advice) == wanted; // there is the room
    });
    return many == std::end(kManySlots) ? kFewSlots : *many;
}

auto Members(const Choice &choice) {
    return std::tie(choice.algorithm, choice.shuffle, choice.writer, choice.partition, choice.slots, choice.sub_buffer,
                    choice.alignment, choice.striped, choice.targets, choice.striping, choice.window_bytes, choice.put_bytes,
                    choice.throttle, choice.aggregators, choice.ompio);
}

} // namespace

ByteCount Choice::SmallestDomain() const { return std::min(kSmallDomain, sub_buffer); }

std::int64_t Choice::MovesBy(int nodes, int domains, ByteCount busiest) const {
    if (striping.stripe > 0) {
        std::int64_t round = 0; // of the domains
        return __builtin_mul_overflow(striping.stripe, domains, &round) ? kLastOffset : round;
    }
    return striped || writer == OVERLAP_WRITER_LIBAIO || (nodes > 1 && busiest > kFewBytes) ? alignment : 1;
}

bool Choice::operator==(const Choice &other) const { return Members(*this) == Members(other); }

bool WritesAreCopies(const overlap_file_facts &facts, int nodes) noexcept {
    return nodes == 1 && std::find(std::begin(kPageCached), std::end(kPageCached), std::string_view(facts.file_system)) !=
                             std::end(kPageCached);
}

Choice Choose(const overlap_settings &settings, const overlap_file_facts &facts, int ranks, int nodes, bool nonblocking) {
    if (settings.algorithm != OVERLAP_ALGORITHM_AUTO) {
        static_cast<void>(AlgorithmOf(settings.algorithm)); // throws where there is none
    }
    Choice choice;
    choice.ompio.assign(facts.ompio_aggregators, facts.ompio_aggregators + facts.ompio_aggregator_count);
    Follow(Advice(), settings, facts, ranks, nodes, nonblocking, choice);
    return choice;
}

void Follow(const Advice &advice, const overlap_settings &settings, const overlap_file_facts &facts, int ranks, int nodes,
            bool nonblocking, Choice &choice) noexcept {
    choice.shuffle = FirstOf(settings.shuffle, advice.shuffle, OVERLAP_SHUFFLE_AUTO, OVERLAP_SHUFFLE_TWO_SIDED);
    choice.writer = FirstOf(settings.writer, advice.writer, OVERLAP_WRITER_AUTO,
                            facts.posix != 0 ? OVERLAP_WRITER_THREAD : OVERLAP_WRITER_FBTL);
    choice.algorithm = FirstOf(settings.algorithm, advice.algorithm, OVERLAP_ALGORITHM_AUTO,
                               UsualAlgorithm(choice.shuffle, nodes, nonblocking));
    choice.partition =
        settings.partition == OVERLAP_PARTITION_EVEN ? advice.partition.value_or(settings.partition) : settings.partition;
    choice.slots =
        SlotsOf(choice.algorithm, FirstOf<int>(settings.slots, advice.slots, OVERLAP_SLOTS_AUTO,
                                               UsualSlots(facts, choice.algorithm, ranks, nodes, advice, nonblocking)));
    choice.sub_buffer = SubBufferSize(facts, choice.slots, ranks, nodes, advice);
    choice.striped = facts.stripe_size > 0;
    choice.targets = choice.striped ? std::max(0, facts.stripe_count) : 0;
    choice.alignment = std::max<ByteCount>(1, facts.stripe_size > 0 ? facts.stripe_size : facts.block_size);
    if (choice.partition == OVERLAP_PARTITION_STATIC) {
        choice.striping = StripingOf(facts, choice.sub_buffer);
        // A cycle ends with a stripe where it has the room for one.
        choice.alignment = choice.striping.stripe <= choice.sub_buffer ? choice.striping.stripe : choice.alignment;
    }
    choice.window_bytes = settings.window_threshold;
    choice.put_bytes = settings.put_threshold;
    choice.throttle = settings.throttle;
    choice.aggregators = facts.aggregators > 0 ? facts.aggregators : advice.aggregators.value_or(0);
}

} // namespace overlap
