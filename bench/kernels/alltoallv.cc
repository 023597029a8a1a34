// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// A peer to collective I/O: what somebody who knows the decomposition writes by hand (pmodels/mpich issue 7935). The file is
// cut over the writing ranks; one MPI_Alltoallv brings each its part, which it puts in order and writes with pwrite(2). Who
// has what is worked out once, before the clock starts.
#include "data.h"
#include "posix_file.h"
#include "slabs.h"
#include "target.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <optional>
#include <stdexcept>

namespace bench {
namespace {

/// `length` bytes from `from` to `to`, places in two buffers.
struct Copy {
    Bytes from;
    Bytes to;
    Bytes length;
};

void Run(const std::vector<Copy> &copies, const char *from, char *to) {
    for (const Copy &copy : copies) {
        std::memcpy(to + copy.to, from + copy.from, static_cast<std::size_t>(copy.length));
    }
}

std::vector<int> Starts(const std::vector<int> &counts) {
    std::vector<int> starts(counts.size(), 0);
    std::partial_sum(counts.begin(), counts.end() - 1, starts.begin() + 1);
    return starts;
}

class Alltoallv final : public Target {
  public:
    Alltoallv(const Options &options, const Pattern &pattern) : options_(options), pattern_(pattern) {
        MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
        MPI_Comm_size(MPI_COMM_WORLD, &ranks_);
        writers_ = Writers(options.aggregators > 0 ? options.aggregators : ranks_);
    }

    std::string Open() override { return file_.Open(options_.file, true); }

    void Prepare(int checkpoint, int access) override {
        if (access != access_) {
            Plan(access);
            access_ = access;
        }
        buffer_->Fill(StreamId{rank_, checkpoint * pattern_.accesses() + access});
    }

    std::string Write(int checkpoint, int) override {
        Run(packing_, static_cast<const char *>(buffer_->address()), send_.data());
        MPI_Alltoallv(send_.data(), send_counts_.data(), send_starts_.data(), MPI_BYTE, receive_.data(),
                      receive_counts_.data(), receive_starts_.data(), MPI_BYTE, MPI_COMM_WORLD);
        Run(sorting_, receive_.data(), slab_.data());
        const Bytes base = checkpoint * pattern_.extent(ranks_);
        for (const Interval &piece : written_) {
            for (Bytes at = piece.begin; at < piece.end; at += options_.write_size) {
                const std::string error =
                    file_.Write(base + at, slab_.data() + (at - own_.begin), std::min(options_.write_size, piece.end - at));
                if (!error.empty()) {
                    return error;
                }
            }
        }
        return {};
    }

    std::string Sync() override { return file_.Sync(); }
    std::string Close() override { return file_.Close(); }

  private:
    // The stream of each rank, cut at the borders of the slabs: what this rank sends, and what it receives as a writer.
    void Plan(int access) {
        const std::vector<Interval> slabs = CutRange(pattern_, ranks_, access, static_cast<int>(writers_.size()));
        own_ = {0, 0};
        for (std::size_t i = 0; i < writers_.size(); ++i) {
            own_ = writers_[i] == rank_ ? slabs[i] : own_;
        }
        PlanSends(access, slabs);
        PlanReceives(access);
        written_ = Written(pattern_, ranks_, access, own_);
        slab_.assign(static_cast<std::size_t>(own_.length()), 0);
    }

    void PlanSends(int access, const std::vector<Interval> &slabs) {
        buffer_.emplace(pattern_.bytes(rank_, ranks_, access), pattern_.memory(rank_, ranks_, access));
        std::vector<std::vector<Copy>> copies(static_cast<std::size_t>(ranks_));
        std::vector<Bytes> counts(static_cast<std::size_t>(ranks_), 0);
        Bytes position = 0;
        pattern_.ForEach(rank_, ranks_, access, [&](Bytes offset, Bytes length) {
            for (std::size_t i = 0; i < slabs.size(); ++i) {
                const Bytes from = std::max(offset, slabs[i].begin);
                const Bytes to = std::min(offset + length, slabs[i].end);
                if (from < to) {
                    const auto writer = static_cast<std::size_t>(writers_[i]);
                    buffer_->ForEachPiece(position + from - offset, to - from, [&](Bytes place, Bytes piece) {
                        copies[writer].push_back({place, counts[writer], piece});
                        counts[writer] += piece;
                    });
                }
            }
            position += length;
        });
        send_counts_.clear();
        packing_.clear();
        Bytes start = 0;
        for (std::size_t r = 0; r < copies.size(); ++r) {
            for (Copy copy : copies[r]) {
                copy.to += start;
                packing_.push_back(copy);
            }
            start += counts[r];
            send_counts_.push_back(static_cast<int>(counts[r]));
        }
        if (start > std::numeric_limits<int>::max()) {
            throw std::invalid_argument("alltoallv: more than 2 GiB on a rank");
        }
        send_starts_ = Starts(send_counts_);
        send_.resize(static_cast<std::size_t>(start));
    }

    void PlanReceives(int access) {
        receive_counts_.clear();
        sorting_.clear();
        Bytes received = 0;
        for (int rank = 0; rank < ranks_; ++rank) {
            const Bytes before = received;
            pattern_.ForEach(rank, ranks_, access, [&](Bytes offset, Bytes length) {
                const Bytes from = std::max(offset, own_.begin);
                const Bytes to = std::min(offset + length, own_.end);
                if (from < to) {
                    sorting_.push_back({received, from - own_.begin, to - from});
                    received += to - from;
                }
            });
            receive_counts_.push_back(static_cast<int>(received - before));
        }
        receive_starts_ = Starts(receive_counts_);
        receive_.resize(static_cast<std::size_t>(received));
    }

    const Options &options_;
    const Pattern &pattern_;
    std::vector<int> writers_;
    int rank_ = 0;
    int ranks_ = 0;
    PosixFile file_;
    int access_ = -1;
    std::optional<Buffer> buffer_;
    Interval own_{0, 0};
    std::vector<Interval> written_;
    std::vector<Copy> packing_, sorting_;
    std::vector<char> send_, receive_, slab_;
    std::vector<int> send_counts_, send_starts_, receive_counts_, receive_starts_;
};

} // namespace

std::unique_ptr<Target> MakeAlltoallv(const Options &options, const Pattern &pattern) {
    return std::make_unique<Alltoallv>(options, pattern);
}

} // namespace bench
