// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// The two-phase engine that PnetCDF uses in the place of MPI-IO: the lists of offsets and lengths that it takes.
#include "target.h"

#include <stdexcept>

#ifdef HAVE_GIO
#    include "data.h"
#    include "hints.h"

#    include <fcntl.h>

// It has no word for C++, and includes mpi.h, which does.
extern "C" {
#    include <gio.h>
}

#    include <optional>
#endif

namespace bench {

#ifdef HAVE_GIO
namespace {

struct Pairs {
    std::vector<MPI_Offset> offsets;
    std::vector<MPI_Offset> lengths;

    void Add(Bytes offset, Bytes length) {
        offsets.push_back(offset);
        lengths.push_back(length);
    }
    MPI_Offset size() const { return static_cast<MPI_Offset>(offsets.size()); }
};

std::string ErrorText(MPI_Offset code) { return code < 0 ? GIO_strerror(static_cast<int>(code)) : ""; }

class Gio final : public Target {
  public:
    Gio(const Options &options, const Pattern &pattern) : options_(options), pattern_(pattern) {
        MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
        MPI_Comm_size(MPI_COMM_WORLD, &ranks_);
    }

    std::string Open() override {
        const Hints hints(options_);
        // It reads gaps back.
        return ErrorText(GIO_open(MPI_COMM_WORLD, options_.file.c_str(), O_CREAT | O_RDWR, hints.get(), &file_));
    }

    // The lists are what a caller of GIO has, as a caller of MPI-IO has a datatype.
    void Prepare(int checkpoint, int access) override {
        const Bytes bytes = pattern_.bytes(rank_, ranks_, access);
        buffer_.emplace(bytes, pattern_.memory(rank_, ranks_, access));
        buffer_->Fill(StreamId{rank_, checkpoint * pattern_.accesses() + access});
        const Bytes start = checkpoint * pattern_.extent(ranks_);
        in_file_ = Pairs();
        pattern_.ForEach(rank_, ranks_, access, [&](Bytes offset, Bytes length) { in_file_.Add(start + offset, length); });
        in_memory_ = Pairs();
        buffer_->ForEachPiece(0, bytes, [&](Bytes place, Bytes length) { in_memory_.Add(place, length); });
    }

    std::string Write(int /*checkpoint*/, int /*access*/) override {
        return ErrorText(GIO_write_all(file_, buffer_->address(), in_file_.size(), in_file_.offsets.data(),
                                       in_file_.lengths.data(), in_memory_.size(), in_memory_.offsets.data(),
                                       in_memory_.lengths.data()));
    }

    std::string Sync() override { return ErrorText(GIO_sync(file_)); }
    std::string Close() override { return ErrorText(GIO_close(&file_)); }

  private:
    const Options &options_;
    const Pattern &pattern_;
    int rank_ = 0;
    int ranks_ = 0;
    GIO_File file_ = GIO_FILE_NULL;
    std::optional<Buffer> buffer_;
    Pairs in_file_;
    Pairs in_memory_;
};

} // namespace

std::unique_ptr<Target> MakeGio(const Options &options, const Pattern &pattern) {
    return std::make_unique<Gio>(options, pattern);
}

#else

std::unique_ptr<Target> MakeGio(const Options & /*options*/, const Pattern & /*pattern*/) {
    throw std::invalid_argument("built without GIO: config/bench.sh overlap-bench MPICXX GIO-PREFIX");
}

#endif

} // namespace bench
