// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// The cuts of a domain as the words that its aggregator sends to a client.
#ifndef OVERLAP_ENGINE_PLAN_CUT_WORDS_H
#define OVERLAP_ENGINE_PLAN_CUT_WORDS_H

#include "cuts.h"

#include <cstddef>
#include <vector>

namespace overlap {

/// What a client whose share of the domain is `client_file` needs: the number of cycles, the part they start with, and the
/// parts in which it has data, with those that follow the same pattern. Grows with the client's data where the domain's are
/// irregular, and not even with those where they are regular. Needs: the client's bytes are the domain's.
std::vector<std::int64_t> EncodeCuts(const Cuts &cuts, const StridedList &client_file);

/// Throws std::invalid_argument where the words are none that EncodeCuts makes.
Cuts DecodeCuts(const std::int64_t *words, std::size_t count);

} // namespace overlap

#endif
