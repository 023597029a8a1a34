// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// Messages of one word of which there are never more than so many under way.
#ifndef OVERLAP_ENGINE_SHUFFLE_WORDS_UNDER_WAY_H
#define OVERLAP_ENGINE_SHUFFLE_WORDS_UNDER_WAY_H

#include "under_way.h"

#include <cstdint>
#include <vector>

namespace overlap {

/// Each has its word until it is complete. `visit(cycle, word)`, where a function takes it, is called for each message that
/// is complete, also of one that failed, whose word is then OVERLAP_SUCCESS. All memory is taken when it is made.
class WordsUnderWay {
  public:
    /// Throws std::bad_alloc.
    WordsUnderWay(const overlap_transport &transport, std::size_t most) : words_(most), under_way_(transport, most) {
        free_.reserve(most);
        for (std::int64_t &word : words_) {
            free_.push_back(&word);
        }
    }

    bool empty() const noexcept { return under_way_.empty(); }
    bool full() const noexcept { return free_.empty(); }

    /// Start a message, whatever is returned (ports.h). Need: not full.
    Status Send(Rank peer, Tag tag, Cycle cycle, std::int64_t word) noexcept {
        const Note note = NoteOf(cycle, word);
        const overlap_piece piece = PieceOf(note);
        return under_way_.Send(peer, tag, &piece, 1, OVERLAP_SEND_STANDARD, note);
    }
    Status Receive(Rank peer, Tag tag, Cycle cycle) noexcept {
        const Note note = NoteOf(cycle, OVERLAP_SUCCESS);
        const overlap_piece piece = PieceOf(note);
        return under_way_.Receive(peer, tag, &piece, 1, note);
    }

    /// Blocks until the one that was started first is complete. Needs: not empty.
    template <typename Visit> Status WaitForOldest(Visit visit) noexcept {
        return under_way_.WaitForOldest([&](const Note &note) { Complete(note, visit); });
    }

    /// Completes what can be without blocking.
    template <typename Visit> Status Test(Visit visit) noexcept {
        return under_way_.Test([&](const Note &note) { Complete(note, visit); });
    }

  private:
    struct Note {
        Cycle cycle;
        std::int64_t *word;
    };

    Note NoteOf(Cycle cycle, std::int64_t word) noexcept {
        const Note note{cycle, free_.back()};
        free_.pop_back();
        *note.word = word;
        return note;
    }
    static overlap_piece PieceOf(const Note &note) noexcept {
        return overlap_piece{reinterpret_cast<char *>(note.word), sizeof(*note.word), 0, 1};
    }
    template <typename Visit> void Complete(const Note &note, Visit &visit) noexcept {
        visit(note.cycle, *note.word);
        free_.push_back(note.word);
    }

    std::vector<std::int64_t> words_;
    std::vector<std::int64_t *> free_;
    UnderWay<Note> under_way_; // goes first, as it completes what the words are for
};

} // namespace overlap

#endif
