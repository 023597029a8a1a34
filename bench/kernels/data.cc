// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "data.h"

#include "device.h"

#include <algorithm>
#include <utility>

namespace bench {
namespace {

Datatype TypeOf(Bytes bytes, Bytes piece, Bytes stride) {
    if (bytes == 0 || piece == stride) {
        return ContiguousBytes(bytes);
    }
    const Bytes whole = bytes / piece;
    if (bytes % piece == 0) {
        return StridedBytes(whole, piece, stride, whole * stride);
    }
    const Datatype pieces = StridedBytes(whole, piece, stride, whole * stride);
    const int lengths[2] = {1, static_cast<int>(bytes % piece)};
    const MPI_Aint places[2] = {0, static_cast<MPI_Aint>(whole * stride)};
    const MPI_Datatype types[2] = {pieces.get(), MPI_BYTE};
    MPI_Datatype type = MPI_DATATYPE_NULL;
    MPI_Type_create_struct(2, lengths, places, types, &type);
    return Datatype::Derived(type);
}

Datatype TypeOf(const std::vector<MemoryPiece> &list) {
    std::vector<int> lengths;
    std::vector<MPI_Aint> places;
    for (const MemoryPiece &piece : list) {
        lengths.push_back(static_cast<int>(piece.length));
        places.push_back(static_cast<MPI_Aint>(piece.place));
    }
    return IndexedBytes(lengths, places);
}

// With gaps but the one behind the last piece of a list.
Bytes BytesInMemory(const Memory &memory, Bytes bytes, Bytes piece, Bytes stride) {
    return memory.list.empty() ? (bytes + piece - 1) / piece * stride : memory.list.back().place + memory.list.back().length;
}

// In the gaps: a fresh file has zeros where nobody writes, so that a gap of memory in a gap of the file is found.
constexpr char kGap = 0x5a;

} // namespace

void FillStream(StreamId id, Bytes position, char *to, Bytes count) {
    constexpr Bytes kWord = sizeof(std::uint64_t);
    while (count > 0) {
        const std::uint64_t word = WordOf(id, static_cast<std::uint64_t>(position / kWord));
        const Bytes skipped = position % kWord;
        const Bytes taken = std::min(count, kWord - skipped);
        std::memcpy(to, reinterpret_cast<const char *>(&word) + skipped, static_cast<std::size_t>(taken));
        to += taken;
        position += taken;
        count -= taken;
    }
}

Buffer::Buffer(Bytes bytes, const Memory &memory, std::shared_ptr<const Device> device)
    : bytes_(bytes), piece_(memory.gap > 0 ? memory.piece : std::max<Bytes>(1, bytes)),
      stride_(piece_ + memory.gap), // a gap of 0 leaves one piece
      data_(static_cast<std::size_t>(BytesInMemory(memory, bytes, piece_, stride_)), kGap), device_(std::move(device)),
      on_device_(device_ == nullptr ? nullptr : device_->Allocate(data_.size())),
      type_(memory.list.empty() ? TypeOf(bytes, piece_, stride_) : TypeOf(memory.list)) {
    list_.reserve(memory.list.size());
    Bytes position = 0;
    for (const MemoryPiece &piece : memory.list) {
        list_.push_back(Piece{position, piece.place, piece.length});
        position += piece.length;
    }
    ToDevice();
}

void Buffer::ToDevice() {
    if (on_device_ != nullptr) {
        device_->Copy(on_device_.get(), data_.data(), data_.size());
    }
}

void Buffer::Fill(StreamId id) {
    Bytes position = 0;
    ForEachPiece(0, bytes_, [&](Bytes place, Bytes length) {
        FillStream(id, position, data_.data() + place, length);
        position += length;
    });
    ToDevice();
}

void Buffer::Wipe() {
    std::fill(data_.begin(), data_.end(), kGap);
    ToDevice();
}

bool Buffer::Holds(StreamId id) const {
    std::vector<char> expected(data_.size(), kGap);
    Bytes position = 0;
    ForEachPiece(0, bytes_, [&](Bytes place, Bytes length) {
        FillStream(id, position, expected.data() + place, length);
        position += length;
    });
    if (on_device_ == nullptr) {
        return expected == data_;
    }
    std::vector<char> held(data_.size());
    device_->Copy(held.data(), on_device_.get(), held.size());
    return expected == held;
}

} // namespace bench
