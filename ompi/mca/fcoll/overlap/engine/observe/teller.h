// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// A rank that hands over its events, and the words in which it does.
#ifndef OVERLAP_ENGINE_OBSERVE_TELLER_H
#define OVERLAP_ENGINE_OBSERVE_TELLER_H

#include "../team/unsized_message.h"
#include "event.h"

#include <string>

namespace overlap {

struct Teller {
    Rank process = 0; // the rank in the job
    int handle = 0;   // of the file among those that the process has open
    bool aggregates = false;
    int slots = 0; // sub-buffers that it has used
    std::int64_t dropped = 0;
    std::string host;
};

/// The message is empty before. Throws std::bad_alloc.
void PutEvents(const Teller &teller, const std::vector<Event> &events, UnsizedMessage &message);

/// Throws std::invalid_argument where `words` are not of their form, std::bad_alloc.
void TakeEvents(const Words &words, Teller &teller, std::vector<Event> &events);

} // namespace overlap

#endif
