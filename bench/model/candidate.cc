#include "candidate.h"

#include "schedule/schedule.h"

#include <algorithm>
#include <tuple>

namespace overlap {
namespace {

auto Members(const Candidate &candidate) noexcept {
    return std::tie(candidate.algorithm, candidate.shuffle, candidate.writer, candidate.slots, candidate.sub_buffer,
                    candidate.aggregators);
}

struct Buffers {
    int slots;
    ByteCount sub_buffer;

    bool operator==(const Buffers &other) const noexcept { return slots == other.slots && sub_buffer == other.sub_buffer; }
};

std::vector<Buffers> BuffersOf(const OpenSettings &open, overlap_algorithm algorithm) {
    std::vector<Buffers> all;
    for (const int asked : open.slots) {
        const int slots = SlotsOf(algorithm, asked);
        const ByteCount share = std::max<ByteCount>(1, open.collective_buffer / slots);
        for (const ByteCount sub_buffer : open.sub_buffers) {
            const Buffers one{slots, std::min(sub_buffer, share)};
            if (std::find(all.begin(), all.end(), one) == all.end()) {
                all.push_back(one);
            }
        }
    }
    return all;
}

} // namespace

bool Candidate::operator==(const Candidate &other) const noexcept { return Members(*this) == Members(other); }

std::vector<Candidate> CandidatesOf(const OpenSettings &open) {
    std::vector<Candidate> all;
    for (const overlap_algorithm algorithm : open.algorithms) {
        const std::vector<Buffers> buffers = BuffersOf(open, algorithm);
        for (const overlap_shuffle shuffle : open.shuffles) {
            for (const overlap_writer writer : open.writers) {
                for (const Buffers &of : buffers) {
                    for (const int aggregators : open.aggregators) {
                        all.push_back(Candidate{algorithm, shuffle, writer, of.slots, of.sub_buffer, aggregators});
                    }
                }
            }
        }
    }
    return all;
}

} // namespace overlap
