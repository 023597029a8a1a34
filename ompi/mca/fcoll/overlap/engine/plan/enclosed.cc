#include "enclosed.h"

namespace overlap {

void Enclosed::Add(int domain, Rank client, const char *bytes, ByteCount count) {
    if (arrived_.empty()) {
        arrived_.reserve(expected_);
        bytes_.reserve(static_cast<std::size_t>(expected_bytes_));
    }
    arrived_.push_back(Arrived{domain, client, bytes_.size()});
    bytes_.insert(bytes_.end(), bytes, bytes + count);
}

void Enclosed::Sort() noexcept {
    std::sort(sent_.begin(), sent_.end());
    std::sort(arrived_.begin(), arrived_.end(), IsBefore);
}

const char *Enclosed::Of(int domain, Rank client) const noexcept {
    const Arrived wanted{domain, client, 0};
    const auto found = std::lower_bound(arrived_.begin(), arrived_.end(), wanted, IsBefore);
    return found == arrived_.end() || IsBefore(wanted, *found) ? nullptr : bytes_.data() + found->at;
}

} // namespace overlap
