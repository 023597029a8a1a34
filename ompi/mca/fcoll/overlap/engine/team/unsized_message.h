// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// A message of words whose receiver does not know how many they are, nor, where it hears any rank, who sends next.
#ifndef OVERLAP_ENGINE_TEAM_UNSIZED_MESSAGE_H
#define OVERLAP_ENGINE_TEAM_UNSIZED_MESSAGE_H

#include "messages.h"

#include <algorithm>
#include <array>
#include <initializer_list>

namespace overlap {

using Words = std::vector<std::int64_t>;

/// Words of one rank for another, with the status of the rank that writes them. It can always be sent: one whose words
/// found no memory says so in their place.
///
/// It is sent in parts, so that a receiver without memory for all of it can take it part by part and drop it: the first one
/// of at most kFirstWords, header included, the others of at most kPartWords.
class UnsizedMessage {
  public:
    static constexpr std::size_t kHeaderWords = 2; // the status, the number of words behind the header
    static constexpr std::size_t kFirstWords = 256;
    static constexpr std::size_t kPartWords = std::size_t{1} << 15;

    /// Appends. Throws std::bad_alloc, after which the message is as it was.
    void Add(std::initializer_list<std::int64_t> words) { Add(words.begin(), words.size()); }
    void Add(const std::int64_t *words, std::size_t count) { std::copy_n(words, count, Extend(count)); }
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

    /// Calls visit(tag, words, count) for each of them; returns the most severe status that it returned, which is whether
    /// the message could be made. All but the first have the tag behind `tag`. Where the first one cannot be made it
    /// is the last: its receiver does not know of a rest.
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

    /// Starts sending, to several ranks one after the other where that is wanted; the message must stay as it is until
    /// `messages` are complete. Needs: room for Parts().
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
