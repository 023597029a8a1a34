#include "remote_places.h"

#include <algorithm>

namespace overlap {
namespace {

// Below it what a whole share may be cut into is as good a bound as what a cycle may.
constexpr std::size_t kFewShareRuns = 256;

// The most places of any share in a cycle: a run is at most a part of a block, whole blocks and a part of one.
std::size_t MostPlaces(const Plan &plan) {
    std::size_t most = 0;
    for (const Share &share : plan.shares) {
        const StridedList &data = share.positions.data.empty() ? share.file : share.positions.data;
        std::size_t runs = data.runs();
        if (runs > kFewShareRuns) {
            runs = 0;
            share.cuts.ForEachPartOf(share.file, [&](ByteCount from, ByteCount to) {
                runs = std::max(runs, data.HolderAt(to - 1).number - data.HolderAt(from).number + 1);
            });
        }
        most = std::max(most, 3 * runs);
    }
    return most;
}

} // namespace

RemotePlaces::RemotePlaces(const ShuffleJob &job) : job_(job) {
    aggregators_.reserve(job_.plan.shares.size());
    places_.reserve(MostPlaces(job_.plan));
}

const std::vector<Rank> &RemotePlaces::Aggregators(Cycle cycle) noexcept {
    aggregators_.clear();
    ForEachShare(cycle, [this](const Share &share) { aggregators_.push_back(share.aggregator); });
    std::sort(aggregators_.begin(), aggregators_.end());
    aggregators_.erase(std::unique(aggregators_.begin(), aggregators_.end()), aggregators_.end());
    return aggregators_;
}

// In a domain without gaps a byte's position in the data is its offset in the domain.
const Pieces &RemotePlaces::Of(const Share &share, Cycle cycle) noexcept {
    const bool gapless = share.positions.data.empty();
    const StridedList &data = gapless ? share.file : share.positions.data;
    const ByteCount base = gapless ? share.cuts.Begin(cycle) : share.positions.cuts.Begin(cycle);
    const ByteCount start = static_cast<ByteCount>(share.owned) * SubBuffers::Stride(job_.plan.fullest_cycle);
    places_.clear();
    data.ForEach(share.First(cycle), share.Last(cycle), [&](const Run &run, ByteCount) {
        places_.push_back(overlap_piece{reinterpret_cast<char *>(static_cast<std::intptr_t>(start + run.start - base)),
                                        static_cast<std::size_t>(run.length), static_cast<std::ptrdiff_t>(run.stride),
                                        static_cast<std::size_t>(run.count)});
    });
    return places_;
}

} // namespace overlap
