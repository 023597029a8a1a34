// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// The engine's side of an open file, whose functions entry.h offers.
#ifndef OVERLAP_ENGINE_FILE_H
#define OVERLAP_ENGINE_FILE_H

#include "entry.h"
#include "observe/report.h"
#include "observe/timeline.h"
#include "stages/declared_writes.h"

#include <memory>
#include <optional>

struct overlap_file {
    /// Throws std::bad_alloc.
    overlap_file(const overlap_transport &transport, const overlap_storage &storage, const overlap_host &host,
                 const overlap_settings &settings);

    overlap::FileState state;
    std::unique_ptr<overlap::Timeline> timeline; // null where none was asked for
    overlap::DeclaredWrites declared;
    std::optional<overlap::Report> report; // where one is asked for
};

#endif
