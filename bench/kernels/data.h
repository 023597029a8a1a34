// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// The bytes that are written: a function of rank, call and position, so that any process can say what a byte has to be.
#ifndef BENCH_KERNELS_DATA_H
#define BENCH_KERNELS_DATA_H

#include "pattern.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <vector>

namespace bench {

class Device;

/// Identifies the stream of one collective call: `call` counts all calls of a file.
struct StreamId {
    int rank;
    int call;
};

/// Eight bytes of a stream, from position 8 * word (a finalizer after Stafford's variants of MurmurHash3's).
inline std::uint64_t WordOf(StreamId id, std::uint64_t word) {
    std::uint64_t x = word * 0x9e3779b97f4a7c15ULL + static_cast<std::uint64_t>(id.rank) * 0xd1b54a32d192ed03ULL +
                      static_cast<std::uint64_t>(id.call) * 0x8cb92ba72f3d8dd7ULL + 0x2545f4914f6cdd1dULL;
    x = (x ^ (x >> 31)) * 0xbf58476d1ce4e5b9ULL;
    return x ^ (x >> 29);
}

/// The bytes of a stream from `position` on.
void FillStream(StreamId id, Bytes position, char *to, Bytes count);

/// The memory of one access of a rank: its stream, laid out as the pattern says.
class Buffer {
  public:
    /// In the memory of the device, where there is one. Throws std::runtime_error where that has no room.
    Buffer(Bytes bytes, const Memory &memory, std::shared_ptr<const Device> device = nullptr);

    void Fill(StreamId id);
    /// Makes all of it what the gaps are.
    void Wipe();
    /// Whether it is as Fill leaves it, gaps included.
    bool Holds(StreamId id) const;
    void *address() { return on_device_ != nullptr ? on_device_.get() : data_.data(); }
    MPI_Datatype type() const { return type_.get(); }

    /// Calls visit(place, length) for the pieces of memory that the bytes [position, position + length) of the stream lie
    /// in, in the order of the stream. `place` counts bytes from address().
    template <typename Visit> void ForEachPiece(Bytes position, Bytes length, Visit visit) const {
        for (Bytes index = length > 0 ? IndexOf(position) : 0; length > 0; ++index) {
            const Piece piece = PieceAt(index);
            const Bytes within = position - piece.position;
            const Bytes taken = std::min(length, piece.length - within);
            visit(piece.place + within, taken);
            position += taken;
            length -= taken;
        }
    }

  private:
    struct Piece {
        Bytes position; // in the stream
        Bytes place;
        Bytes length;
    };

    void ToDevice();

    Bytes IndexOf(Bytes position) const {
        const auto behind = std::upper_bound(list_.begin(), list_.end(), position,
                                             [](Bytes wanted, const Piece &piece) { return wanted < piece.position; });
        return list_.empty() ? position / piece_ : behind - list_.begin() - 1;
    }
    Piece PieceAt(Bytes index) const {
        return list_.empty() ? Piece{index * piece_, index * stride_, piece_} : list_[static_cast<std::size_t>(index)];
    }

    Bytes bytes_;
    Bytes piece_;
    Bytes stride_;
    std::vector<Piece> list_; // empty where pieces and gaps are equal
    std::vector<char> data_;
    std::shared_ptr<const Device> device_;
    std::shared_ptr<char> on_device_; // in the place of data_, which fills it
    Datatype type_;                   // one item is the whole memory
};

} // namespace bench

#endif
