// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// MPI datatypes that free themselves.
#ifndef BENCH_KERNELS_DATATYPE_H
#define BENCH_KERNELS_DATATYPE_H

#include <mpi.h>

#include <cstdint>
#include <utility>
#include <vector>

namespace bench {

class Datatype {
  public:
    /// A type that MPI owns.
    static Datatype Predefined(MPI_Datatype type) { return {type, false}; }
    /// Commits a derived type and takes it over.
    static Datatype Derived(MPI_Datatype type) {
        MPI_Type_commit(&type);
        return {type, true};
    }

    Datatype(Datatype &&other) noexcept : type_(other.type_), owned_(std::exchange(other.owned_, false)) {}
    Datatype &operator=(Datatype &&other) noexcept {
        std::swap(type_, other.type_);
        std::swap(owned_, other.owned_);
        return *this;
    }
    Datatype(const Datatype &) = delete;
    Datatype &operator=(const Datatype &) = delete;
    ~Datatype() {
        if (owned_) {
            MPI_Type_free(&type_);
        }
    }

    MPI_Datatype get() const { return type_; }

  private:
    Datatype(MPI_Datatype type, bool owned) : type_(type), owned_(owned) {}

    MPI_Datatype type_;
    bool owned_;
};

/// `count` bytes as one item, also beyond the range of int.
Datatype ContiguousBytes(std::int64_t count);

/// `count` pieces of `piece` bytes, their starts `stride` bytes apart; the extent is `extent` bytes.
Datatype StridedBytes(std::int64_t count, std::int64_t piece, std::int64_t stride, std::int64_t extent);

/// Pieces of so many bytes at these places, in this order.
Datatype IndexedBytes(const std::vector<int> &lengths, const std::vector<MPI_Aint> &places);

/// The part of an array (C order) of elements of `element` bytes that starts at `starts` and has the size `part`.
Datatype Subarray(const std::vector<int> &sizes, const std::vector<int> &part, const std::vector<int> &starts,
                  std::int64_t element);

} // namespace bench

#endif
