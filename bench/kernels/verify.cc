// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "verify.h"

#include "data.h"
#include "posix_file.h"

#include <algorithm>
#include <limits>

namespace bench {
namespace {

constexpr Bytes kWindow = Bytes{32} << 20;

struct Group {
    explicit Group(MPI_Comm comm) : communicator(comm) {
        MPI_Comm_rank(communicator, &rank);
        MPI_Comm_size(communicator, &ranks);
    }
    MPI_Comm communicator;
    int rank = 0;
    int ranks = 0;
};

/// Part of the file as it has to be.
class Expected {
  public:
    Expected(Bytes begin, Bytes end, bool know_gaps)
        : begin_(begin), end_(end), bytes_(static_cast<std::size_t>(end - begin)),
          known_(static_cast<std::size_t>(end - begin), know_gaps) {}

    void Take(StreamId id, Bytes position, Bytes offset, Bytes length) {
        const Bytes from = std::max(offset, begin_);
        const Bytes to = std::min(offset + length, end_);
        if (from < to) {
            FillStream(id, position + from - offset, bytes_.data() + (from - begin_), to - from);
            std::fill(known_.begin() + (from - begin_), known_.begin() + (to - begin_), true);
        }
    }

    std::string Compare(const PosixFile &file) const {
        std::vector<char> found(bytes_.size());
        const std::string error = file.Read(begin_, found.data(), end_ - begin_);
        if (!error.empty() || found == bytes_) {
            return error;
        }
        for (std::size_t i = 0; i < found.size(); ++i) {
            if (known_[i] && found[i] != bytes_[i]) {
                return "wrong byte at offset " + std::to_string(begin_ + static_cast<Bytes>(i)) + ": " +
                       std::to_string(static_cast<unsigned char>(found[i])) + ", expected " +
                       std::to_string(static_cast<unsigned char>(bytes_[i]));
            }
        }
        return {};
    }

  private:
    Bytes begin_;
    Bytes end_;
    std::vector<char> bytes_; // gaps are zero, as in a fresh file
    std::vector<bool> known_;
};

Bytes LowestOffset(const Pattern &pattern, int ranks, int access) {
    Bytes lowest = std::numeric_limits<Bytes>::max();
    for (int rank = 0; rank < ranks; ++rank) {
        pattern.ForEach(rank, ranks, access, [&](Bytes offset, Bytes) { lowest = std::min(lowest, offset); });
    }
    return lowest;
}

/// Where each call's offsets start in the file: calls of all checkpoints.
std::vector<Bytes> BasesOf(const Pattern &pattern, int ranks, int checkpoints, const std::vector<Bytes> &given) {
    std::vector<Bytes> bases;
    for (int checkpoint = 0; checkpoint < checkpoints; ++checkpoint) {
        for (int access = 0; access < pattern.accesses(); ++access) {
            const std::size_t call = bases.size();
            bases.push_back(given.empty() ? checkpoint * pattern.extent(ranks)
                                          : given[call] - LowestOffset(pattern, ranks, access));
        }
    }
    return bases;
}

std::string CompareWindow(const PosixFile &file, const Pattern &pattern, const std::vector<Bytes> &bases, int ranks,
                          Expected expected) {
    for (std::size_t call = 0; call < bases.size(); ++call) {
        const int access = static_cast<int>(call) % pattern.accesses();
        for (int rank = 0; rank < ranks; ++rank) {
            const StreamId id{rank, static_cast<int>(call)};
            Bytes position = 0;
            pattern.ForEach(rank, ranks, access, [&](Bytes offset, Bytes length) {
                expected.Take(id, position, bases[call] + offset, length);
                position += length;
            });
        }
    }
    return expected.Compare(file);
}

/// The last byte that is written, plus one.
Bytes EndOf(const Pattern &pattern, const std::vector<Bytes> &bases, int ranks) {
    Bytes end = 0;
    for (std::size_t call = 0; call < bases.size(); ++call) {
        for (int rank = 0; rank < ranks; ++rank) {
            pattern.ForEach(rank, ranks, static_cast<int>(call) % pattern.accesses(),
                            [&](Bytes offset, Bytes length) { end = std::max(end, bases[call] + offset + length); });
        }
    }
    return end;
}

/// The message of the lowest rank that has one, on all ranks.
std::string FirstOf(const Group &group, const std::string &own) {
    int first = own.empty() ? group.ranks : group.rank;
    MPI_Allreduce(MPI_IN_PLACE, &first, 1, MPI_INT, MPI_MIN, group.communicator);
    if (first == group.ranks) {
        return {};
    }
    std::string text = own;
    text.resize(200, ' ');
    MPI_Bcast(text.data(), static_cast<int>(text.size()), MPI_CHAR, first, group.communicator);
    return text.substr(0, text.find_last_not_of(' ') + 1);
}

} // namespace

std::string Verify(const std::string &path, const Pattern &pattern, int checkpoints, MPI_Comm comm,
                   const std::vector<Bytes> &given) {
    const Group group(comm);
    MPI_Barrier(group.communicator);
    std::string wrong;
    PosixFile file;
    const std::vector<Bytes> bases = BasesOf(pattern, group.ranks, checkpoints, given);
    const Bytes end = EndOf(pattern, bases, group.ranks);
    wrong = file.Open(path, false);
    if (wrong.empty() && given.empty() && file.size() != end) {
        wrong = "the file has " + std::to_string(file.size()) + " bytes, expected " + std::to_string(end);
    }
    const Bytes windows = (end + kWindow - 1) / kWindow;
    for (Bytes window = group.rank; window < windows && wrong.empty(); window += group.ranks) {
        const Bytes begin = window * kWindow;
        wrong =
            CompareWindow(file, pattern, bases, group.ranks, Expected(begin, std::min(end, begin + kWindow), given.empty()));
    }
    return FirstOf(group, wrong);
}

} // namespace bench
