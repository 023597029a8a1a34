// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// The method that everything is about: MPI_File_write_all in a file view, or MPI_File_write_at_all of bytes that lie
// together.
#include "../../ompi/mca/fcoll/overlap/include/overlap/overlap_declare.h"
#include "data.h"
#include "error_text.h"
#include "hints.h"
#include "target.h"

#include <optional>
#include <vector>

namespace bench {
namespace {

using Runs = std::vector<overlap_declared_run>;

// Pieces of equal length and distance are one run.
void Append(Bytes offset, Bytes length, Runs &runs) {
    if (!runs.empty() && runs.back().length == length) {
        overlap_declared_run &last = runs.back();
        const Bytes distance = offset - (last.offset + (last.count - 1) * last.stride);
        if (distance >= length && (last.count == 1 || last.stride == distance)) {
            last.stride = distance;
            ++last.count;
            return;
        }
    }
    runs.push_back({offset, length, 0, 1});
}

class MpiIo final : public Target {
  public:
    MpiIo(const Options &options, const Pattern &pattern) : options_(options), pattern_(pattern) {
        MPI_Comm_rank(options.group, &rank_);
        MPI_Comm_size(options.group, &ranks_);
    }

    std::string Open() override { return Open(MPI_MODE_CREATE | MPI_MODE_WRONLY); }
    std::string OpenToRead() override { return Open(MPI_MODE_RDONLY); }

    void Prepare(int checkpoint, int access) override {
        if (access != access_) {
            view_.emplace(pattern_.MakeView(whose_, ranks_, access));
            buffer_.emplace(pattern_.bytes(whose_, ranks_, access), pattern_.memory(whose_, ranks_, access),
                            options_.device);
            access_ = access;
        }
        if (reads_) {
            buffer_->Wipe();
        } else {
            buffer_->Fill(StreamId{whose_, checkpoint * pattern_.accesses() + access});
        }
    }

    std::string Write(int checkpoint, int /*access*/) override {
        const MPI_Offset place = PlaceOf(checkpoint);
        if (view_->IsOffset()) {
            return ErrorText(MPI_File_write_at_all(file_, place, buffer_->address(), 1, buffer_->type(), MPI_STATUS_IGNORE));
        }
        int code = SetView(place);
        if (code == MPI_SUCCESS) {
            code = MPI_File_write_all(file_, buffer_->address(), 1, buffer_->type(), MPI_STATUS_IGNORE);
        }
        return ErrorText(code);
    }

    std::string Read(int checkpoint, int /*access*/) override {
        const MPI_Offset place = PlaceOf(checkpoint);
        if (view_->IsOffset()) {
            return ErrorText(MPI_File_read_at_all(file_, place, buffer_->address(), 1, buffer_->type(), MPI_STATUS_IGNORE));
        }
        int code = SetView(place);
        if (code == MPI_SUCCESS) {
            code = MPI_File_read_all(file_, buffer_->address(), 1, buffer_->type(), MPI_STATUS_IGNORE);
        }
        return ErrorText(code);
    }

    std::string Check(int checkpoint, int access) override {
        const bool right = buffer_->Holds(StreamId{whose_, checkpoint * pattern_.accesses() + access});
        return right ? "" : "wrong bytes were read";
    }

    std::string Sync() override { return ErrorText(MPI_File_sync(file_)); }
    std::string Close() override { return ErrorText(MPI_File_close(&file_)); }

  private:
    std::string Open(int mode) {
        const Hints hints(options_);
        reads_ = mode == MPI_MODE_RDONLY;
        whose_ = reads_ && rank_ < options_.common ? 0 : rank_;
        access_ = -1;
        int code = MPI_File_open(options_.group, options_.file.c_str(), mode, hints.get(), &file_);
        if (code == MPI_SUCCESS && options_.declares && !reads_) {
            code = Declare();
        }
        return ErrorText(code);
    }

    // The calls of the first checkpoint; those of the others are so much further on.
    int Declare() {
        std::vector<Runs> runs(static_cast<std::size_t>(pattern_.accesses()));
        std::vector<overlap_declared> calls;
        for (Runs &of_call : runs) {
            pattern_.ForEach(rank_, ranks_, static_cast<int>(calls.size()),
                             [&of_call](Bytes offset, Bytes length) { Append(offset, length, of_call); });
            calls.push_back({static_cast<int>(of_call.size()), of_call.data()});
        }
        return overlap_declare(file_, static_cast<int>(calls.size()), calls.data());
    }

    // A pattern has views or offsets, not both.
    MPI_Offset PlaceOf(int checkpoint) const { return checkpoint * pattern_.extent(ranks_) + view_->displacement; }

    int SetView(MPI_Offset displacement) {
        return MPI_File_set_view(file_, displacement, view_->etype.get(), view_->filetype.get(), "native", MPI_INFO_NULL);
    }

    const Options &options_;
    const Pattern &pattern_;
    int rank_ = 0;
    int ranks_ = 0;
    int whose_ = 0; // the rank whose bytes this one writes or reads
    MPI_File file_ = MPI_FILE_NULL;
    bool reads_ = false; // the file was opened to be read
    int access_ = -1;    // that the view and the buffer are for
    std::optional<View> view_;
    std::optional<Buffer> buffer_;
};

} // namespace

std::unique_ptr<Target> MakeMpiIo(const Options &options, const Pattern &pattern) {
    return std::make_unique<MpiIo>(options, pattern);
}

} // namespace bench
