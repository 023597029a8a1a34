#include "choice.h"

#include "../schedule/schedule.h"

#include <algorithm>
#include <tuple>

namespace overlap {
namespace {

// Below it a domain is small, unless the collective buffer is smaller.
constexpr ByteCount kSmallDomain = ByteCount{256} * 1024;

// Where nobody asked for a size, a sub-buffer stays small enough to be in the cache when it is written, as long as the
// messages that fill it stay worth sending (bench/RESULTS.md). A striped file system is given the large writes that it is
// built for.
constexpr ByteCount kCachedSubBuffer = ByteCount{2} * 1024 * 1024;
constexpr ByteCount kWorthSending = ByteCount{64} * 1024;

ByteCount SubBufferSize(const overlap_file_facts &facts, int slots, int ranks) {
    const ByteCount share = std::max<ByteCount>(1, facts.collective_buffer_size / slots);
    if (facts.collective_buffer_chosen != 0 || facts.stripe_size > 0) {
        return share;
    }
    return std::min(share, std::max(kCachedSubBuffer, kWorthSending * ranks));
}

constexpr int kFewSlots = 4;
constexpr int kManySlots = 8;

overlap_shuffle ShuffleFor(const overlap_settings &settings) {
    return settings.shuffle == OVERLAP_SHUFFLE_AUTO ? OVERLAP_SHUFFLE_TWO_SIDED : settings.shuffle;
}

overlap_writer WriterFor(const overlap_settings &settings) {
    return settings.writer == OVERLAP_WRITER_AUTO ? OVERLAP_WRITER_THREAD : settings.writer;
}

overlap_algorithm AlgorithmFor(const overlap_settings &settings, int nodes) {
    if (settings.algorithm != OVERLAP_ALGORITHM_AUTO) {
        return settings.algorithm;
    }
    const bool any_order = ShuffleFor(settings) != OVERLAP_SHUFFLE_PUT_FENCE;
    return nodes > 1 && any_order ? OVERLAP_ALGORITHM_DATAFLOW : OVERLAP_ALGORITHM_WRITE_COMM;
}

int SlotsFor(const overlap_settings &settings, overlap_algorithm algorithm, const overlap_file_facts &facts, int ranks,
             int nodes) {
    int slots = settings.slots;
    if (slots == OVERLAP_SLOTS_AUTO) {
        const bool room = SubBufferSize(facts, kManySlots, ranks) == SubBufferSize(facts, kFewSlots, ranks);
        slots = nodes > 1 && algorithm == OVERLAP_ALGORITHM_DATAFLOW && room ? kManySlots : kFewSlots;
    }
    return SlotsOf(algorithm, slots);
}

auto Members(const Choice &choice) {
    return std::tie(choice.algorithm, choice.shuffle, choice.writer, choice.partition, choice.slots, choice.sub_buffer,
                    choice.alignment, choice.striped, choice.striping, choice.window_bytes, choice.put_bytes,
                    choice.aggregators, choice.ompio);
}

} // namespace

ByteCount Choice::SmallestDomain() const { return std::min(kSmallDomain, sub_buffer); }

std::int64_t Choice::MovesBy(int nodes, int domains) const {
    if (striping.stripe > 0) {
        std::int64_t round = 0; // of the domains
        return __builtin_mul_overflow(striping.stripe, domains, &round) ? kLastOffset : round;
    }
    const bool direct = writer == OVERLAP_WRITER_LIBAIO || writer == OVERLAP_WRITER_IO_URING;
    return striped || direct || nodes > 1 ? alignment : 1;
}

bool Choice::operator==(const Choice &other) const { return Members(*this) == Members(other); }

Choice Choose(const overlap_settings &settings, const overlap_file_facts &facts, int ranks, int nodes) {
    Choice choice;
    choice.algorithm = AlgorithmFor(settings, nodes);
    choice.shuffle = ShuffleFor(settings);
    choice.writer = WriterFor(settings);
    choice.partition = settings.partition;
    choice.slots = SlotsFor(settings, choice.algorithm, facts, ranks, nodes);
    choice.sub_buffer = SubBufferSize(facts, choice.slots, ranks);
    choice.striped = facts.stripe_size > 0;
    choice.alignment = std::max<ByteCount>(1, facts.stripe_size > 0 ? facts.stripe_size : facts.block_size);
    if (settings.partition == OVERLAP_PARTITION_STATIC) {
        choice.striping = StripingOf(facts, choice.sub_buffer);
        // A cycle ends with a stripe where it has the room for one.
        choice.alignment = choice.striping.stripe <= choice.sub_buffer ? choice.striping.stripe : choice.alignment;
    }
    choice.window_bytes = settings.window_threshold;
    choice.put_bytes = settings.put_threshold;
    choice.aggregators = facts.aggregators;
    choice.ompio.assign(facts.ompio_aggregators, facts.ompio_aggregators + facts.ompio_aggregator_count);
    return choice;
}

} // namespace overlap
