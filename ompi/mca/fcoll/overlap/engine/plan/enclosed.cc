#include "enclosed.h"

namespace overlap {

void Enclosed::Add(int domain, Rank client, const char *bytes, ByteCount count) {
    arrived_.push_back(Arrived{domain, client, bytes_.size()});
    bytes_.insert(bytes_.end(), bytes, bytes + count);
}

void Enclosed::Sort() noexcept { std::sort(arrived_.begin(), arrived_.end(), IsBefore); }

const char *Enclosed::Of(int domain, Rank client) const noexcept {
    const Arrived wanted{domain, client, 0};
    const auto found = std::lower_bound(arrived_.begin(), arrived_.end(), wanted, IsBefore);
    return found == arrived_.end() || IsBefore(wanted, *found) ? nullptr : bytes_.data() + found->at;
}

} // namespace overlap
