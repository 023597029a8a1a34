// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// What ranks write or read, one Piece each: some accesses, and the file that they make.
#ifndef TEST_UNIT_PIECES_H
#define TEST_UNIT_PIECES_H

#include "fake_cluster.h"

#include <algorithm>

namespace overlap::test {

inline iovec Block(std::int64_t displacement, std::size_t length) {
    return iovec{reinterpret_cast<void *>(static_cast<std::intptr_t>(displacement)), length};
}

// What one rank writes: a tiled file layout and a tiled memory layout.
struct Piece {
    std::vector<iovec> file_blocks;
    std::int64_t file_extent = 0;
    std::int64_t origin = 0;
    std::vector<iovec> memory_blocks = {Block(0, 1)};
    std::int64_t memory_extent = 1;
    std::size_t bytes = 0;
    std::vector<char> memory;
    bool on_device = false;

    overlap_access Access() const {
        overlap_access access{};
        access.bytes = bytes;
        access.file = {file_blocks.data(), file_blocks.size(), file_extent, origin, 0};
        access.memory = {memory_blocks.data(), memory_blocks.size(), memory_extent,
                         reinterpret_cast<std::intptr_t>(memory.data()) + (on_device ? kDevice : 0), 0};
        access.on_device = on_device ? 1 : 0;
        return access;
    }

    // Calls visit(file offset, byte) for each byte in the order of the stream.
    template <typename Visit> void ForEachByte(Visit visit) const {
        std::size_t count = 0;
        std::int64_t tile = 0, memory_tile = 0;
        std::size_t block = 0, inside = 0, memory_block = 0, memory_inside = 0;
        while (count < bytes) {
            const std::int64_t offset =
                origin + tile * file_extent + Start(file_blocks[block]) + static_cast<std::int64_t>(inside);
            const std::int64_t place =
                memory_tile * memory_extent + Start(memory_blocks[memory_block]) + static_cast<std::int64_t>(memory_inside);
            visit(offset, memory[static_cast<std::size_t>(place)]);
            ++count;
            Advance(file_blocks, block, inside, tile);
            Advance(memory_blocks, memory_block, memory_inside, memory_tile);
        }
    }

