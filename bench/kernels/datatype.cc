// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "datatype.h"

#include <limits>

namespace bench {

Datatype ContiguousBytes(std::int64_t count) {
    constexpr std::int64_t kChunk = std::int64_t{1} << 30;
    MPI_Datatype type = MPI_DATATYPE_NULL;
    if (count <= std::numeric_limits<int>::max()) {
        MPI_Type_contiguous(static_cast<int>(count), MPI_BYTE, &type);
        return Datatype::Derived(type);
    }
    MPI_Datatype chunk = MPI_DATATYPE_NULL;
    MPI_Type_contiguous(static_cast<int>(kChunk), MPI_BYTE, &chunk);
    const int lengths[2] = {static_cast<int>(count / kChunk), static_cast<int>(count % kChunk)};
    const MPI_Aint places[2] = {0, static_cast<MPI_Aint>(count / kChunk * kChunk)};
    const MPI_Datatype types[2] = {chunk, MPI_BYTE};
    MPI_Type_create_struct(2, lengths, places, types, &type);
    MPI_Type_free(&chunk);
    return Datatype::Derived(type);
}

Datatype StridedBytes(std::int64_t count, std::int64_t piece, std::int64_t stride, std::int64_t extent) {
    MPI_Datatype vector = MPI_DATATYPE_NULL;
    MPI_Datatype resized = MPI_DATATYPE_NULL;
    const Datatype one = ContiguousBytes(piece);
    MPI_Type_create_hvector(static_cast<int>(count), 1, static_cast<MPI_Aint>(stride), one.get(), &vector);
    MPI_Type_create_resized(vector, 0, static_cast<MPI_Aint>(extent), &resized);
    MPI_Type_free(&vector);
    return Datatype::Derived(resized);
}

Datatype IndexedBytes(const std::vector<int> &lengths, const std::vector<MPI_Aint> &places) {
    MPI_Datatype type = MPI_DATATYPE_NULL;
    MPI_Type_create_hindexed(static_cast<int>(lengths.size()), lengths.data(), places.data(), MPI_BYTE, &type);
    return Datatype::Derived(type);
}

Datatype Subarray(const std::vector<int> &sizes, const std::vector<int> &part, const std::vector<int> &starts,
                  std::int64_t element) {
    const Datatype one = ContiguousBytes(element);
    MPI_Datatype type = MPI_DATATYPE_NULL;
    MPI_Type_create_subarray(static_cast<int>(sizes.size()), sizes.data(), part.data(), starts.data(), MPI_ORDER_C,
                             one.get(), &type);
    return Datatype::Derived(type);
}

} // namespace bench
