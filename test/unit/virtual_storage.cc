#include "virtual_storage.h"

namespace overlap::test {
namespace {

// A number from -1 to 1 (the finaliser of MurmurHash3).
double NumberOf(std::size_t aggregator, Cycle cycle) noexcept {
    std::uint64_t bits = aggregator * 0x9e3779b97f4a7c15U + static_cast<std::uint64_t>(cycle) + 1;
    bits = (bits ^ (bits >> 33)) * 0xff51afd7ed558ccdU;
    bits = (bits ^ (bits >> 33)) * 0xc4ceb9fe1a85ec53U;
    return static_cast<double>((bits ^ (bits >> 33)) >> 11) / static_cast<double>(std::uint64_t{1} << 52) - 1;
}

} // namespace

VirtualStorage::VirtualStorage(const CycleLoad &load, const Rates &rates, overlap_writer writer, std::size_t aggregators,
                               double for_each, double unsteady)
    : load_(load), rates_(rates), writer_(rates.Of(writer)), side_by_side_(writer == OVERLAP_WRITER_LIBAIO),
      for_each_(for_each), unsteady_(unsteady), streams_(aggregators), ends_(aggregators) {}

double VirtualStorage::Begin(std::size_t aggregator, double time) const noexcept {
    return side_by_side_ ? time : std::max(time, ends_[aggregator]);
}

double VirtualStorage::Write(std::size_t aggregator, Cycle cycle, double time) noexcept {
    const double bytes = load_.BytesOf(cycle);
    const double latency = writer_.latency.value * (1 + unsteady_ * NumberOf(aggregator, cycle));
    const double there = time + latency;
    const double own = bytes * (writer_.byte.value + load_.extents * writer_.extent.value);
    const double shared = bytes * rates_.byte_together.value * for_each_;
    ends_[aggregator] = std::max(streams_[aggregator].Reserve(there, own) + own, together_.Reserve(there, shared) + shared);
    return ends_[aggregator];
}

} // namespace overlap::test
