// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "ports_of_rank.h"

namespace simulate {
namespace {

constexpr std::int64_t kBlock = 4096;

PortsOfRank &Self(void *self) { return *static_cast<PortsOfRank *>(self); }

void Facts(void *self, overlap_file_facts *facts) {
    static const int kFirst = 0;
    const FileFacts &known = Self(self).world.facts;
    *facts = overlap_file_facts{};
    facts->stripe_size = known.stripe_size;
    facts->stripe_count = known.stripe_count;
    facts->block_size = kBlock;
    facts->collective_buffer_size = known.collective_buffer;
    facts->collective_buffer_chosen = known.collective_buffer_chosen ? 1 : 0;
    facts->aggregators = known.aggregators;
    facts->ompio_aggregators = &kFirst;
    facts->ompio_aggregator_count = 1;
    facts->tells_size = 1;
    facts->coherent = 1;
    known.file_system.copy(facts->file_system, OVERLAP_FILE_SYSTEM_SIZE - 1);
}

int Size(void *self, int /*fresh*/, std::int64_t *bytes) {
    *bytes = Self(self).world.storage.size();
    return OVERLAP_SUCCESS;
}

int TransferStart(void *self, overlap_direction direction, const overlap_extent *extents, std::size_t count,
                  overlap_transfer **request, std::size_t *done) {
    const OutsideOfEngine outside(Self(self).rank.meter);
    *request = Self(self).world.storage.Start(Self(self).rank, direction, extents, count);
    *done = 0;
    return OVERLAP_SUCCESS;
}

void End(overlap_transfer **request, std::size_t *done) {
    *done = (*request)->bytes;
    delete *request;
    *request = nullptr;
}

int TransferWait(void *self, overlap_transfer **request, std::size_t *done) {
    const OutsideOfEngine outside(Self(self).rank.meter);
    Self(self).world.storage.Wait(Self(self).rank, *request);
    End(request, done);
    return OVERLAP_SUCCESS;
}

int TransferTest(void *self, overlap_transfer **request, int *complete, std::size_t *done) {
    const OutsideOfEngine outside(Self(self).rank.meter);
    *complete = Self(self).world.storage.Test(Self(self).rank, *request) ? 1 : 0;
    if (*complete != 0) {
        End(request, done);
    }
    return OVERLAP_SUCCESS;
}

int Transfer(void *self, overlap_direction direction, const overlap_extent *extents, std::size_t count, std::size_t *done) {
    overlap_transfer *request = nullptr;
    TransferStart(self, direction, extents, count, &request, done);
    return TransferWait(self, &request, done);
}

int None(void * /*self*/) { return 0; }

} // namespace

// POSIX calls do not reach this file, so whatever begins with posix but the question of locks is never called.
void PortsOfRank::FillInStorage() {
    storage.self = this;
    storage.facts = Facts;
    storage.size = Size;
    storage.transfer = Transfer;
    storage.transfer_start = TransferStart;
    storage.transfer_wait = TransferWait;
    storage.transfer_test = TransferTest;
    storage.gaps = [](void * /*self*/) { return OVERLAP_GAPS_NO_LOCK; };
    storage.posix_locks = None;
}

} // namespace simulate
