// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "event_store.h"

#include <algorithm>
#include <new>

namespace overlap {

EventStore::EventStore(ByteCount bytes)
    : most_(std::max<std::size_t>(1, static_cast<std::size_t>(std::max<ByteCount>(0, bytes)) / sizeof(Event))) {
    while (true) {
        try {
            events_.reserve(most_);
            return;
        } catch (const std::bad_alloc &) {
            if (most_ == 1) {
                throw;
            }
            most_ /= 2;
        }
    }
}

} // namespace overlap
