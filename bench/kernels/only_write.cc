// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// A bound: the aggregators write what two-phase I/O would have them write, from a buffer that is there already.
#include "data.h"
#include "posix_file.h"
#include "slabs.h"
#include "target.h"

#include <algorithm>

namespace bench {
namespace {

class OnlyWrite final : public Target {
  public:
    OnlyWrite(const Options &options, const Pattern &pattern)
        : options_(options), pattern_(pattern), writers_(Writers(options.aggregators)),
          buffer_(static_cast<std::size_t>(options.write_size)) {
        MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
        MPI_Comm_size(MPI_COMM_WORLD, &ranks_);
        FillStream(StreamId{rank_, 0}, 0, buffer_.data(), options.write_size);
    }

    std::string Open() override { return Own() < 0 ? std::string() : file_.Open(options_.file, true); }

    void Prepare(int, int access) override {
        if (Own() >= 0 && access != access_) {
            const auto slabs = CutRange(pattern_, ranks_, access, static_cast<int>(writers_.size()));
            pieces_ = Written(pattern_, ranks_, access, slabs[static_cast<std::size_t>(Own())]);
            access_ = access;
        }
    }

    std::string Write(int checkpoint, int) override {
        const Bytes base = checkpoint * pattern_.extent(ranks_);
        for (const Interval &piece : pieces_) {
            for (Bytes at = piece.begin; at < piece.end; at += options_.write_size) {
                const std::string error =
                    file_.Write(base + at, buffer_.data(), std::min(options_.write_size, piece.end - at));
                if (!error.empty()) {
                    return error;
                }
            }
        }
        return {};
    }

    std::string Sync() override { return Own() < 0 ? std::string() : file_.Sync(); }
    std::string Close() override { return file_.Close(); }
    bool verifiable() const override { return false; }

  private:
    int Own() const {
        const auto found = std::find(writers_.begin(), writers_.end(), rank_);
        return found == writers_.end() ? -1 : static_cast<int>(found - writers_.begin());
    }

    const Options &options_;
    const Pattern &pattern_;
    std::vector<int> writers_;
    std::vector<char> buffer_;
    int rank_ = 0;
    int ranks_ = 0;
    PosixFile file_;
    int access_ = -1;
    std::vector<Interval> pieces_;
};

} // namespace

std::unique_ptr<Target> MakeOnlyWrite(const Options &options, const Pattern &pattern) {
    return std::make_unique<OnlyWrite>(options, pattern);
}

} // namespace bench
