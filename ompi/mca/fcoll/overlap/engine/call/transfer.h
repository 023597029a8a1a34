// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// A collective write or read from its access to its status: the way of every call that no stage has held back.
#ifndef OVERLAP_ENGINE_CALL_TRANSFER_H
#define OVERLAP_ENGINE_CALL_TRANSFER_H

#include "call_state.h"
#include "file_state.h"

namespace overlap {

/// Collective; all ranks return the same error. `call` says what this rank asks for; its `done` becomes the number of bytes
/// of this rank that are in the file, or were read from it.
Status TransferCall(FileState &file, CallState &call);

} // namespace overlap

#endif
