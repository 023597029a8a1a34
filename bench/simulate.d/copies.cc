// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// In the place of the engine's copies of user data (shuffle/copy.cc): nothing is touched, time passes.
#include "job.h"

#include "shuffle/copy.h"

#include <algorithm>

namespace overlap {
namespace {

void Copied(ByteCount bytes, double pieces) {
    simulate::Rank &rank = simulate::RunningRank();
    const simulate::Machine &machine = rank.job->machine();
    rank.job->Work(rank, static_cast<double>(bytes) / machine.copy_rate + pieces * machine.piece);
}

// Of bytes of a list whose pieces lie evenly.
double PiecesIn(const StridedList &list, const Range &bytes) {
    const double pieces = static_cast<double>(list.PiecesAtLeast()) * static_cast<double>(bytes.bytes());
    return pieces / static_cast<double>(list.bytes());
}

double PiecesIn(const InMemory &place, const Range &bytes) { return PiecesIn(place.memory, bytes); }
double PiecesIn(const InBuffer &place, const Range &bytes) { return PiecesIn(place.file, bytes); }

} // namespace

template <typename Place> void Gather(const Place &place, const Range &bytes, char * /*packed*/) noexcept {
    Copied(bytes.bytes(), PiecesIn(place, bytes));
}

template <typename Place> void Scatter(const char * /*packed*/, const Place &place, const Range &bytes) noexcept {
    Copied(bytes.bytes(), PiecesIn(place, bytes));
}

template void Gather(const InMemory &place, const Range &bytes, char *packed) noexcept;
template void Gather(const InBuffer &place, const Range &bytes, char *packed) noexcept;
template void Scatter(const char *packed, const InMemory &place, const Range &bytes) noexcept;
template void Scatter(const char *packed, const InBuffer &place, const Range &bytes) noexcept;

void CopyShare(overlap_direction /*direction*/, const InMemory &memory, const InBuffer &buffer,
               const Range &bytes) noexcept {
    Copied(bytes.bytes(), std::max(PiecesIn(memory, bytes), PiecesIn(buffer, bytes)));
}

} // namespace overlap