  private:
    static std::int64_t Start(const iovec &block) {
        return static_cast<std::int64_t>(reinterpret_cast<std::intptr_t>(block.iov_base));
    }
    static void Advance(const std::vector<iovec> &blocks, std::size_t &block, std::size_t &inside, std::int64_t &tile) {
        if (++inside < blocks[block].iov_len) {
            return;
        }
        inside = 0;
        if (++block == blocks.size()) {
            block = 0;
            ++tile;
        }
    }
};

using Pieces = std::vector<Piece>; // one for each rank

constexpr char kUntouched = '#';

/// With memory that nobody has touched.
inline Pieces Emptied(Pieces pieces) {
    for (Piece &piece : pieces) {
        std::fill(piece.memory.begin(), piece.memory.end(), kUntouched);
    }
    return pieces;
}

inline std::int64_t EndOf(const Pieces &pieces) {
    std::int64_t end = 0;
    for (const Piece &piece : pieces) {
        piece.ForEachByte([&end](std::int64_t offset, char) { end = std::max(end, offset + 1); });
    }
    return end;
}

inline std::map<std::int64_t, char> ExpectedFile(const Pieces &pieces) {
    std::map<std::int64_t, char> expected;
    for (const Piece &piece : pieces) { // the highest rank's byte stays
        piece.ForEachByte([&expected](std::int64_t offset, char byte) { expected[offset] = byte; });
    }
    return expected;
}

inline void FillMemory(Piece &piece, std::size_t size, unsigned seed) {
    std::mt19937 random(seed);
    piece.memory.resize(size);
    for (char &byte : piece.memory) {
        byte = static_cast<char>('a' + random() % 26);
    }
}

inline Pieces Interleaved(int ranks, std::size_t block, std::size_t blocks, std::int64_t origin = 0) {
    Pieces pieces(static_cast<std::size_t>(ranks));
    for (int rank = 0; rank < ranks; ++rank) {
        Piece &piece = pieces[static_cast<std::size_t>(rank)];
        piece.file_blocks = {Block(0, block)};
        piece.file_extent = static_cast<std::int64_t>(block) * ranks;
        piece.origin = origin + static_cast<std::int64_t>(block) * rank;
        piece.bytes = block * blocks;
        FillMemory(piece, piece.bytes, static_cast<unsigned>(rank));
    }
    return pieces;
}

/// With so many bytes that nobody writes behind each block.
inline Pieces WithGaps(int ranks, std::size_t block, std::size_t gap, std::size_t blocks) {
    Pieces pieces = Interleaved(ranks, block, blocks);
    for (std::size_t rank = 0; rank < pieces.size(); ++rank) {
        pieces[rank].file_extent = static_cast<std::int64_t>((block + gap) * pieces.size());
        pieces[rank].origin = static_cast<std::int64_t>((block + gap) * rank);
    }
    return pieces;
}

inline int Pick(std::mt19937 &random, int low, int high) { return std::uniform_int_distribution<int>(low, high)(random); }

/// Elements of so many bytes, one behind the other, dealt to the ranks by chance.
inline Pieces Dealt(std::mt19937 &random, int ranks, int elements, std::size_t length) {
    Pieces pieces(static_cast<std::size_t>(ranks));
    for (int element = 0; element < elements; ++element) {
        Piece &piece = pieces[static_cast<std::size_t>(Pick(random, 0, ranks - 1))];
        piece.file_blocks.push_back(Block(element * static_cast<std::int64_t>(length), length));
        piece.bytes += length;
    }
    for (Piece &piece : pieces) {
        piece.file_extent = elements * static_cast<std::int64_t>(length);
        FillMemory(piece, piece.bytes, static_cast<unsigned>(random()));
    }
    return pieces;
}

// A file with a byte for each offset below `size`, but for some that were never written.
inline std::map<std::int64_t, char> RandomFile(std::mt19937 &random, std::int64_t size) {
    std::map<std::int64_t, char> file;
    for (std::int64_t offset = 0; offset < size; ++offset) {
        if (offset + 1 == size || Pick(random, 0, 9) > 0) {
            file[offset] = static_cast<char>('a' + random() % 26);
        }
    }
    return file;
}

// Random layouts: with `disjoint` the ranks share no byte, else they may overlap; memory has gaps.
inline Pieces RandomPieces(std::mt19937 &random, int ranks, bool disjoint) {
    Pieces pieces(static_cast<std::size_t>(ranks));
    const bool devices = Pick(random, 0, 1) == 0;
    for (int rank = 0; rank < ranks; ++rank) {
        Piece &piece = pieces[static_cast<std::size_t>(rank)];
        std::int64_t at = disjoint ? rank : Pick(random, 0, 50);
        for (int blocks = Pick(random, 1, 5); blocks > 0; --blocks) {
            const int length = disjoint ? 1 : Pick(random, 1, 9);
            piece.file_blocks.push_back(Block(at, static_cast<std::size_t>(length)));
            at += disjoint ? ranks * Pick(random, 1, 3) : length + Pick(random, 0, 9);
        }
        piece.file_extent = disjoint ? (at / ranks + 1) * ranks : at + Pick(random, 0, 5);
        piece.bytes = static_cast<std::size_t>(Pick(random, 0, 3) == 0 ? 0 : Pick(random, 1, 60));
        piece.memory_blocks.clear();
        std::int64_t place = 0;
        std::size_t held = 0;
        for (int blocks = Pick(random, 1, 3); blocks > 0; --blocks) {
            const int length = Pick(random, 1, 6);
            piece.memory_blocks.push_back(Block(place, static_cast<std::size_t>(length)));
            place += length + Pick(random, 0, 3);
            held += static_cast<std::size_t>(length);
        }
        piece.memory_extent = place;
        FillMemory(piece, (piece.bytes / held + 2) * static_cast<std::size_t>(place), static_cast<unsigned>(random()));
        piece.on_device = devices && Pick(random, 0, 1) == 0;
    }
    return pieces;
}

} // namespace overlap::test

#endif
