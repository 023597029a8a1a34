#include "merge_group.h"

#include <algorithm>

namespace overlap {

MergeGroup::MergeGroup(const Neighbours &neighbours, Rank own, int leaders) noexcept {
    const std::vector<Rank> &ranks = neighbours.ranks;
    groups_ = std::min(ranks.size(), static_cast<std::size_t>(leaders));
    const auto index = static_cast<std::size_t>(std::lower_bound(ranks.begin(), ranks.end(), own) - ranks.begin());
    const std::size_t group = ((index + 1) * groups_ - 1) / ranks.size();
    begin_ = ranks.data() + group * ranks.size() / groups_;
    end_ = ranks.data() + (group + 1) * ranks.size() / groups_;
}

std::size_t MergeGroup::IndexOf(Rank rank) const noexcept {
    return static_cast<std::size_t>(std::lower_bound(begin_, end_, rank) - begin_);
}

} // namespace overlap
