// Where the cycles of a file domain begin and end.
#ifndef OVERLAP_ENGINE_PLAN_CUTS_H
#define OVERLAP_ENGINE_PLAN_CUTS_H

#include "../access/strided.h"
#include "domains.h"

#include <utility>
#include <vector>

namespace overlap {

/// The data of a domain cut into parts, one for each cycle: from some part on to the last, then from the first one on.
class Cuts {
  public:
    Cuts() = default;
    /// Ascending offsets of the domain, from the start of its data to its end: one more than there are parts.
    explicit Cuts(std::vector<FileOffset> offsets) : offsets_(std::move(offsets)) {}

    /// Needs: part < cycles(), or no cycles.
    void StartWith(Cycle part) { first_ = part; }

    Cycle cycles() const { return offsets_.empty() ? 0 : static_cast<Cycle>(offsets_.size()) - 1; }
    const std::vector<FileOffset> &offsets() const { return offsets_; }

    /// The cycle's data lies in [Begin, End). Needs: cycle < cycles().
    FileOffset Begin(Cycle cycle) const { return offsets_[PartOf(cycle)]; }
    FileOffset End(Cycle cycle) const { return offsets_[PartOf(cycle) + 1]; }

  private:
    std::size_t PartOf(Cycle cycle) const { return static_cast<std::size_t>((cycle + first_) % cycles()); }

    std::vector<FileOffset> offsets_;
    Cycle first_ = 0;
};

/// Cuts `data` into cycles of at most `capacity` bytes of data each, whatever the gaps between them. A part ends at a
/// multiple of `alignment` where that leaves it any data, so that no block of the file is written twice. No data: no cycles.
Cuts CutByBytes(const StridedList &data, ByteCount capacity, ByteCount alignment);

/// The same for the gapless data [begin, end): what a rank can work out without asking the aggregator.
Cuts CutGapless(const Domain &domain, ByteCount capacity, ByteCount alignment);

} // namespace overlap

#endif
