// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// The engine's side of an open file: what entry.h offers, in C++.
#ifndef OVERLAP_ENGINE_FILE_H
#define OVERLAP_ENGINE_FILE_H

#include "call/transfer.h"
#include "observe/report.h"
#include "observe/timeline.h"
#include "stages/declared_writes.h"

#include <memory>
#include <optional>
#include <string>

namespace overlap {

class File {
  public:
    /// Throws std::bad_alloc.
    File(const overlap_transport &transport, const overlap_storage &storage, const overlap_host &host,
         const overlap_settings &settings);

    /// Collective; all ranks return the same error. `done`, 0 before, counts the bytes of this rank that are in the file, or
    /// were read from it; a read that meets the end of the file succeeds.
    Status Transfer(overlap_direction direction, const Request &request, ByteCount &done);

    /// The same of nonblocking calls: of those that are pending as many as all ranks join (joining.h), from the first, are
    /// done, as one.
    Status TransferPending(overlap_direction direction, const Request &pending, std::size_t &joined, ByteCount &done);

    /// Collective: DeclaredWrites::Flush.
    Status Flush();

    /// Collective: DeclaredWrites::Declare.
    void Declare(std::vector<StridedList> layouts, Status local);

    DeclaredWrites &declared() noexcept { return declared_; }
    const DeclaredWrites &declared() const noexcept { return declared_; }

    /// Collective: what all ranks did with the file, as the settings ask for it; on rank 0, where nothing failed. `name` is
    /// that of the file. Once, before Close.
    Status Report(const char *name, std::string &text);

    /// Collective: gives back what all ranks hold together. Without it that stays until the program ends.
    void Close();

    /// Records the calls to come, until the file is closed or the next RecordTo; null for none.
    void RecordTo(Recorder *recorder) noexcept { state_.watch.RecordTo(recorder); }

  private:
    template <typename Call> Status Perform(overlap_direction direction, Call call);
    CallState CallOf(overlap_direction direction, const Request &request);
    void Count(const Request &request, Status status, ByteCount done) noexcept;

    FileState state_;
    std::unique_ptr<Timeline> timeline_; // null where none was asked for
    DeclaredWrites declared_;
    std::optional<overlap::Report> report_; // where one is asked for
};

} // namespace overlap

#endif
