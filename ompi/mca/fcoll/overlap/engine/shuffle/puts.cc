#include "puts.h"

#include "windows.h"

#include <algorithm>

namespace overlap {
namespace {

// Below it what a whole share may be cut into is as good a bound as what a cycle may.
constexpr std::size_t kFewShareRuns = 256;

// Where the bytes of a share go in the window of its aggregator. In a domain without gaps a byte's position in the data is
// its offset in the domain.
void PiecesAtTarget(const Share &share, Cycle cycle, ByteCount stride, Pieces &pieces) {
    const bool gapless = share.positions.data.empty();
    const StridedList &data = gapless ? share.file : share.positions.data;
    const ByteCount base = gapless ? share.cuts.Begin(cycle) : share.positions.cuts.Begin(cycle);
    const ByteCount start = static_cast<ByteCount>(share.owned) * stride;
    pieces.clear();
    data.ForEach(share.First(cycle), share.Last(cycle), [&](const Run &run, ByteCount) {
        pieces.push_back(overlap_piece{reinterpret_cast<char *>(static_cast<std::intptr_t>(start + run.start - base)),
                                       static_cast<std::size_t>(run.length), static_cast<std::ptrdiff_t>(run.stride),
                                       static_cast<std::size_t>(run.count)});
    });
}

// The most of these, of any share: a run is at most a part of a block, whole blocks and a part of one.
std::size_t MostPiecesAtTarget(const Plan &plan) {
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

Puts::Puts(const ShuffleJob &job) : job_(job) {
    targets_.reserve(job_.plan.shares.size());
    pieces_.reserve(job_.most_pieces);
    places_.reserve(MostPiecesAtTarget(job_.plan));
}

const std::vector<Rank> &Puts::Targets(Cycle cycle) noexcept {
    targets_.clear();
    for (const Share &share : job_.plan.shares) {
        if (share.aggregator != job_.team.rank() && share.First(cycle) < share.Last(cycle)) {
            targets_.push_back(share.aggregator);
        }
    }
    std::sort(targets_.begin(), targets_.end());
    targets_.erase(std::unique(targets_.begin(), targets_.end()), targets_.end());
    return targets_;
}

Status Puts::Put(Cycle cycle, Slot slot) noexcept {
    Status status;
    job_.pack.Begin(slot);
    for (const Share &share : job_.plan.shares) {
        if (share.aggregator != job_.team.rank() && share.First(cycle) < share.Last(cycle)) {
            status.Merge(PutShare(share, cycle, slot));
        }
    }
    return status;
}

Status Puts::PutShare(const Share &share, Cycle cycle, Slot slot) noexcept {
    const ByteCount first = share.First(cycle);
    const ByteCount last = share.Last(cycle);
    job_.pack.PiecesOf(share, first, last, job_.memory, slot, pieces_);
    PiecesAtTarget(share, cycle, SubBuffers::Stride(job_.plan.fullest_cycle), places_);
    const overlap_transport &transport = job_.team.transport();
    return Status(transport.put(transport.self, job_.windows->At(slot), share.aggregator, pieces_.data(), pieces_.size(),
                                places_.data(), places_.size()));
}

} // namespace overlap
