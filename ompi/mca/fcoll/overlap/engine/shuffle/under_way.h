// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// Messages under way of which there are never more than so many, each with a note of what it is for.
#ifndef OVERLAP_ENGINE_SHUFFLE_UNDER_WAY_H
#define OVERLAP_ENGINE_SHUFFLE_UNDER_WAY_H

#include "../team/messages.h"

#include <algorithm>
#include <vector>

namespace overlap {

/// Kept in the order in which they were started, and completed one by one, unlike `Messages`. Where a function takes a
/// `visit` it calls it with the note of each message that is complete, also of one that failed; `visit` starts none. All
/// memory is taken when it is made: two requests and notes for each message that there may be.
template <typename Note> class UnderWay {
  public:
    /// Throws std::bad_alloc.
    UnderWay(const overlap_transport &transport, std::size_t most) : transport_(transport), most_(most) {
        requests_.reserve(2 * most);
        notes_.reserve(2 * most);
    }
    ~UnderWay() {
        if (!empty()) {
            static_cast<void>(transport_.wait(transport_.self, &requests_[oldest_], requests_.size() - oldest_));
        }
    }
    UnderWay(const UnderWay &) = delete;
    UnderWay &operator=(const UnderWay &) = delete;

    bool empty() const noexcept { return oldest_ == requests_.size(); }
    bool full() const noexcept { return requests_.size() - oldest_ >= most_; }

    /// Start a message, whatever is returned (ports.h). Need: not full.
    Status Send(Rank peer, Tag tag, const overlap_piece *pieces, std::size_t count, overlap_send_mode mode,
                const Note &note) noexcept {
        return Status(transport_.send(transport_.self, peer, tag, mode, pieces, count, PlaceFor(note)));
    }
    Status Receive(Rank peer, Tag tag, const overlap_piece *pieces, std::size_t count, const Note &note) noexcept {
        return Status(transport_.receive(transport_.self, peer, tag, pieces, count, PlaceFor(note)));
    }

    /// Blocks until the one that was started first is complete. Needs: not empty.
    template <typename Visit> Status WaitForOldest(Visit visit) noexcept {
        const Status status(transport_.wait(transport_.self, &requests_[oldest_], 1));
        const Note note = notes_[oldest_++];
        if (empty()) {
            DropOld();
        }
        visit(note);
        return status;
    }

    /// Completes without blocking what can be of the messages whose notes `pick` takes, which were started one after the
    /// other.
    template <typename Pick, typename Visit> Status Test(Pick pick, Visit visit) noexcept {
        const auto first = std::find_if(notes_.begin() + Offset(oldest_), notes_.end(), pick);
        const auto last = std::find_if_not(first, notes_.end(), pick);
        if (first == last) {
            return Status();
        }
        const auto begin = static_cast<std::size_t>(first - notes_.begin());
        const auto end = static_cast<std::size_t>(last - notes_.begin());
        int all = 0;
        const Status status(transport_.test(transport_.self, &requests_[begin], end - begin, &all));
        std::size_t kept = begin;
        for (std::size_t i = begin; i < end; ++i) {
            if (requests_[i] == nullptr) {
                visit(notes_[i]);
            } else {
                requests_[kept] = requests_[i];
                notes_[kept++] = notes_[i];
            }
        }
        requests_.erase(requests_.begin() + Offset(kept), requests_.begin() + Offset(end));
        notes_.erase(notes_.begin() + Offset(kept), notes_.begin() + Offset(end));
        return status;
    }

    /// The same of all.
    template <typename Visit> Status Test(Visit visit) noexcept {
        return Test([](const Note &) { return true; }, visit);
    }

  private:
    static std::ptrdiff_t Offset(std::size_t index) noexcept { return static_cast<std::ptrdiff_t>(index); }

    overlap_request **PlaceFor(const Note &note) noexcept {
        if (requests_.size() == 2 * most_) {
            DropOld();
        }
        notes_.push_back(note);
        requests_.push_back(nullptr);
        return &requests_.back();
    }

    void DropOld() noexcept {
        requests_.erase(requests_.begin(), requests_.begin() + Offset(oldest_));
        notes_.erase(notes_.begin(), notes_.begin() + Offset(oldest_));
        oldest_ = 0;
    }

    const overlap_transport &transport_;
    const std::size_t most_;
    std::vector<overlap_request *> requests_; // behind those that were waited for and are not dropped yet
    std::vector<Note> notes_;                 // of each of them
    std::size_t oldest_ = 0;
};

} // namespace overlap

#endif
