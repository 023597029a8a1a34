// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// The rules of a site, as all ranks of a file come to have them.
#ifndef OVERLAP_ENGINE_POLICY_READ_RULES_H
#define OVERLAP_ENGINE_POLICY_READ_RULES_H

#include "../team/team.h"
#include "rules.h"

namespace overlap {

/// Collective where fcoll_overlap_rules names a file, and nothing at all where it does not: once for a file, the rules do
/// not change while it is open. Rank 0 reads the file, and warns of what is wrong in it (OVERLAP_WARNING_RULES). All ranks
/// return the same error, and after it may call again; without one all have the same `rules`, none where the file cannot be
/// used.
Status ReadRules(const Team &team, const overlap_host &host, const overlap_settings &settings, Rules &rules) noexcept;

} // namespace overlap

#endif
