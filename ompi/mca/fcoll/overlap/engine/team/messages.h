// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// Messages: what is under way, and those of words whose receiver does not know how many they are.
#ifndef OVERLAP_ENGINE_TEAM_MESSAGES_H
#define OVERLAP_ENGINE_TEAM_MESSAGES_H

#include "../access/strided.h"
#include "../base/status.h"
#include "../base/types.h"
#include "../ports.h"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <vector>

namespace overlap {

/// One tag for each kind of message; messages of a kind between two ranks arrive in the order in which they were sent. A
/// message of words takes its tag and the next one, for its rest.
enum Tag {
    kTagShare = 0,
    kTagShareRest,
    kTagCuts,
    kTagCutsRest,
    kTagRow, // of the communication matrix, and what else is gathered
    kTagRowRest,
    kTagData,
    kTagCall,    // for data
    kTagArrived, // data
    kTagFree,    // is a sub-buffer
    kTagOnFile,
    kTagOnFileRest,
    kTagClock,
    kTagTrace, // of a timeline
    kTagTraceRest,
    kTagNode, // an access, for the leader of its node
    kTagNodeRest,
    kTagMerged, // or not, for the others
    kTagMergedRest,
    kTagMergedDone
};

/// Of a send, which only reads it, or of a receive.
inline overlap_piece PieceOfWords(const std::int64_t *words, std::size_t count) {
    char *const address = const_cast<char *>(reinterpret_cast<const char *>(words));
    return overlap_piece{address, count * sizeof(*words), 0, 1};
}

/// Messages under way, completed at the latest when this goes. Only Reserve allocates.
class Messages {
  public:
    explicit Messages(const overlap_transport &transport) : transport_(&transport) {}
    ~Messages();
    Messages(const Messages &) = delete;
    Messages &operator=(const Messages &) = delete;
    Messages(Messages &&other) noexcept = default; // which has none then
    Messages &operator=(Messages &&) = delete;

    /// Room for so many between two Waits. Throws std::bad_alloc.
    void Reserve(std::size_t messages) { requests_.reserve(messages); }

    /// Starts a message, whatever is returned (ports.h). The pieces may be reused at once, the bytes they name only after
    /// Wait. Needs: room.
    Status Send(Rank peer, Tag tag, const overlap_piece *pieces, std::size_t count,
                overlap_send_mode mode = OVERLAP_SEND_STANDARD) noexcept;
    Status Receive(Rank peer, Tag tag, const overlap_piece *pieces, std::size_t count) noexcept;

    /// The same for words, which must stay until Wait.
    Status Send(Rank peer, Tag tag, const std::int64_t *words, std::size_t count) noexcept {
        const overlap_piece piece = PieceOfWords(words, count);
        return Send(peer, tag, &piece, 1);
    }
    Status Receive(Rank peer, Tag tag, std::int64_t *words, std::size_t count) noexcept {
        const overlap_piece piece = PieceOfWords(words, count);
        return Receive(peer, tag, &piece, 1);
    }

    /// Completes all of them.
    Status Wait() noexcept;

    /// Whether all of them are complete; they are forgotten then.
    Status Test(bool &done) noexcept;

  private:
    overlap_request **Next() noexcept;

    const overlap_transport *transport_;
    std::vector<overlap_request *> requests_;
    Status tested_; // what Test met before all were complete
};

using Words = std::vector<std::int64_t>;

/// Words of one rank for another that does not know how many they are, with the status of the rank that writes them. It can
/// always be sent: one whose words found no memory says so in their place.
///
/// It is sent in parts, so that a receiver without memory for all of it can drop it part by part: the first one of at most
/// kFirstWords, header included, the others of at most kPartWords.
class UnsizedMessage {
  public:
    static constexpr std::size_t kHeaderWords = 2; // the status, the number of words behind the header
    static constexpr std::size_t kFirstWords = 256;
    static constexpr std::size_t kPartWords = std::size_t{1} << 15;

    /// Appends. Throws std::bad_alloc, after which the message is as it was.
    void Add(std::initializer_list<std::int64_t> words) { Add(words.begin(), words.size()); }
    void Add(const std::int64_t *words, std::size_t count) { std::copy_n(words, count, Extend(count)); }
    void Add(const StridedList &list) {
        list.Write([this](std::size_t words) { return Extend(words); });
    }
    /// Appends `count` words, zero until they are written at what is returned; that stands until the next of these calls.
    std::int64_t *Extend(std::size_t count) {
        const std::size_t behind = kHeaderWords + size();
        words_.resize(behind + count);
        return words_.data() + behind;
    }
    /// The first one. Needs: there is one.
    std::int64_t &First() { return words_[kHeaderWords]; }
    void Reserve(std::size_t words) { words_.reserve(kHeaderWords + words); }

    /// Drops the words; what is sent is the status alone.
    void Fail(Status status) noexcept {
        words_.clear();
        status_.Merge(status);
    }

    const std::int64_t *words() const { return words_.data() + kHeaderWords; }
    std::size_t size() const { return words_.empty() ? 0 : words_.size() - kHeaderWords; }

    /// The messages that it is sent as.
    std::size_t Parts() const noexcept { return MostParts(size()); }
    /// The same of a message of at most so many words.
    static std::size_t MostParts(std::size_t words) noexcept {
        const std::size_t all = kHeaderWords + words;
        return all <= kFirstWords ? 1 : 1 + (all - kFirstWords + kPartWords - 1) / kPartWords;
    }

    /// Calls visit(tag, words, count) for each of them; returns the most severe status of these calls. All but the first
    /// have the tag behind `tag`. Where the first one fails it is the last: its receiver does not know of a rest.
    template <typename Visit> Status ForEachPart(Tag tag, Visit visit) noexcept {
        Status status;
        std::int64_t *const all = words_.empty() ? empty_.data() : words_.data();
        if (all[0] != status_.error() || all[1] != static_cast<std::int64_t>(size())) {
            all[0] = status_.error(); // not again, as what is on its way to a rank already may not be written to
            all[1] = static_cast<std::int64_t>(size());
        }
        const std::size_t count = kHeaderWords + size();
        for (std::size_t sent = 0; sent < count;) {
            const std::size_t part = std::min(count - sent, sent == 0 ? kFirstWords : kPartWords);
            status.Merge(visit(sent == 0 ? tag : static_cast<Tag>(tag + 1), all + sent, part));
            if (sent == 0 && !status.ok()) {
                break;
            }
            sent += part;
        }
        return status;
    }

    /// Starts sending, to several ranks where that is wanted; the message stays as it is until `messages` are complete.
    /// Needs: room for Parts().
    Status Send(Messages &messages, Rank peer, Tag tag) noexcept {
        return ForEachPart(tag, [&](Tag of_part, const std::int64_t *words, std::size_t count) {
            return messages.Send(peer, of_part, words, count);
        });
    }

  private:
    Words words_; // behind room for the header; empty: none
    std::array<std::int64_t, kHeaderWords> empty_{};
    Status status_;
};

} // namespace overlap

#endif
